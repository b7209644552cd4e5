import { compileProgram, type LookAround, type PatternProgram } from './program.ts';
import { noCategory, Stepper } from './stepper.ts';
import { WordBits } from './word-bits.ts';

export interface PositionBits {
  /** Instructions visited so far. */
  readonly steps: number;
  /**
   * For each position, including the end, the conditions that hold there: bit `i` for the one that `op.look` numbers
   * `i`.
   */
  bitsOf(value: string): Uint8Array;
}

/** The tables that a program needs before it runs on a value. */
export function positionBitsFor({ looks, wordAssertions }: PatternProgram): PositionBits | undefined {
  return WordBits.for(wordAssertions) ?? LookTables.for(looks);
}

/**
 * Evaluates look-arounds for every position of a value in advance, each in one pass: look-ahead by walking from the
 * end, look-behind by walking from the start. So a look-around costs no more than any other part.
 */
export class LookTables implements PositionBits {
  readonly #looks: ReadonlyArray<{ look: LookAround; stepper: Stepper; inner: LookTables | undefined }>;

  private constructor(looks: readonly LookAround[]) {
    this.#looks = looks.map((look) => {
      const backward = look.ahead;
      const options = { backward, groupCount: 0, captures: false, backtracking: false };
      const program = compileProgram(look.part, options);
      return { look, stepper: new Stepper(program, { backward }), inner: LookTables.for(program.looks) };
    });
  }

  static for(looks: readonly LookAround[]): LookTables | undefined {
    return looks.length === 0 ? undefined : new LookTables(looks);
  }

  get steps(): number {
    return this.#looks.reduce((sum, { stepper, inner }) => sum + stepper.steps + (inner?.steps ?? 0), 0);
  }

  /** For each position, including the end, the look-arounds that hold there: bit `i` for the one with index `i`. */
  bitsOf(value: string): Uint8Array {
    const bits = new Uint8Array(value.length + 1);
    for (const [index, { look, stepper, inner }] of this.#looks.entries()) {
      const innerBits = inner?.bitsOf(value);
      markMatches(stepper, value, look.ahead, innerBits, (position, isMatch) => {
        if (isMatch !== look.negative) bits[position]! |= 1 << index;
      });
    }
    return bits;
  }
}

function markMatches(
  stepper: Stepper,
  value: string,
  backward: boolean,
  innerBits: Uint8Array | undefined,
  onPosition: (position: number, isMatch: boolean) => void,
): void {
  let [current, next] = [stepper.newSet(), stepper.newSet()];
  let before = noCategory;
  for (let walked = 0; walked <= value.length; walked++) {
    const position = backward ? value.length - walked : walked;
    const byte = walked === value.length ? -1 : value.charCodeAt(backward ? position - 1 : position) & 0xff;
    const after = byte === -1 ? noCategory : stepper.categoryOf[byte]!;
    stepper.add(current, stepper.program.start);
    onPosition(position, stepper.resolve(current, before, after, innerBits?.[position] ?? 0));
    if (byte === -1) return;
    next.clear();
    stepper.advance(current, next, stepper.classOf[byte]!);
    [current, next] = [next, current];
    before = after;
  }
}
