/**
 * Computes the length up to which V8's backtracking engine is cheap for every value.
 *
 * V8 tries, from every position, all ways to match until one succeeds. For a tree and a length we compute upper bounds:
 * `ways`, the number of different ways in which the tree can match from one position, and `work`, the number of steps
 * to try them all. A sequence tries its second part once for each way of the first; a loop can stop after each round.
 * Two refinements keep ordinary patterns cheap:
 *
 * - If the next byte decides (branches that exclude each other, a loop followed by a part that cannot start another
 *   round), wrong choices cost one step and only one way continues.
 * - If no loop can take a byte that starts the pattern, a try from one start cannot run far past the next one, so the
 *   starts share one pass instead of taking one each.
 */
import { nativeStepsMax, nativeStepsPerByteMax } from '../limits.ts';
import { ByteSet } from '../syntax/byte-set.ts';
import { isAnchored, lengthMin, partsOf, type Repeat, someTree, type PatternTree } from '../syntax/tree.ts';
import { needsBacktracking } from './program.ts';

interface NativeBound {
  readonly ways: number;
  readonly work: number;
}

/** The properties of a part, computed once from those of its own parts. */
interface Analysis {
  /** The bound for a value of a given length. */
  readonly bound: (length: number) => NativeBound;
  /** Steps until the part has rejected a next byte that cannot start it. */
  readonly entry: (length: number) => number;
  /** The bytes that can start a match. */
  readonly first: ByteSet;
  /** Whether a match can be empty. */
  readonly isNullable: boolean;
  /** The sets of the first bytes, as far as every match has them. */
  readonly prefix: readonly ByteSet[];
  /** For a repetition: the repeated part. */
  readonly round?: Analysis;
}

const lengthsMax = 131_072;
/** Where counting stops: no value justifies this many steps. */
const tooMuch = 1e12;
/** Enough to distinguish words. */
const prefixLengthMax = 8;
/** Branches are compared in pairs; longer lists count as if all branches could match. */
const branchesComparedMax = 24;

/** The longest value for V8; -1 for none, `Infinity` for any. V8 would need all characters of words spelled out. */
export function nativeLengthMaxOf(tree: PatternTree): number {
  if (needsBacktracking(tree) || someTree(tree, ({ kind }) => kind === 'unicode-assert')) return -1;
  const stepsMax = estimateSearch(tree);
  if (stepsMax(lengthsMax) <= nativeStepsPerByteMax * lengthsMax) return Infinity;
  let length = -1;
  for (let next = 8; next <= lengthsMax && stepsMax(next) <= nativeStepsMax; next *= 2) length = next;
  // Between one power of two and the next, by bisection.
  for (let step = length / 2; step >= 8; step /= 2) {
    if (stepsMax(length + step) <= nativeStepsMax) length += step;
  }
  return length;
}

/**
 * The maximum steps of V8 for searching a value, by its length.
 * @internal Exported for tests.
 */
export function estimateSearch(tree: PatternTree): (length: number) => number {
  const branches = tree.kind === 'alternate' ? tree.parts : [tree];
  const searches = branches.map((branch) => {
    const analysis = analyse(branch, false);
    const { bound } = analysis;
    if (isAnchored(branch)) return (length: number): number => bound(length).work;
    const shared = sharedPassesOf(branch, analysis);
    if (shared === undefined) return (length: number): number => (length + 1) * bound(length).work;
    // Each start has its own minimum cost, however short its part is, and shares the rest.
    return (length: number): number => (length + 1) * bound(1).work + shared * bound(length).work;
  });
  return (length) => searches.reduce((sum, search) => sum + search(length), 0);
}

/** How many starts can do their work in the same place, if no loop takes a byte that starts a match. */
function sharedPassesOf(tree: PatternTree, { first, isNullable }: Analysis): number | undefined {
  if (isNullable) return undefined;
  let passes = 2;
  const visit = (part: PatternTree, inLoop: boolean): boolean => {
    if (part.kind === 'look' && !part.ahead) return false;
    if (part.kind === 'set' && part.set.intersects(first)) {
      if (inLoop) return false;
      passes++;
    }
    const isLoop = part.kind === 'repeat' && part.max > 1;
    return partsOf(part).every((each) => visit(each, inLoop || isLoop));
  };
  return visit(tree, false) ? passes : undefined;
}

const oneStep: NativeBound = { ways: 1, work: 1 };
/** At most four reads of the adjacent bytes. */
const assertionStep: NativeBound = { ways: 1, work: 4 };
const impossible: NativeBound = { ways: Infinity, work: Infinity };
const noBytes = new ByteSet();

function analyse(tree: PatternTree, backward: boolean): Analysis {
  switch (tree.kind) {
    case 'set':
      return { bound: () => oneStep, entry: () => 1, first: tree.set, isNullable: false, prefix: [tree.set] };
    case 'assert':
      return withoutWidth(() => assertionStep);
    case 'group':
      return analyse(tree.part, backward);
    case 'concat':
      return analyseSequence(tree.parts, backward);
    case 'alternate':
      return analyseChoice(tree.parts, backward);
    case 'repeat':
      return analyseRepeat(tree, backward);
    case 'look': {
      const { bound } = analyse(tree.part, !tree.ahead);
      return withoutWidth((length) => ({ ways: 1, work: 1 + bound(length).work }));
    }
    default:
      return withoutWidth(() => impossible);
  }
}

