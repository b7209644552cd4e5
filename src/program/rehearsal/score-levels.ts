/**
 * How much of the replayed traffic each paranoia level and threshold of the OWASP rules would stop. Each request is
 * evaluated once more, at the highest level and the lowest threshold; the contributions of rules to its score determine
 * the results at the other levels and thresholds. Only requests that nothing else stops count. Of those, the ones in
 * which no detector is certain of an attack are probably false alarms.
 */
import { CompiledZone, type Judgement } from '#firewall';
import type { Overrides, RulesetRule } from '#rulesets';
import { managedParts, managedRulesets, rulesetIds } from '#managed';

/** Cloudflare's named thresholds: high, medium and low sensitivity. */
const namedThresholds = [25, 40, 60] as const;
const levels = [1, 2, 3, 4] as const;
const phase = 'http_request_firewall_managed';

export interface ScoreLevels {
  /** The future settings of the zone. */
  readonly planned: { readonly level: number; readonly threshold: number; readonly action: string };
  readonly thresholds: readonly number[];
  readonly levels: readonly {
    readonly level: number;
    /** Requests for each threshold: those that the score alone stops, and those of them that no detector confirms. */
    readonly stopped: readonly number[];
    readonly unconfirmed: readonly number[];
  }[];
}

export class ScoreCounts {
  /** Evaluates at the highest level and the lowest threshold. */
  readonly zone: CompiledZone;
  readonly #planned: ScoreLevels['planned'];
  readonly #scoreRuleId = findScoreRule().id;
  readonly #levelOfRule = readLevels();
  readonly #thresholds: readonly number[];
  /** By level, then by threshold. */
  readonly #stopped: readonly number[][];
  readonly #unconfirmed: readonly number[][];

  private constructor(zone: CompiledZone, planned: ScoreLevels['planned']) {
    this.zone = zone;
    this.#planned = planned;
    this.#thresholds = listThresholds(planned);
    const createTable = (): number[][] => levels.map(() => this.#thresholds.map(() => 0));
    this.#stopped = createTable();
    this.#unconfirmed = createTable();
  }

  /** Undefined if the zone will not execute the OWASP rules, or if they are not installed. */
  static create({ configuration }: CompiledZone): ScoreCounts | undefined {
    if (managedRulesets.get(rulesetIds.owasp)?.content?.state !== 'installed') return undefined;
    const entryPoint = configuration.entryPoints.find((each) => each.phase === phase && each.kind === 'zone');
    const execution = entryPoint?.rules.find(executesScores);
    if (entryPoint === undefined || execution === undefined) return undefined;
    const planned = readPlanned(readOverrides(execution));
    const strictest = toStrictest(execution, Math.min(...listThresholds(planned)));
    const rules = entryPoint.rules.map((rule) => (rule === execution ? strictest : rule));
    const zone = new CompiledZone(
      {
        ...configuration,
        // So that the verdict shows whether a detector is certain.
        edge: { ...configuration.edge, unconfirmedScores: 'log' },
        entryPoints: configuration.entryPoints.map((each) =>
          each === entryPoint ? { ...entryPoint, rules } : each,
        ),
      },
      managedParts,
    );
    return new ScoreCounts(zone, planned);
  }

  /** The judgement is that of `zone`. */
  add({ verdict, triggered }: Judgement): void {
    const score = triggered.find(({ ruleId }) => ruleId === this.#scoreRuleId)?.score;
    if (score === undefined) return;
    const isConfirmed = verdict.kind !== 'pass' && verdict.by.ruleId === this.#scoreRuleId;
    if (verdict.kind !== 'pass' && !isConfirmed) return;
    for (const [row, level] of levels.entries()) {
      const total = score.contributions.reduce(
        (sum, each) => ((this.#levelOfRule.get(each.ruleId) ?? 1) <= level ? sum + each.score : sum),
        0,
      );
      for (const [column, threshold] of this.#thresholds.entries()) {
        if (total < threshold) continue;
        this.#stopped[row]![column]!++;
        if (!isConfirmed) this.#unconfirmed[row]![column]!++;
      }
    }
  }

  list(): ScoreLevels {
    return {
      planned: this.#planned,
      thresholds: this.#thresholds,
      levels: levels.map((level, row) => ({
        level,
        stopped: this.#stopped[row]!,
        unconfirmed: this.#unconfirmed[row]!,
      })),
    };
  }
}

function listScoringRules() {
  return managedRulesets.get(rulesetIds.owasp)!.rules;
}

function findScoreRule() {
  return listScoringRules().find(({ scoreThreshold }) => scoreThreshold !== undefined)!;
}

/** The level from which each rule adds to scores. */
function readLevels(): ReadonlyMap<string, number> {
  return new Map(
    listScoringRules().map(({ id, categories }) => [
      id,
      levels.find((level) => categories.includes(`paranoia-level-${level}`)) ?? 1,
    ]),
  );
}

function listThresholds({ threshold }: ScoreLevels['planned']): readonly number[] {
  return [...new Set([...namedThresholds, threshold])].toSorted((a, b) => a - b);
}

function executesScores({ action, enabled, action_parameters }: RulesetRule): boolean {
  return action === 'execute' && enabled && action_parameters?.id === rulesetIds.owasp;
}

/** For an evaluated rule, which has no overrides of another form. */
function readOverrides({ action_parameters }: RulesetRule): Overrides {
  return (action_parameters?.overrides as Overrides | undefined) ?? {};
}

function readPlanned({ categories = [], rules = [] }: Overrides): ScoreLevels['planned'] {
  const { id, action, scoreThreshold = 0 } = findScoreRule();
  const own = rules.find((each) => each.id === id);
  const isOff = (level: number): boolean =>
    categories.some((each) => each.category === `paranoia-level-${level}` && each.enabled === false);
  return {
    level: levels.findLast((level) => !isOff(level)) ?? 0,
    threshold: own?.score_threshold ?? scoreThreshold,
    action: own?.action ?? action,
  };
}

function toStrictest(execution: RulesetRule, score_threshold: number): RulesetRule {
  const overrides = readOverrides(execution);
  const { id } = findScoreRule();
  return {
    ...execution,
    action_parameters: {
      ...execution.action_parameters,
      overrides: {
        ...overrides,
        categories: (overrides.categories ?? []).filter(
          ({ category }) => !category.startsWith('paranoia-level-'),
        ),
        rules: [
          ...(overrides.rules ?? []).filter((each) => each.id !== id),
          { id, action: 'block', enabled: true, score_threshold },
        ],
      },
    },
  };
}
