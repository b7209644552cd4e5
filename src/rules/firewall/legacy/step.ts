/**
 * The legacy managed rules: packages of rules in groups, switched on for a zone as a whole, for pages by page rules,
 * and changed for some URLs by overrides. Rules of traditional packages act by themselves; those of an anomaly package
 * add to a score that the package's sensitivity compares.
 */
import type { RequestView } from '#expressions';
import type { LegacyAction, ConfiguredLegacyWaf, Sensitivity } from '../configuration.ts';
import type { Contribution, Triggered } from '../judgement.ts';
import type { CataloguePackage, CataloguePackageRule, ScoringProgram } from '../managed-catalogue.ts';
import type { ManagedPrograms } from '../programs/managed-programs.ts';
import { compileExpression, compilePattern, type RequestPredicate } from '../request-predicate.ts';
import { type EffectiveModes, LegacyModes } from './modes.ts';
import type { RuleProgram } from '../programs/rule-program.ts';
import { toKey } from '../referred-page.ts';
import type { JudgingRun, JudgingStep } from '../run.ts';
import { sumScores } from '../scores/evidence.ts';
import type { ScoreVerdict } from '../scores/score-verdict.ts';

/** The rule id in events of the anomaly package. */
const anomalyRuleId = '981176';

/** Requests of scripts in pages look unusual more often. */
const thresholds: Readonly<
  Record<Exclude<Sensitivity, 'off'>, { readonly plain: number; readonly ajax: number }>
> = {
  low: { plain: 60, ajax: 120 },
  medium: { plain: 40, ajax: 80 },
  high: { plain: 25, ajax: 65 },
  default: { plain: 25, ajax: 65 },
};

const verdictActions = { simulate: 'log', block: 'block', challenge: 'challenge' } as const;

interface CompiledPackage {
  readonly package: CataloguePackage;
  /** For URLs where the switch is on; undefined if none of its rules is ever in force there. */
  readonly whenOn: RulesInForce | undefined;
  /** For URLs where the switch is off: the few rules that ignore it. */
  readonly whenOff: RulesInForce | undefined;
  readonly sensitivity: Sensitivity;
  readonly action: LegacyAction;
}

interface RulesInForce {
  /** Whole lists are compiled, which all zones share; `modes` decides at each match whether a rule is in force. */
  readonly program: RuleProgram<CataloguePackageRule> | undefined;
  /** In place of the program, if the package has an engine. */
  readonly scoring: ScoringProgram | undefined;
  /** The number of its rules that are in force for some URL. */
  readonly ruleCount: number;
  readonly readsBody: boolean;
}

/** How scripts in pages identify themselves. */
const isAjax = compileExpression('any(http.request.headers["x-requested-with"][*] eq "XMLHttpRequest")');

export interface LegacyStepParts {
  readonly packages: readonly CataloguePackage[];
  readonly configuration: ConfiguredLegacyWaf;
  readonly programs: ManagedPrograms;
  readonly scoreVerdict: ScoreVerdict;
}

