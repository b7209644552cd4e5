/**
 * Tells texts that come again from those that never do, by a few characters of texts that came before. What never comes
 * again need neither be copied nor kept. Two texts may share a place: then one is taken for known that is not, or one that
 * is for new; so only costs may depend on it.
 */
export class Recurrence {
  readonly #seen = new Int32Array(8_192);

  /** Whether the text was probably asked for before. */
  comesAgain(value: string): boolean {
    const { length } = value;
    const step = Math.ceil(length / sampledMax);
    let sample = length;
    for (let at = length - 1; at >= 0; at -= step)
      sample = (Math.imul(sample, 31) + value.charCodeAt(at)) | 0;
    const place = sample & (this.#seen.length - 1);
    if (this.#seen[place] === sample) return true;
    this.#seen[place] = sample;
    return false;
  }
}

/** Characters of a text that are looked at. */
const sampledMax = 16;
