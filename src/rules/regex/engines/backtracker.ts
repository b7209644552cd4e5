import { assert } from '#base';
import { backtrackStepsMax } from '../limits.ts';
import { isAnchored, type PatternTree } from '../syntax/tree.ts';
import { holdsBetween, noByte } from './conditions.ts';
import { LookTables } from './look-tables.ts';
import { compileProgram, op, type PatternProgram } from './program.ts';

/**
 * Runs the patterns that no linear engine can run: with back-references or atomic groups. It follows one path at a
 * time, with alternatives on a stack, and has a step budget for the whole value. A value that uses up the budget does
 * not match, as with PCRE's own match limit, and `exhausted` counts it.
 */
export class Backtracker {
  readonly #program: PatternProgram;
  readonly #looks: LookTables | undefined;
  readonly #isAnchored: boolean;
  readonly #stepsMax: number;
  /** Slots of groups, including the whole match. */
  readonly #groupSlots: number;
  readonly #slots: Int32Array;
  /** Pairs: an instruction and a position to try, or a slot (negative) and the value to restore. */
  readonly #stack: number[] = [];
  #value = '';
  #lookBits: Uint8Array | undefined;
  steps = 0;
  exhausted = 0;

  constructor(tree: PatternTree, groupCount: number, { stepsMax = backtrackStepsMax } = {}) {
    const options = { backward: false, groupCount, captures: true, backtracking: true };
    this.#program = compileProgram(tree, options);
    this.#looks = LookTables.for(this.#program.looks);
    this.#isAnchored = isAnchored(tree);
    this.#stepsMax = stepsMax;
    this.#groupSlots = groupCount + 1;
    this.#slots = new Int32Array(this.#program.slotCount);
  }

  /** Start and end of the match and of each group, -1 for a group that did not participate. */
  match(value: string): Int32Array | undefined {
    this.steps = 0;
    this.#value = value;
    this.#lookBits = this.#looks?.bitsOf(value);
    const startMax = this.#isAnchored ? 0 : value.length;
    for (let start = 0; start <= startMax; start++) {
      this.#slots.fill(-1);
      this.#stack.length = 0;
      if (this.#run(this.#program.start, start) !== -1) return this.#slots.slice();
      if (this.steps > this.#stepsMax) {
        this.exhausted++;
        return undefined;
      }
    }
    return undefined;
  }

  /**
   * Runs from an instruction to `match`; returns the position reached, or -1. Untried alternatives stay on the stack.
   */
  #run(instruction: number, position: number): number {
    const stack = this.#stack;
    const stackBase = stack.length;
    let [at, i] = [instruction, position];
    for (;;) {
      if (++this.steps > this.#stepsMax) return -1;
      if (this.#program.ops[at] === op.match) return i;
      i = this.#step(at, i);
      if (i !== -1) {
        at = this.#goOn;
        continue;
      }
      for (;;) {
        if (stack.length === stackBase) return -1;
        const operand = stack.pop()!;
        at = stack.pop()!;
        if (at >= 0) {
          i = operand;
          break;
        }
        this.#slots[-1 - at] = operand;
      }
    }
  }

  /** The successor of the last executed instruction. */
  #goOn = 0;

  /** Executes one instruction; returns the position after it, -1 if it fails. */
  #step(at: number, i: number): number {
    const { ops, x, y, sets, assertions, references } = this.#program;
    const value = this.#value;
    const operand = x[at]!;
    this.#goOn = y[at]!;
    switch (ops[at]) {
      case op.set:
        return i < value.length && sets[operand]!.has(value.charCodeAt(i) & 0xff) ? i + 1 : -1;
      case op.split:
        this.#stack.push(y[at]!, i);
        this.#goOn = operand;
        return i;
      case op.assert: {
        const left = i === 0 ? noByte : value.charCodeAt(i - 1) & 0xff;
        const right = i === value.length ? noByte : value.charCodeAt(i) & 0xff;
        return holdsBetween(assertions[operand]!, left, right) ? i : -1;
      }
      case op.look:
        return ((this.#lookBits![i]! >>> operand) & 1) === 1 ? i : -1;
      case op.save:
        this.#note(operand, i);
        return i;
      case op.close:
        this.#note(2 * operand, this.#slots[2 * this.#groupSlots + operand]!);
        this.#note(2 * operand + 1, i);
        return i;
      case op.progress:
        if (this.#slots[operand] === i) this.#goOn = this.#program.loopExits.get(operand)!;
        return i;
      case op.reference:
        return this.#again(references[operand]!, i);
      case op.atomic:
        return this.#runApart(operand, i, y[at]!);
      case op.ahead:
        return this.#runApart(operand, i, y[at]!) === -1 ? -1 : i;
      case op.notAhead:
        return this.#runApart(operand, i, y[at]!) === -1 ? i : -1;
      default:
        assert(false, `instruction ${ops[at]} has no meaning here`);
        return -1;
    }
  }

  #note(slot: number, position: number): void {
    this.#stack.push(-1 - slot, this.#slots[slot]!);
    this.#slots[slot] = position;
  }

  /** Runs a part whose alternatives are dropped once it has matched. */
  #runApart(instruction: number, i: number, goOn: number): number {
    const stack = this.#stack;
    const stackBase = stack.length;
    const end = this.#run(instruction, i);
    const tail = stack.splice(stackBase);
    for (let pair = 0; pair < tail.length; pair += 2) {
      // Slots saved by the part stay saved, and are restored when the whole is given up.
      if (tail[pair]! < 0) stack.push(tail[pair]!, tail[pair + 1]!);
    }
    this.#goOn = goOn;
    return end;
  }

  #again({ index, ignoreCase }: { readonly index: number; readonly ignoreCase: boolean }, i: number): number {
    const [start, end] = [this.#slots[2 * index]!, this.#slots[2 * index + 1]!];
    if (start === -1 || end === -1) return -1;
    const [before, here] = [this.#value.slice(start, end), this.#value.slice(i, i + end - start)];
    this.steps += end - start;
    const isSame = before === here || (ignoreCase && lowerCaseOf(before) === lowerCaseOf(here));
    return isSame ? i + end - start : -1;
  }
}

function lowerCaseOf(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
