/**
 * What happens to a request before its rules judge it: redirects, page rules that redirect. These rules see the head of the
 * request only, with the path in its normalised reading; a zone that has none of them does no work for it.
 */
import { noteRule, noteZone, OutOfSteps, type Pieces, type StepBudget } from '#base';
import type { RequestView } from '#expressions';
import { type ChangingPhase, changingPhases } from '../../phases.ts';
import type { ZoneConfiguration } from '../configuration.ts';
import type { Judgement } from '../judgement.ts';
import type { Compiling } from '../programs/rule-program.ts';
import { Run } from '../run.ts';
import { ChangeStep } from './change-step.ts';
import { PageForwards } from './page-forwards.ts';

interface RequestStep {
  run(run: Run): void;
}

export class RequestChanges {
  readonly #steps: readonly RequestStep[];

  private constructor(steps: readonly RequestStep[]) {
    this.#steps = steps;
  }

  /** Undefined if there is nothing to do. */
  static *compile(
    { entryPoints, pageRules }: ZoneConfiguration,
    compiling: Compiling,
  ): Pieces<RequestChanges | undefined> {
    const steps: RequestStep[] = [];
    for (const phase of Object.keys(changingPhases) as ChangingPhase[]) {
      for (const ruleset of entryPoints) {
        if (ruleset.phase !== phase) continue;
        const step = yield* ChangeStep.compile(ruleset, compiling);
        if (step !== undefined) steps.push(step);
      }
      if (phase === 'http_request_dynamic_redirect') steps.push(...PageForwards.create(pageRules));
    }
    return steps.length === 0 ? undefined : new RequestChanges(steps);
  }

  run(view: RequestView, { budget, leftOut, work }: RequestRun): Run {
    const run = new Run({ view }, { leftOut });
    noteZone(work);
    try {
      budget.run(() => {
        for (const step of this.#steps) {
          step.run(run);
          if (run.isOver) break;
        }
      });
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      run.exhausted ??= { source: 'firewallCustom', ruleId: '', rulesetId: '', description: '' };
    } finally {
      noteZone(0);
      noteRule(0);
    }
    return run;
  }
}

interface RequestRun {
  readonly budget: StepBudget;
  /** The ids of rules that are not looked at. */
  readonly leftOut: ReadonlySet<string>;
  /** Of the zone, for the watchdog. */
  readonly work: number;
}

/** The judgement of a request with what was done to it before; the verdict there was to pass. */
export function addRequestChanges(judgement: Judgement, before: Judgement | undefined): Judgement {
  if (before === undefined) return judgement;
  const changes = [...(before.changes ?? []), ...(judgement.changes ?? [])];
  return {
    ...judgement,
    steps: [...before.steps, ...judgement.steps],
    triggered: [...before.triggered, ...judgement.triggered],
    ...(changes.length === 0 ? {} : { changes }),
  };
}
