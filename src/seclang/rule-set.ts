/**
 * Rules that are ready to run, read whole or not at all. A set is shared by all requests and never changes.
 */
import type { Prefilter } from './prefilter.ts';
import type { Rule, Step } from './model.ts';
import type { Phase } from './phase.ts';

export class RuleSet {
  readonly prefilter: Prefilter;
  /** Every rule, in the order of the files. */
  readonly rules: readonly Rule[];
  /** Directives that are known and have no effect here, for people. */
  readonly ignored: ReadonlyMap<string, number>;
  readonly #steps: Readonly<Record<Phase, readonly Step[]>>;
  readonly #markers: Readonly<Record<Phase, ReadonlyMap<string, number>>>;

  constructor({
    prefilter,
    steps,
    ignored,
  }: {
    readonly prefilter: Prefilter;
    readonly steps: readonly Step[];
    readonly ignored: ReadonlyMap<string, number>;
  }) {
    this.prefilter = prefilter;
    this.ignored = ignored;
    this.rules = steps.flatMap((step) => ('rule' in step ? [step.rule] : []));
    const ofPhase = (phase: Phase): readonly Step[] =>
      steps.filter((step) => 'marker' in step || step.rule.phase === phase);
    this.#steps = { 1: ofPhase(1), 2: ofPhase(2), 3: ofPhase(3), 4: ofPhase(4), 5: ofPhase(5) };
    const markersOf = (phase: Phase): ReadonlyMap<string, number> =>
      new Map(
        this.#steps[phase].map((step, index) => [
          'marker' in step ? step.marker : String(step.rule.id),
          index,
        ]),
      );
    this.#markers = { 1: markersOf(1), 2: markersOf(2), 3: markersOf(3), 4: markersOf(4), 5: markersOf(5) };
  }

  steps(phase: Phase): readonly Step[] {
    return this.#steps[phase];
  }

  /** Where a marker, or the rule with an id, stands among the steps of a phase. */
  markerAt(phase: Phase, name: string): number | undefined {
    return this.#markers[phase].get(name);
  }
}
