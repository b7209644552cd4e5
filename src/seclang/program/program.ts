/**
 * A rule set made ready for one choice of rules and variables: in each phase the rules that are left to run, where each of
 * them goes on, and the values that have to be looked at to know which of them can match at all.
 */
import type { LinkTest, Rule, Source, Step } from '../model.ts';
import type { Phase } from '../phase.ts';
import { createTestSet } from '../prefilter.ts';
import { PhaseFolder } from './fold-phase.ts';
import { findJump } from './jumps.ts';
import { KnownVariables } from './known-variables.ts';

export interface ProgramStep {
  readonly rule: Rule;
  /** The number of its first test, if it need not run where that cannot match; -1 otherwise. */
  readonly test: number;
  /** The step that comes after this one if its rule matches. */
  readonly next: number;
}

/** The tests that look at the values of a source. */
interface WatchedSource {
  readonly source: Source;
  readonly tests: Uint32Array;
}

export interface PhaseProgram {
  readonly steps: readonly ProgramStep[];
  /** What the first tests of the steps look at. */
  readonly watched: readonly WatchedSource[];
}

export interface Program {
  readonly phases: Readonly<Record<Phase, PhaseProgram>>;
  /** TX before the first step. */
  readonly variables: ReadonlyMap<string, string>;
  /** All numbered tests of its rules, those behind the first of a chain too. */
  readonly tests: readonly LinkTest[];
}

export interface ProgramSource {
  steps(phase: Phase): readonly Step[];
  readonly variables: ReadonlyMap<string, string>;
  /** Of a set of tests. */
  readonly words: number;
}

const phases: readonly Phase[] = [1, 2, 3, 4, 5];

/** Every rule in its place, none passed over for what is known: what `compileProgram` makes has to match the same. */
export function compilePlainProgram({ steps, variables }: ProgramSource): Program {
  const all = phases.map((phase) => arrangeSteps(steps(phase), () => true).map(runAlways));
  return { phases: toPhases(all.map((each) => ({ steps: each, watched: [] }))), variables, tests: [] };
}

/** Only what depends on the request is left. */
export function compileProgram({ steps, variables, words }: ProgramSource): Program {
  const folder = new PhaseFolder();
  let known = new KnownVariables(variables);
  let start: ReadonlyMap<string, string> | undefined;
  const compiled: PhaseProgram[] = [];
  for (const phase of phases) {
    const ofPhase = steps(phase);
    const folded = folder.fold(ofPhase, known, phase === 1);
    start ??= folded.start.values;
    known = folded.end;
    const left = arrangeSteps(ofPhase, (at) => folded.isLeft[at]!);
    compiled.push({ steps: left, watched: listWatched(left, words) });
  }
  const tests = compiled.flatMap(({ steps: left }) => left.flatMap(({ rule }) => listNumberedTests(rule)));
  return { phases: toPhases(compiled), variables: start!, tests };
}

function toPhases([one, two, three, four, five]: readonly PhaseProgram[]): Program['phases'] {
  return { 1: one!, 2: two!, 3: three!, 4: four!, 5: five! };
}

function arrangeSteps(steps: readonly Step[], isLeft: (at: number) => boolean): readonly ProgramStep[] {
  const leftBefore = new Int32Array(steps.length + 1);
  const kept = steps.map((step, at) => 'rule' in step && isLeft(at));
  for (let at = 0; at < steps.length; at++) leftBefore[at + 1] = leftBefore[at]! + (kept[at]! ? 1 : 0);
  return steps.flatMap((step, at) => {
    if (!('rule' in step) || !kept[at]!) return [];
    const next = leftBefore[findJump(steps, at) ?? at + 1]!;
    return [{ rule: step.rule, test: step.rule.links[0]!.test?.number ?? -1, next }];
  });
}

function runAlways(step: ProgramStep): ProgramStep {
  return { ...step, test: -1 };
}

function listNumberedTests({ links }: Rule): readonly LinkTest[] {
  return links.flatMap(({ test }) => (test !== undefined && test.number !== -1 ? [test] : []));
}

function listWatched(steps: readonly ProgramStep[], words: number): readonly WatchedSource[] {
  const bySource = new Map<Source, number[]>();
  for (const { rule, test } of steps) {
    if (test === -1) continue;
    for (const source of rule.links[0]!.test!.sources) {
      const tests = bySource.get(source);
      if (tests === undefined) bySource.set(source, [test]);
      else tests.push(test);
    }
  }
  return Array.from(bySource, ([source, tests]) => ({ source, tests: createTestSet(words, tests) }));
}
