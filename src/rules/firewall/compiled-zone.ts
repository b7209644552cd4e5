/**
 * A zone's configuration, compiled: steps in the order in which Cloudflare runs them. IP access rules come first, then
 * firewall rules, custom rules, zone lockdown, user agent rules, rate limits, settings that check visitors, and managed
 * rules; while a zone has both, the rules that replace the legacy managed ones run before those.
 *
 * It is immutable: a request is judged from start to end by the one it started with.
 */
import { IpSet, parseNetwork } from '#addresses';
import { noteRule, noteZone, OutOfSteps, type Pieces, registerWork, runAtOnce, StepBudget } from '#work';
import type { RequestView, RunOptions, Value, ValueList } from '#expressions';
import { LearnedValues } from '#learning';
import { type EvaluatedRule, evaluatedPhases, judgingStepsMax } from '#rulesets';
import type { ConfiguredList, ZoneConfiguration } from './configuration.ts';
import { RedirectList } from './changes/redirect-list.ts';
import { compileChanges, type ZoneChanges } from './changes/change-steps.ts';
import { CustomRuleset } from './custom-ruleset.ts';
import type { Executable } from './executable.ts';
import { FirewallRulesStep } from './firewall-rules-step.ts';
import type { ExhaustedRule, Judgement, ResponseRules, Triggered } from './judgement.ts';
import type { ManagedCatalogue, OriginResponse } from './managed-catalogue.ts';
import type { ManagedPrograms } from './programs/managed-programs.ts';
import { DeployedManagedRuleset } from './managed-ruleset.ts';
import { LegacyStep } from './legacy/step.ts';
import type { Compiling, RuleProblem } from './programs/rule-program.ts';
import { addExhausted } from './over-limit.ts';
import { type RulesetParts, RulesetStep } from './ruleset-step.ts';
import { JudgingRun, type RunExtent, type RunSettings, type JudgingStep } from './run.ts';
import { ScoreVerdict } from './scores/score-verdict.ts';
import { AccessRulesStep } from './tools/access-rules-step.ts';
import { LockdownStep } from './tools/lockdown-step.ts';
import { UserAgentStep } from './tools/user-agent-step.ts';
import { VisitorStep } from './visitor-step.ts';

export interface CompileParts {
  readonly catalogue: ManagedCatalogue;
  /** Shared by the zones of a process. */
  readonly programs: ManagedPrograms;
}

export class CompiledZone {
  readonly configuration: ZoneConfiguration;
  /** Whether any rule reads bodies. */
  readonly readsBody: boolean;
  /** Whether there is nothing that reads or changes requests or responses: judging would only let them pass. */
  readonly isPlain: boolean;
  /** Rules that are not in force because they are invalid. */
  readonly problems: readonly RuleProblem[];
  readonly options: RunOptions;
  /** The usual values of its requests; undefined if it does not learn. */
  readonly learned: LearnedValues | undefined;
  readonly #changes: ZoneChanges;
  readonly #steps: readonly JudgingStep[];
  /** The number of steps until rates are counted; 0 if none are. */
  readonly #ratesEnd: number;
  readonly #leftOut: ReadonlySet<string>;
  /** The work number, for the watchdog. */
  readonly #work: number;

