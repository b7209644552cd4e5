/**
 * Rules that are ready to run, read whole or not at all. A set is shared by all requests and never changes.
 */
import type { Prefilter } from './prefilter.ts';
import type { Rule, Step } from './model.ts';
import type { Phase } from './phase.ts';

interface RuleSetParts {
  readonly prefilter: Prefilter;
  readonly steps: readonly Step[];
  readonly ignored: ReadonlyMap<string, number>;
}

/** What a phase runs. */
interface PhaseSteps {
  readonly steps: readonly Step[];
  readonly markers: ReadonlyMap<string, number>;
}

export class RuleSet {
  readonly prefilter: Prefilter;
  /** Every rule, in the order of the files. */
  readonly rules: readonly Rule[];
  /** Directives that are known and have no effect here, for people. */
  readonly ignored: ReadonlyMap<string, number>;
  readonly #parts: RuleSetParts;
  readonly #phases: Readonly<Record<Phase, PhaseSteps>>;

  constructor(parts: RuleSetParts) {
    const { prefilter, steps, ignored } = parts;
    this.#parts = parts;
    this.prefilter = prefilter;
    this.ignored = ignored;
    this.rules = steps.flatMap((step) => ('rule' in step ? [step.rule] : []));
    const ofPhase = (phase: Phase): PhaseSteps =>
      arrangePhase(steps.filter((step) => 'marker' in step || step.rule.phase === phase));
    this.#phases = { 1: ofPhase(1), 2: ofPhase(2), 3: ofPhase(3), 4: ofPhase(4), 5: ofPhase(5) };
  }

  /** The same set without some rules; everything compiled is shared. */
  without(ids: ReadonlySet<number>): RuleSet {
    const steps = this.#parts.steps.filter((step) => 'marker' in step || !ids.has(step.rule.id));
    return new RuleSet({ ...this.#parts, steps });
  }

  steps(phase: Phase): readonly Step[] {
    return this.#phases[phase].steps;
  }

  /** Where a marker, or the rule with an id, stands among the steps of a phase. */
  markerAt(phase: Phase, name: string): number | undefined {
    return this.#phases[phase].markers.get(name);
  }
}

function arrangePhase(steps: readonly Step[]): PhaseSteps {
  const names = steps.map((step) => ('marker' in step ? step.marker : String(step.rule.id)));
  return { steps, markers: new Map(names.map((name, index) => [name, index])) };
}