export class LegacyStep implements JudgingStep {
  readonly readsBody: boolean;
  readonly #configuration: ConfiguredLegacyWaf;
  readonly #modes: LegacyModes;
  readonly #scoreVerdict: ScoreVerdict;
  readonly #packages: readonly CompiledPackage[];
  readonly #pageRules: readonly {
    readonly isMatch: RequestPredicate;
    readonly waf: 'on' | 'off' | 'unset';
  }[];

  constructor({ packages, configuration, programs, scoreVerdict }: LegacyStepParts) {
    this.#configuration = configuration;
    this.#scoreVerdict = scoreVerdict;
    this.#modes = new LegacyModes(packages, configuration);
    this.#pageRules = configuration.pageRules.map(({ pattern, waf }) => ({
      isMatch: compilePattern(pattern),
      waf,
    }));
    const isEverOn = configuration.waf === 'on' || configuration.pageRules.some(({ waf }) => waf === 'on');
    this.#packages = packages.map((each) => {
      const { sensitivity = 'high', action = 'challenge' } = configuration.packages[each.id] ?? {};
      const isOff = each.detectionMode === 'anomaly' && sensitivity === 'off';
      const ignoringSwitch = each.rules.filter((rule) => rule.ignoresSwitch);
      return {
        package: each,
        whenOn:
          isEverOn && !isOff ? this.#compile(each, each.rules, () => programs.get(each.rules)) : undefined,
        whenOff: this.#compile(each, ignoringSwitch, () => programs.getIgnoringSwitch(each)),
        sensitivity,
        action,
      };
    });
    this.readsBody = this.#packages.some(
      ({ whenOn, whenOff }) => whenOn?.readsBody === true || whenOff?.readsBody === true,
    );
  }

  /** A list is compiled only if one of its rules can be in force. */
  #compile(
    { engine }: CataloguePackage,
    rules: readonly CataloguePackageRule[],
    getProgram: () => NonNullable<RulesInForce['program']>,
  ): RulesInForce | undefined {
    const inForce = rules.filter((rule) => this.#modes.isEverInForce(rule));
    const { length: ruleCount } = inForce;
    if (ruleCount === 0) return undefined;
    if (engine !== undefined) {
      const scoring = engine.select(new Set(inForce.map(({ id }) => id)));
      return { program: undefined, scoring, ruleCount, readsBody: scoring.readsBody };
    }
    const program = getProgram();
    const readsBody = inForce.some((rule) => program.bodyReaders.has(rule));
    return { program, scoring: undefined, ruleCount, readsBody };
  }

  run(run: JudgingRun): void {
    const bypassedBy = run.skippedProducts.get('waf');
    const isOn = this.#isOn(run.view);
    const modes = this.#modes.for(run.view);
    for (const each of this.#packages) {
      if (run.isOver) return;
      const inForce = isOn ? each.whenOn : each.whenOff;
      if (inForce === undefined) continue;
      if (bypassedBy !== undefined) {
        run.report(nameOf(each), { ruleCount: inForce.ruleCount, skippedBy: bypassedBy });
        continue;
      }
      if (isOn && inForce.readsBody) run.isBodyGuarded = true;
      if (each.package.detectionMode === 'traditional') this.#runTraditional(run, each, inForce, modes);
      else this.#runAnomaly(run, each, inForce, modes);
    }
  }

  /** The strongest page rule that matches decides. */
  #isOn(view: RequestView): boolean {
    const { waf = 'unset' } = this.#pageRules.find(({ isMatch }) => isMatch(view)) ?? {};
    return (waf === 'unset' ? this.#configuration.waf : waf) === 'on';
  }

  #runTraditional(
    run: JudgingRun,
    compiled: CompiledPackage,
    inForce: RulesInForce,
    modes: EffectiveModes,
  ): void {
    const { program } = inForce;
    if (program === undefined) return;
    const { rules, getFilter } = program;
    const matched: string[] = [];
    run.runList(program, { source: 'waf', rulesetId: compiled.package.id }, (position) => {
      const rule = rules[position]!;
      const mode = modes.of(rule);
      if (mode === 'disable' || mode === 'off') return true;
      matched.push(rule.id);
      // A rule that lets requests through ends the package, like a rule that blocks them.
      if (mode === 'on') return rule.kind !== 'allow';
      const by = { ...this.#triggered(compiled, rule.id, rule.description), filter: getFilter(position) };
      run.found.add(toKey(by));
      return run.page?.covers(by, by.filter) === true || run.act(verdictActions[mode], by);
    });
    this.#judgePage(run, compiled, program);
    run.report(nameOf(compiled), { ruleCount: inForce.ruleCount, matched, decidedBy: run.decidedBy });
  }

  /** A request whose Referer names a page is stopped if the request for that page would be. */
  #judgePage(run: JudgingRun, compiled: CompiledPackage, program: RuleProgram<CataloguePackageRule>): void {
    if (run.isOver || run.page === undefined) return;
    const modes = this.#modes.for(run.page.view);
    for (const { ruleId, filter } of run.page.listTriggered(program, compiled.package.id)) {
      const rule = program.rules.find(({ id }) => id === ruleId);
      const mode = rule && modes.of(rule);
      if (rule === undefined || mode === undefined || mode === 'disable' || mode === 'off' || mode === 'on')
        continue;
      if (run.triggered.some((each) => each.ruleId === ruleId)) continue;
      const by = this.#triggered(compiled, ruleId, rule.description);
      if (!run.act(verdictActions[mode], { ...by, isOfPage: true, ...(filter && { filter }) })) return;
    }
    run.exhausted ??= run.page.exhausted;
  }

  #runAnomaly(
    run: JudgingRun,
    compiled: CompiledPackage,
    inForce: RulesInForce,
    modes: EffectiveModes,
  ): void {
    if (compiled.sensitivity === 'off') return;
    const contributions = listContributions(run, compiled, inForce, modes);
    for (const each of contributions) run.found.add(toKey({ rulesetId: compiled.package.id, ...each }));
    const total = sumScores(contributions);
    const matched = contributions.map(({ ruleId }) => ruleId);
    if (run.exhausted !== undefined) {
      run.report(nameOf(compiled), { ruleCount: inForce.ruleCount, matched, decidedBy: run.decidedBy });
      return;
    }
    const threshold = thresholds[compiled.sensitivity][isAjax(run.view) ? 'ajax' : 'plain'];
    const open =
      total < threshold
        ? contributions
        : (run.page?.dropCovered(compiled.package.id, contributions, inForce.scoring) ?? contributions);
    const openTotal = sumScores(open);
    if (openTotal >= threshold) {
      const by = this.#triggered(compiled, anomalyRuleId, 'Inbound Anomaly Score Exceeded');
      const score = { total: openTotal, threshold, contributions: open };
      const configured = verdictActions[modes.rewritten(compiled.action)];
      this.#scoreVerdict.give(run, { configured, isWatched: false }, { ...by, score });
    }
    run.report(nameOf(compiled), { ruleCount: inForce.ruleCount, matched, decidedBy: run.decidedBy });
  }

  #triggered(
    { package: { id } }: CompiledPackage,
    ruleId: string,
    description: string,
  ): Omit<Triggered, 'action'> {
    return { source: 'waf', ruleId, rulesetId: id, ref: ruleId, description };
  }
}

function nameOf({ package: { id } }: CompiledPackage) {
  return { source: 'waf', rulesetId: id } as const;
}

/** The score contributions of the rules that are on. */
function listContributions(
  run: JudgingRun,
  { package: { id: rulesetId, rules } }: CompiledPackage,
  { program, scoring }: RulesInForce,
  modes: EffectiveModes,
): readonly Contribution[] {
  const contributions: Contribution[] = [];
  const add = (rule: CataloguePackageRule, by: Pick<Contribution, 'filter' | 'values'>): void => {
    const { id: ruleId, description, score = 0 } = rule;
    if (modes.of(rule) === 'on') contributions.push({ ruleId, description, score, ...by });
  };
  if (program !== undefined) {
    run.runList(program, { source: 'waf', rulesetId }, (position) => {
      add(program.rules[position]!, { filter: program.getFilter(position) });
      return true;
    });
  }
  if (scoring !== undefined) {
    const { findings } = run.runEngine(scoring, rules, { source: 'waf', rulesetId });
    for (const { ruleId, values } of findings)
      add(
        rules.find(({ id }) => id === ruleId)!,
        { values },
      );
  }
  return contributions;
}
