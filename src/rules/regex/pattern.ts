import { spendSteps, suspectSteps } from '#work';
import { Automaton } from './engines/automaton.ts';
import { automatonPool, type Pooled } from './engines/automaton-pool.ts';
import { Backtracker } from './engines/backtracker.ts';
import { emit } from './engines/emit.ts';
import { nativeLengthMaxOf } from './engines/native-bound.ts';
import { needsBacktracking, programSize } from './engines/program.ts';
import { Threads } from './engines/threads.ts';
import {
  nativeStepsMax,
  nativeStepsPerByteMax,
  nativeStepsPerStep,
  stepsPerAutomaton,
  stepsPerCompiledInstruction,
  stepsPerInstruction,
  stepsPerPattern,
} from './limits.ts';
import { requiredLiteralsOf } from './required-literals.ts';
import type { ParsedPattern } from './syntax/parsed.ts';
import { lengthMin, someTree, type PatternTree } from './syntax/tree.ts';
import type { Dialect, Match, Pattern, RequiredLiterals } from './types.ts';

/**
 * A tree with the engines that run it, each created on first use. The choice of the engine depends only on the tree and
 * on the length of the value, and never changes the result:
 *
 * - V8, for values short enough that its worst case is cheap (`nativeLengthMax`);
 * - the automaton for `test`, and threads for `find` and `match` once `test` has returned true;
 * - the backtracker for back-references and atomic groups, which has a budget of steps: a value that uses it up does
 *   not match.
 *
 * The pool of the process holds automata and threads, and drops them when others need the room. All work is charged to
 * the budget of the caller.
 */
export class CompiledPattern implements Pattern, Pooled {
  readonly source: string;
  readonly dialect: Dialect;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  readonly native: RegExp | undefined;
  readonly nativeLengthMax: number;
  readonly nativeStepsPerByte: number;
  readonly size: number;
  readonly #tree: PatternTree;
  /** Whether V8 prefers the same match among several, and reports the same groups. */
  readonly #nativePreference: { readonly find: boolean; readonly match: boolean };
  #literals: { readonly found: RequiredLiterals | undefined } | undefined;
  #automaton: Automaton | undefined;
  #threads: Threads | undefined;
  #backtracker: Backtracker | undefined;
  #capturing: RegExp | undefined;

  constructor(source: string, dialect: Dialect, { tree, groupCount, groupNames }: ParsedPattern) {
    this.source = source;
    this.dialect = dialect;
    this.groupCount = groupCount;
    this.groupNames = groupNames;
    this.#tree = tree;
    const find = !prefersOtherwise(tree);
    this.#nativePreference = { find, match: find && !forgetsGroups(tree) };
    this.size = programSize(tree).instructions;
    this.nativeLengthMax = nativeLengthMaxOf(tree);
    this.nativeStepsPerByte = nativeStepsPerByteOf(this.nativeLengthMax);
    if (this.nativeLengthMax !== -1) this.native = new RegExp(emit(tree, { captures: false }));
    if (needsBacktracking(tree)) this.#backtracker = new Backtracker(tree, groupCount);
  }

  get compileSteps(): number {
    return stepsPerPattern + this.size * stepsPerCompiledInstruction;
  }

  get requiredLiterals(): RequiredLiterals | undefined {
    this.#literals ??= { found: requiredLiteralsOf(this.#tree) };
    return this.#literals.found;
  }

  get exhausted(): number {
    return this.#backtracker?.exhausted ?? 0;
  }

  test(value: string): boolean {
    if (value.length > this.nativeLengthMax) return this.#testLinear(value);
    suspectSteps(value.length * this.nativeStepsPerByte);
    return this.native!.test(value);
  }

