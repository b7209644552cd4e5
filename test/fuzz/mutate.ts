/** Changes inputs at random, with parts of the corpus and tokens of the reader's language. */
import type { Random } from '../faults/random.ts';

/** Longer inputs find little that shorter ones do not, and take longer. */
export const inputBytesMax = 4_096;

const numbers = [0, 1, 127, 128, 255];

export interface MutationParts {
  readonly random: Random;
  readonly corpus: readonly Buffer[];
  readonly words: readonly Buffer[];
}

/** The input with one to eight changes. */
export function mutate(input: Buffer, parts: MutationParts): Buffer {
  let changed = input;
  for (let count = 1 + parts.random.below(8); count > 0; count--) changed = change(changed, parts);
  return changed.subarray(0, inputBytesMax);
}

function change(input: Buffer, { random, corpus, words }: MutationParts): Buffer {
  const at = random.below(input.length + 1);
  const length = random.below(Math.min(64, input.length - at + 1));
  const [before, after] = [input.subarray(0, at), input.subarray(at + length)];
  switch (random.below(8)) {
    case 0:
      return Buffer.concat([before, after]);
    case 1:
      return Buffer.concat([before, random.bytes(1 + random.below(4)), after]);
    case 2:
      return Buffer.concat([input.subarray(0, at), random.pick(words), input.subarray(at)]);
    case 3:
      return Buffer.concat([before, random.pick(words), after]);
    case 4:
      return flip(input, random);
    case 5: {
      // A repeated part.
      const part = input.subarray(at, at + length);
      const repeated = Array.from({ length: 1 + random.below(40) }, () => part);
      return Buffer.concat([before, ...repeated, after]);
    }
    case 6: {
      const other = random.pick(corpus);
      const from = random.below(other.length + 1);
      return Buffer.concat([before, other.subarray(from, from + random.below(256)), after]);
    }
    default:
      return setByte(input, random);
  }
}

function flip(input: Buffer, random: Random): Buffer {
  if (input.length === 0) return input;
  const changed = Buffer.from(input);
  changed[random.below(changed.length)]! ^= 1 << random.below(8);
  return changed;
}

function setByte(input: Buffer, random: Random): Buffer {
  if (input.length === 0) return input;
  const changed = Buffer.from(input);
  changed[random.below(changed.length)] = random.pick(numbers);
  return changed;
}
