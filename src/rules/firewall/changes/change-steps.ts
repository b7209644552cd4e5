/**
 * The phases that change a request before its rules judge it, those that ask about it, those that change the request to
 * the origin, and those that change the response. They do not read bodies. A zone without rules in a group does no work
 * for it.
 */
import { noteRule, noteZone, OutOfSteps, type Pieces, type StepBudget } from '#work';
import type { RequestView } from '#expressions';
import type { ChangingPhase } from '#rulesets';
import type { ZoneConfiguration } from '../configuration.ts';
import type { Judgement } from '../judgement.ts';
import type { Compiling } from '../programs/rule-program.ts';
import { JudgingRun } from '../run.ts';
import { ChangeStep } from './change-step.ts';
import { compileField, type ValueOf } from './given-value.ts';
import { PageRules } from './page-rules.ts';
import { findRewrite } from './rewrites.ts';

interface RunnableStep {
  run(run: JudgingRun): void;
}

/** In the order of evaluation. */
const groups = {
  request: [
    'http_request_dynamic_redirect',
    'http_request_transform',
    'http_config_settings',
    'http_request_origin',
  ],
  ask: ['gatehouse_ask'],
  forward: ['http_request_redirect', 'http_request_late_transform'],
  error: ['http_custom_errors'],
  response: ['http_response_headers_transform'],
} as const satisfies Record<string, readonly ChangingPhase[]>;

type ChangeGroup = keyof typeof groups;

/** The steps of a zone in each group. */
export type ZoneChanges = { readonly [Name in ChangeGroup]?: ChangeSteps | undefined };

export function* compileChanges(configuration: ZoneConfiguration, compiling: Compiling): Pieces<ZoneChanges> {
  return {
    request: yield* ChangeSteps.compile('request', configuration, compiling),
    ask: yield* ChangeSteps.compile('ask', configuration, compiling),
    forward: yield* ChangeSteps.compile('forward', configuration, compiling),
    error: yield* ChangeSteps.compile('error', configuration, compiling),
    response: yield* ChangeSteps.compile('response', configuration, compiling),
  };
}

class ChangeSteps {
  readonly #steps: readonly RunnableStep[];

  private constructor(steps: readonly RunnableStep[]) {
    this.#steps = steps;
  }

  /** Undefined if there is nothing to do. */
  static *compile(
    group: ChangeGroup,
    { entryPoints, pageRules }: ZoneConfiguration,
    compiling: Compiling,
  ): Pieces<ChangeSteps | undefined> {
    const steps: RunnableStep[] = [];
    for (const phase of groups[group]) {
      for (const ruleset of entryPoints) {
        if (ruleset.phase !== phase) continue;
        const step = yield* ChangeStep.compile(ruleset, compiling);
        if (step !== undefined) steps.push(step);
      }
      if (phase === 'http_request_dynamic_redirect') steps.push(...PageRules.create(pageRules));
      if (phase === 'http_request_transform') steps.push(rewriteView);
    }
    return steps.some((step) => step !== rewriteView) ? new ChangeSteps(steps) : undefined;
  }

  run(view: RequestView, { budget, leftOut, work, skipped = {} }: ChangeRun): JudgingRun {
    const run = new JudgingRun({ view }, { leftOut });
    for (const [phase, by] of Object.entries(skipped)) run.skippedPhases.set(phase, by);
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

/** Later phases see the rewritten URL. */
const rewriteView: RunnableStep = {
  run(run) {
    const rewrite = findRewrite(run.changes);
    if (rewrite === undefined) return;
    readReceived ??= {
      path: compileField('http.request.uri.path'),
      query: compileField('http.request.uri.query'),
    };
    const { path, query } = readReceived;
    run.received = { path: path(run.view) ?? '', query: query(run.view) ?? '' };
    run.view = run.view.rewriteUri(rewrite);
  },
};

/** Compiled for the first rewrite of the process. */
let readReceived: { readonly path: ValueOf; readonly query: ValueOf } | undefined;

interface ChangeRun {
  readonly budget: StepBudget;
  /** The ids of rules that are skipped. */
  readonly leftOut: ReadonlySet<string>;
  /** The work number of the zone, for the watchdog. */
  readonly work: number;
  readonly skipped?: Judgement['skippedPhases'];
}

/** The judgement of a request combined with the changes before or after it. */
export function joinJudgements(before: Judgement | undefined, judgement: Judgement): Judgement {
  if (before === undefined) return judgement;
  const changes = [...(before.changes ?? []), ...(judgement.changes ?? [])];
  return {
    ...before,
    ...judgement,
    clearance: judgement.clearance ?? before.clearance,
    isBodyGuarded: before.isBodyGuarded || judgement.isBodyGuarded,
    steps: [...before.steps, ...judgement.steps],
    triggered: [...before.triggered, ...judgement.triggered],
    ...(changes.length === 0 ? {} : { changes }),
  };
}