  prepare(): void {
    // V8 compiles at the first search.
    if (this.nativeLengthMax >= 0) this.native!.test('');
    if (this.nativeLengthMax !== Infinity && this.#backtracker === undefined) {
      automatonPool.use(this, this.#makeAutomaton().bytes);
    }
  }

  drop(): void {
    this.#automaton = undefined;
    this.#threads = undefined;
  }

  find(value: string): { readonly start: number; readonly end: number } | undefined {
    if (value.length > this.nativeLengthMax || !this.#nativePreference.find) {
      const positions = this.#positionsOf(value);
      return positions && { start: positions[0]!, end: positions[1]! };
    }
    suspectSteps(value.length * this.nativeStepsPerByte);
    const match = this.native!.exec(value);
    return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
  }

  match(value: string): Match | undefined {
    if (value.length > this.nativeLengthMax || !this.#nativePreference.match) {
      return this.#matchLinear(value);
    }
    suspectSteps(value.length * this.nativeStepsPerByte);
    this.#capturing ??= new RegExp(emit(this.#tree, { captures: true }));
    const match = this.#capturing.exec(value);
    if (match === null) return undefined;
    // V8 also reports groups after the last one that can participate.
    const groups = match.slice(0, this.groupCount + 1);
    return { start: match.index, end: match.index + match[0].length, groups };
  }

  #testLinear(value: string): boolean {
    if (this.#backtracker !== undefined) return this.#backtrack(this.#backtracker, value) !== undefined;
    if (this.requiredLiterals !== undefined && !mayContain(value, this.requiredLiterals)) {
      spendSteps(value.length >>> 2);
      return false;
    }
    const automaton = this.#makeAutomaton();
    try {
      return automaton.test(value);
    } finally {
      automatonPool.use(this, automaton.bytes + (this.#threads?.bytes ?? 0));
    }
  }

  #backtrack(backtracker: Backtracker, value: string): Int32Array | undefined {
    const positions = backtracker.match(value);
    spendSteps(backtracker.steps);
    return positions;
  }

  #makeAutomaton(): Automaton {
    if (this.#automaton !== undefined) return this.#automaton;
    spendSteps(stepsPerAutomaton + this.size * stepsPerInstruction);
    return (this.#automaton = new Automaton(this.#tree));
  }

  #matchLinear(value: string): Match | undefined {
    const positions = this.#positionsOf(value);
    if (positions === undefined) return undefined;
    const groups: Array<string | undefined> = [];
    for (let slot = 0; slot <= 2 * this.groupCount; slot += 2) {
      const [start, end] = [positions[slot]!, positions[slot + 1]!];
      groups.push(start === -1 || end === -1 ? undefined : value.slice(start, end));
    }
    return { start: positions[0]!, end: positions[1]!, groups };
  }

  #positionsOf(value: string): Int32Array | undefined {
    if (this.#backtracker !== undefined) return this.#backtrack(this.#backtracker, value);
    if (!this.test(value)) return undefined;
    if (this.#threads === undefined) {
      spendSteps(this.size * stepsPerInstruction);
      this.#threads = new Threads(this.#tree, this.groupCount);
      automatonPool.use(this, (this.#automaton?.bytes ?? 0) + this.#threads.bytes);
    }
    return this.#threads.match(value);
  }
}

/** The maximum steps of V8 per byte of the longest value it receives: shorter values need no more per byte. */
function nativeStepsPerByteOf(lengthMax: number): number {
  const steps = lengthMax === Infinity ? nativeStepsPerByteMax : nativeStepsMax / Math.max(1, lengthMax);
  return Math.ceil(steps / nativeStepsPerStep);
}

/** `includes` scans a value faster than any automaton, but not several times. */
function mayContain(value: string, { literals, ignoreCase }: RequiredLiterals): boolean {
  return ignoreCase || literals.length > 2 || literals.some((literal) => value.includes(literal));
}

/** Whether JavaScript could prefer another match: it drops an empty round of a loop, the dialects keep it. */
function prefersOtherwise(tree: PatternTree): boolean {
  return someTree(
    tree,
    (part) => part.kind === 'repeat' && part.max > part.min && lengthMin(part.part) === 0,
  );
}

/** Whether JavaScript could report other groups: it clears those of earlier rounds, and keeps those of look-arounds. */
function forgetsGroups(tree: PatternTree): boolean {
  const hasGroup = (part: PatternTree): boolean => someTree(part, ({ kind }) => kind === 'group');
  return someTree(
    tree,
    (part) => (part.kind === 'look' || (part.kind === 'repeat' && part.max > 1)) && hasGroup(part.part),
  );
}
