/**
 * A rule set prepared for one selection of rules and variables: for each phase the rules that must run, where each of
 * them continues, and the values that must be examined to determine which of them can match at all.
 */
import type { LinkTest, Rule, TargetSource, RuleOrMarker } from '../model.ts';
import type { Phase } from '../phase.ts';
import { PhaseFolder } from './fold-phase.ts';
import { findJump } from './jumps.ts';
import { KnownVariables } from './known-variables.ts';
import { type WatchedValues, Watcher } from './watcher.ts';

interface ProgramStep {
  readonly rule: Rule;
  /** The number of its first test, if it can be skipped where that cannot match; -1 otherwise. */
  readonly test: number;
  /** The step that comes after this one if its rule matches. */
  readonly next: number;
}

interface PhaseProgram {
  readonly steps: readonly ProgramStep[];
  /** The tests of the steps, side by side: most steps are skipped by them. */
  readonly tests: Int32Array;
  readonly watched: WatchedValues;
}

export interface PhasePrograms {
  readonly phases: Readonly<Record<Phase, PhaseProgram>>;
  /** The values that phases 1 and 2 examine and that no body changes; not included in their own `Watched`. */
  readonly lasting: WatchedValues;
  /** The number of words in a set of tests. */
  readonly words: number;
  /** TX before the first step. */
  readonly variables: ReadonlyMap<string, string>;
  /** All numbered tests of its rules, including those after the first of a chain. */
  readonly tests: readonly LinkTest[];
  /** Sources of its rules have smaller numbers. */
  readonly sourceCount: number;
}

export interface ProgramSource {
  steps(phase: Phase): readonly RuleOrMarker[];
  readonly variables: ReadonlyMap<string, string>;
  /** The number of words in a set of tests. */
  readonly words: number;
}

const phases: readonly Phase[] = [1, 2, 3, 4, 5];

const nothing: WatchedValues = { variables: [], sources: [] };

/** Every rule in its place, without skipping: the result of `compileProgram` must match the same. */
export function compilePlainProgram({ steps, variables, words }: ProgramSource): PhasePrograms {
  const all = phases.map((phase) => {
    const ofPhase = steps(phase);
    const rules = ofPhase.map((step) => ('rule' in step ? step.rule : undefined));
    return arrangeSteps(ofPhase, rules).map(runAlways);
  });
  return {
    phases: toPhases(all.map((each) => ({ steps: each, tests: listTests(each), watched: nothing }))),
    lasting: nothing,
    words,
    variables,
    tests: [],
    sourceCount: countSources(all.flat()),
  };
}

/** Keeps only what depends on the request. */
export function compileProgram({ steps, variables, words }: ProgramSource): PhasePrograms {
  const folder = new PhaseFolder();
  let known = new KnownVariables(variables);
  let start: ReadonlyMap<string, string> | undefined;
  const left: (readonly ProgramStep[])[] = [];
  for (const phase of phases) {
    const ofPhase = steps(phase);
    const folded = folder.fold(ofPhase, known, phase === 1);
    start ??= folded.start.values;
    // Phases 3 to 5 may follow any of the earlier phases, because a rule may stop the request in the first.
    known = phase === 1 ? folded.end : known.meet(folded.end);
    left.push(arrangeSteps(ofPhase, folded.left));
  }
  const all = left.flat();
  const watcher = new Watcher(all, words);
  const isLasting = ({ isChanging }: TargetSource): boolean => !isChanging;
  return {
    phases: toPhases(
      left.map((ofPhase, index) => ({
        steps: ofPhase,
        tests: listTests(ofPhase),
        watched: watcher.watch(listWatched(ofPhase).filter((source) => index > 1 || source.isChanging)),
      })),
    ),
    lasting: watcher.watch(listWatched(left.slice(0, 2).flat()).filter(isLasting)),
    words,
    variables: start!,
    tests: all.flatMap(({ rule }) => listNumberedTests(rule)),
    sourceCount: countSources(all),
  };
}

function toPhases([one, two, three, four, five]: readonly PhaseProgram[]): PhasePrograms['phases'] {
  return { 1: one!, 2: two!, 3: three!, 4: four!, 5: five! };
}

/** `left`: by step, the rule if it must run. */
function arrangeSteps(
  steps: readonly RuleOrMarker[],
  left: readonly (Rule | undefined)[],
): readonly ProgramStep[] {
  const leftBefore = new Int32Array(steps.length + 1);
  for (let at = 0; at < steps.length; at++)
    leftBefore[at + 1] = leftBefore[at]! + (left[at] === undefined ? 0 : 1);
  return left.flatMap((rule, at) => {
    if (rule === undefined) return [];
    const next = leftBefore[findJump(steps, at) ?? at + 1]!;
    return [{ rule, test: rule.links[0]!.test?.number ?? -1, next }];
  });
}

function runAlways(step: ProgramStep): ProgramStep {
  return { ...step, test: -1 };
}

function listTests(steps: readonly ProgramStep[]): Int32Array {
  return Int32Array.from(steps, ({ test }) => test);
}

function listNumberedTests({ links }: Rule): readonly LinkTest[] {
  return links.flatMap(({ test }) => (test !== undefined && test.number !== -1 ? [test] : []));
}

function countSources(steps: readonly ProgramStep[]): number {
  const links = steps.flatMap(({ rule }) => rule.links);
  return links
    .flatMap(({ test }) => test?.sources ?? [])
    .reduce((count, { number }) => Math.max(count, number + 1), 0);
}

/** The sources that the first tests of steps read. */
function listWatched(steps: readonly ProgramStep[]): readonly TargetSource[] {
  return [...new Set(steps.flatMap(({ rule, test }) => (test === -1 ? [] : rule.links[0]!.test!.sources)))];
}
