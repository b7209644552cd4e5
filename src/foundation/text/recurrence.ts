import { byteAt } from './binary-string.ts';

/**
 * Distinguishes texts that recur from those that never do, by samples of earlier texts. A text that never recurs need
 * neither be copied nor cached. Two texts may share a slot or a sample, and then a new one counts as known, or a known
 * one as new; so only costs may depend on the result.
 */
export class Recurrence {
  readonly #seen = new Int32Array(8_192);

  /** Whether the text of this sample was probably seen before. */
  comesAgain(sample: number): boolean {
    const place = sample & (this.#seen.length - 1);
    if (this.#seen[place] === sample) return true;
    this.#seen[place] = sample;
    return false;
  }
}

/** A number that differs for most different texts. */
export function sampleText(value: string): number {
  const { length } = value;
  const step = length <= sampledMax ? 1 : Math.ceil(length / sampledMax);
  let sample = length;
  for (let at = length - 1; at >= 0; at -= step) sample = (Math.imul(sample, 31) + byteAt(value, at)) | 0;
  return sample;
}

/**
 * The maximum number of characters sampled: most texts are sampled completely. Sampling every other character, nine of
 * ten cookies that differ by a number in the middle counted as known.
 */
const sampledMax = 128;