function withoutWidth(bound: (length: number) => NativeBound): Analysis {
  return { bound, entry: (length) => bound(length).work, first: noBytes, isNullable: true, prefix: [] };
}

function analyseSequence(inOrder: readonly PatternTree[], backward: boolean): Analysis {
  const trees = backward ? inOrder.toReversed() : inOrder;
  const parts = trees.map((tree) => analyse(tree, backward));
  const steps: Array<{ bound: Analysis['bound']; leave: Analysis['entry'] | undefined }> = [];
  let [first, isNullable] = [noBytes, true];
  // The parts up to here are tried at the current byte, the last of them if all others are empty.
  let triedEnd = parts.length;
  const entriesFrom = (index: number): Analysis['entry'] =>
    sumOf(parts.slice(index, triedEnd).map((part) => part.entry));
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index]!;
    // Leaving a loop too early costs the steps until the following parts fail.
    const isDecided = !backward && !isNullable && isDecidedBy(part, first);
    steps.push({ bound: part.bound, leave: isDecided ? entriesFrom(index + 1) : undefined });
    if (part.isNullable) first = part.first.union(first);
    else [first, isNullable, triedEnd] = [part.first, false, index + 1];
  }
  steps.reverse();
  const bound = (length: number): NativeBound => {
    let [ways, work] = [1, 1];
    for (const { bound: boundOfPart, leave } of steps) {
      const part = boundOfPart(length);
      work += ways * part.work;
      if (leave === undefined) ways *= part.ways;
      else work += ways * part.ways * leave(length);
    }
    return { ways, work };
  };
  return { bound, entry: entriesFrom(0), first, isNullable, prefix: prefixOf(trees, parts) };
}

function sumOf(entries: ReadonlyArray<Analysis['entry']>): Analysis['entry'] {
  if (entries.length === 1) return entries[0]!;
  return (length) => entries.reduce((sum, entry) => sum + entry(length), 1);
}

/** Whether the byte after a loop shows that the loop was left too early: then only one way continues. */
function isDecidedBy({ round }: Analysis, following: ByteSet): boolean {
  if (round === undefined || round.isNullable || round.first.intersects(following)) return false;
  return round.bound(lengthsMax).ways <= 1;
}

function prefixOf(trees: readonly PatternTree[], parts: readonly Analysis[]): readonly ByteSet[] {
  const prefix: ByteSet[] = [];
  for (const [index, part] of parts.entries()) {
    const { kind } = trees[index]!;
    prefix.push(...part.prefix);
    // After anything but a single byte, the position of the next one is unknown.
    if ((kind !== 'set' && kind !== 'assert') || prefix.length >= prefixLengthMax) break;
  }
  return prefix;
}

function analyseChoice(trees: readonly PatternTree[], backward: boolean): Analysis {
  const parts = trees.map((tree) => analyse(tree, backward));
  const isExclusive = !backward && areExclusive(parts);
  const bound = (length: number): NativeBound => {
    let [ways, work] = [0, parts.length];
    for (const part of parts) {
      const each = part.bound(length);
      ways = isExclusive ? Math.max(ways, each.ways) : ways + each.ways;
      work += each.work;
    }
    return { ways, work };
  };
  const first = new ByteSet();
  for (const part of parts) first.addAll(part.first);
  const isNullable = parts.some((part) => part.isNullable);
  const entry = sumOf(parts.map((part) => part.entry));
  return { bound, entry, first, isNullable, prefix: isNullable ? [] : [first] };
}

/** Whether the first bytes of a value let at most one of the branches match. */
function areExclusive(parts: readonly Analysis[]): boolean {
  if (parts.length > branchesComparedMax) return false;
  const exclude = (a: readonly ByteSet[], b: readonly ByteSet[]): boolean =>
    a.some((set, i) => i < b.length && !set.intersects(b[i]!));
  return parts.every((a, i) => parts.slice(0, i).every((b) => exclude(a.prefix, b.prefix)));
}

function analyseRepeat({ part, min, max }: Repeat, backward: boolean): Analysis {
  const round = analyse(part, backward);
  const roundLength = Math.max(1, lengthMin(part));
  const bound = (length: number): NativeBound => {
    const { ways, work } = round.bound(length);
    const rounds = Math.min(max, Math.ceil(length / roundLength) + min);
    if (ways <= 1) return { ways: rounds - Math.min(min, rounds) + 1, work: (rounds + 1) * work };
    let [allWays, allWork, waysSoFar] = [1, work, 1];
    for (let i = 0; i < rounds && allWork < tooMuch; i++) {
      waysSoFar *= ways;
      allWays += waysSoFar;
      allWork += waysSoFar * work;
    }
    return { ways: allWays, work: allWork };
  };
  const entry = (length: number): number => 1 + round.entry(length);
  const isNullable = round.isNullable || min === 0;
  return { bound, entry, first: round.first, isNullable, prefix: min > 0 ? round.prefix : [], round };
}