  /** Without `rules`, they are compiled synchronously, which can block the thread for long. */
  constructor(
    configuration: ZoneConfiguration,
    parts: CompileParts,
    rules = runAtOnce(compileZone(configuration, parts, { makesEngines: false })),
  ) {
    this.configuration = configuration;
    this.#work = registerWork(configuration.zone.id);
    this.options = rules.options;
    this.learned = compileLearned(configuration);
    this.problems = rules.problems;
    this.#changes = rules.changes;
    this.#steps = rules.steps;
    this.#ratesEnd = rules.ratesEnd;
    this.#leftOut = new Set(configuration.outOfForce?.map(({ rule }) => rule));
    this.readsBody = this.#steps.some(({ readsBody }) => readsBody);
    this.isPlain =
      this.learned === undefined &&
      this.#steps.every(({ isEmpty }) => isEmpty === true) &&
      Object.values(this.#changes).every((change) => change === undefined);
  }

  /** Compiles everything that requests will need. */
  static *compileInPieces(configuration: ZoneConfiguration, parts: CompileParts): Pieces<CompiledZone> {
    const rules = yield* compileZone(configuration, parts, { makesEngines: true });
    return new CompiledZone(configuration, parts, rules);
  }

  /** Whether any rule counts requests. */
  get limitsRates(): boolean {
    return this.#ratesEnd > 0;
  }

  /** Whether rules change requests before others judge them. */
  get changesRequests(): boolean {
    return this.#changes.request !== undefined;
  }

  /**
   * The changes of rules to a request before others judge it; undefined if there are none. They read only its head.
   * Unless the verdict is to pass, the request is decided.
   */
  changeRequest(view: RequestView, budget: StepBudget): Judgement | undefined {
    return this.#change('request', view, budget);
  }

  /** Whether rules ask about requests that the other rules let pass. */
  get asks(): boolean {
    return this.#changes.ask !== undefined;
  }

  /** Whether rules change the request to the origin, or its response. */
  get changesForwarding(): boolean {
    return this.#changes.forward !== undefined;
  }

  get changesResponses(): boolean {
    return this.#changes.response !== undefined;
  }

  /** Whether rules replace errors. */
  get replacesErrors(): boolean {
    return this.#changes.error !== undefined;
  }

  /**
   * The questions and changes of rules for a request that passes, or for its response, which the view then contains.
   */
  changeForwarded(
    group: 'ask' | 'forward' | 'error' | 'response',
    view: RequestView,
    { budget, skippedPhases }: { readonly budget: StepBudget } & Pick<Judgement, 'skippedPhases'>,
  ): Judgement | undefined {
    return this.#change(group, view, budget, skippedPhases);
  }

  #change(
    group: keyof ZoneChanges,
    view: RequestView,
    budget: StepBudget,
    skipped?: Judgement['skippedPhases'],
  ): Judgement | undefined {
    const steps = this.#changes[group];
    if (steps === undefined) return undefined;
    const run = steps.run(view, { budget, leftOut: this.#leftOut, work: this.#work, skipped });
    return this.#conclude(run, budget);
  }

  /** If the budget is used up, no further rule runs, and the zone's action for that is the verdict. */
  judge(settings: RunSettings): Judgement {
    const { budget = new StepBudget(judgingStepsMax) } = settings;
    const run = this.#runWithin(new JudgingRun(settings, this.#extent(settings)), budget, settings.until);
    return this.#conclude(run, budget);
  }

  #conclude(run: JudgingRun, budget: StepBudget): Judgement {
    const { verdict = pass, triggered, reports: steps, clearance, isBodyGuarded, exhausted } = run;
    const { responseRules, changes } = run;
    const judgement: Judgement = {
      verdict,
      triggered,
      steps,
      clearance,
      isBodyGuarded,
      ...(changes.length === 0 ? {} : { changes }),
      ...(run.received === undefined ? {} : { received: run.received }),
      ...(run.skippedPhases.size === 0 ? {} : { skippedPhases: Object.fromEntries(run.skippedPhases) }),
      ...(responseRules.length === 0 ? {} : { responseRules }),
    };
    return exhausted === undefined
      ? judgement
      : addExhausted(
          { ...judgement, exhausted: { ...exhausted, ...describeLimit(budget) } },
          this.configuration.edge,
        );
  }

  /**
   * Adds the results of the rules about the response to those of the rules about the request. It has its own budget.
   */
  judgeResponse(
    { responseRules = [], ...judgement }: Judgement,
    response: OriginResponse,
    budget = new StepBudget(judgingStepsMax),
  ): Judgement {
    let judged: Judgement = judgement;
    for (const rules of responseRules) {
      const { triggered, exhausted } = runResponseRules(rules, response, budget);
      if (exhausted !== undefined)
        return addExhausted(
          { ...judged, exhausted: { ...exhausted, ...describeLimit(budget) } },
          this.configuration.edge,
        );
      if (triggered === undefined) continue;
      judged = { ...judged, triggered: [...judged.triggered, triggered] };
      if (triggered.action === 'block') return { ...judged, verdict: { kind: 'block', by: triggered } };
    }
    return judged;
  }

  /** Every rule that stops the request, or would stop it without those before it, in order. */
  findDeciders(settings: RunSettings): readonly Triggered[] {
    const run = new JudgingRun(settings, { isThorough: true, ...this.#extent(settings) });
    return this.#runWithin(run, settings.budget).deciders;
  }

  #extent({ clearance, settings }: RunSettings): RunExtent {
    const leftOut = this.#leftOut;
    const judgePage = (view: RequestView): JudgingRun => {
      // Thorough, because a rule that stops the page does not keep managed rules from judging it here. It counts for no
      // rate.
      const run = new JudgingRun({ view, clearance, settings }, { isThorough: true, leftOut });
      try {
        return this.#run(run, this.#steps);
      } finally {
        noteZone(this.#work);
      }
    };
    return { leftOut, judgePage };
  }

  #runWithin(
    run: JudgingRun,
    budget = new StepBudget(judgingStepsMax),
    until?: RunSettings['until'],
  ): JudgingRun {
    const steps = until === 'rates' ? this.#steps.slice(0, this.#ratesEnd) : this.#steps;
    try {
      return budget.run(() => this.#run(run, steps));
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      run.exhausted = inNoRule;
      return run;
    }
  }

  #run(run: JudgingRun, steps: readonly JudgingStep[]): JudgingRun {
    noteZone(this.#work);
    try {
      for (const step of steps) {
        step.run(run);
        if (run.isOver) break;
      }
      return run;
    } finally {
      noteZone(0);
      noteRule(0);
    }
  }
}

const pass = { kind: 'pass' } as const;
const inNoRule: ExhaustedRule = { source: 'firewallManaged', ruleId: '', rulesetId: '', description: '' };

function describeLimit(budget: StepBudget): Pick<ExhaustedRule, 'limit' | 'stepsMax' | 'cpuMsMax'> {
  const { exceeded, exceededSteps, cpuMsMax } = budget;
  if (exceeded === 'time') return { limit: 'time', cpuMsMax: Math.ceil(cpuMsMax) };
  return exceededSteps === judgingStepsMax ? {} : { stepsMax: exceededSteps };
}

function runResponseRules(
  rules: ResponseRules,
  response: OriginResponse,
  budget: StepBudget,
): ReturnType<ResponseRules> {
  try {
    return budget.run(() => rules(response));
  } catch (error) {
    if (!(error instanceof OutOfSteps)) throw error;
    return { exhausted: inNoRule };
  }
}

interface CompiledRules {
  readonly options: RunOptions;
  readonly problems: RuleProblem[];
  readonly changes: ZoneChanges;
  readonly steps: readonly JudgingStep[];
  readonly ratesEnd: number;
}

/** The cost of loading the rules of the catalogue; that happens once per process. */
const stepsPerManagedRuleset = 1_000_000;

function* compileZone(
  configuration: ZoneConfiguration,
  parts: CompileParts,
  { makesEngines }: { readonly makesEngines: boolean },
): Pieces<CompiledRules> {
  const options: RunOptions = { lists: compileLists(configuration.lists) };
  const problems: RuleProblem[] = [];
  if (configuration.zone.isPaused) return { options, problems, changes: {}, steps: [], ratesEnd: 0 };
  const compiling = { options: { ...options, makesEngines }, problems };
  const changes = yield* compileChanges(configuration, compiling);
  const steps: JudgingStep[] = [
    ...AccessRulesStep.create(configuration),
    yield* FirewallRulesStep.compile(configuration.firewallRules, compiling),
  ];
  let ratesEnd = 0;
  for (const phase of evaluatedPhases) {
    if (phase === 'http_ratelimit') {
      steps.push(...LockdownStep.create(configuration.lockdowns));
      steps.push(...UserAgentStep.create(configuration.userAgentRules));
    }
    if (phase === 'http_request_firewall_managed') steps.push(...VisitorStep.create(configuration));
    for (const ruleset of configuration.entryPoints) {
      if (ruleset.phase !== phase) continue;
      const isWatched = configuration.isWatched === true && ruleset.kind === 'zone';
      const compileExecutable: RulesetParts['compileExecutable'] = (rule) =>
        compileExecuted(rule, { ...compiling, ...parts, configuration, isWatched });
      steps.push(yield* RulesetStep.compile(ruleset, { ...compiling, compileExecutable }));
      if (phase === 'http_ratelimit') ratesEnd = steps.length;
    }
  }
  if (configuration.migration !== 'complete' && configuration.zone.plan !== 'free') {
    const { catalogue, programs } = parts;
    const { legacyPackages: packages } = catalogue;
    const scoreVerdict = new ScoreVerdict(configuration.edge);
    steps.push(new LegacyStep({ packages, configuration: configuration.previous, programs, scoreVerdict }));
    yield stepsPerManagedRuleset;
  }
  return { options, problems, changes, steps, ratesEnd };
}

interface ExecutedParts extends CompileParts, Compiling {
  readonly configuration: ZoneConfiguration;
  readonly isWatched: boolean;
}

function* compileExecuted(
  { action_parameters: { id, overrides } }: Extract<EvaluatedRule, { action: 'execute' }>,
  { configuration, isWatched, catalogue, programs, ...compiling }: ExecutedParts,
): Pieces<Executable | undefined> {
  const managed = catalogue.rulesets.get(id);
  if (managed !== undefined) {
    const { responseRules = 'off' } = configuration.edge;
    const responseAction = responseRules === 'off' ? undefined : responseRules;
    const scoreVerdict = new ScoreVerdict(configuration.edge);
    const deployment = { overrides, isWatched, responseAction, scoreVerdict };
    const executable = new DeployedManagedRuleset(managed, deployment, programs);
    yield stepsPerManagedRuleset;
    return executable;
  }
  const custom = configuration.customRulesets.find((ruleset) => ruleset.id === id);
  return custom && (yield* CustomRuleset.compile(custom, compiling));
}

/** `*.example.com` matches every name below it, not the name itself. */
class HostnameSet implements ValueList {
  readonly #exact: ReadonlySet<string>;
  readonly #below: ReadonlySet<string>;

  constructor(names: readonly string[]) {
    this.#exact = new Set(names.filter((name) => !name.startsWith('*.')));
    this.#below = new Set(names.filter((name) => name.startsWith('*.')).map((name) => name.slice(2)));
  }

  has(value: Value): boolean {
    if (typeof value !== 'string') return false;
    const name = value.toLowerCase();
    if (this.#exact.has(name)) return true;
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      if (this.#below.has(name.slice(dot + 1))) return true;
    }
    return false;
  }
}

/** Lists in the form that expressions use. */
export function compileLists(lists: readonly ConfiguredList[]): ReadonlyMap<string, ValueList> {
  return new Map(lists.map((list) => [list.name, valuesOf(list)]));
}

/** Zones that use the same list share its values. */
const valuesByList = new WeakMap<ConfiguredList, ValueList>();

function valuesOf(list: ConfiguredList): ValueList {
  let values = valuesByList.get(list);
  if (values === undefined) valuesByList.set(list, (values = createValues(list)));
  return values;
}

function createValues({ kind, items, redirects = [] }: ConfiguredList): ValueList {
  if (kind === 'redirect') return new RedirectList(redirects);
  if (kind === 'ip') return new IpSet(items.flatMap((item) => parseNetwork(String(item)) ?? []));
  return kind === 'asn' ? new Set(items) : new HostnameSet(items.map(String));
}

function compileLearned({ learned, edge }: ZoneConfiguration): LearnedValues | undefined {
  const { learning = 'off' } = edge;
  return learning === 'off' || learned === undefined ? undefined : new LearnedValues(learned, learning);
}
