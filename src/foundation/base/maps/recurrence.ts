import { byteAt } from '../text/binary-string.ts';

/**
 * Tells texts that come again from those that never do, by samples of texts that came before. What never comes again need
 * neither be copied nor kept. Two texts may share a place or a sample: then one is taken for known that is not, or one that
 * is for new; so only costs may depend on it.
 */
export class Recurrence {
  readonly #seen = new Int32Array(8_192);

  /** Whether the text of this sample was probably asked for before. */
  comesAgain(sample: number): boolean {
    const place = sample & (this.#seen.length - 1);
    if (this.#seen[place] === sample) return true;
    this.#seen[place] = sample;
    return false;
  }
}

/** A number that differs for most texts that differ. */
export function sampleText(value: string): number {
  const { length } = value;
  const step = length <= sampledMax ? 1 : Math.ceil(length / sampledMax);
  let sample = length;
  for (let at = length - 1; at >= 0; at -= step) sample = (Math.imul(sample, 31) + byteAt(value, at)) | 0;
  return sample;
}

/**
 * Characters of a text that are looked at: all of most. With every other one left out, nine of ten cookies that differ by a
 * number in their midst were taken for known.
 */
const sampledMax = 128;
