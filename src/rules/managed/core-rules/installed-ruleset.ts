/** The OWASP ruleset and the legacy OWASP package, created from an installed version, or empty without one. */
import { type CoreRules, listResponseRules, listScoringRules, type ScoringRule } from '#seclang';
import type { LegacyPackage, LegacyRule } from '../legacy/package.ts';
import { createScorePackage, getScoreGroupId, scoresId } from '../legacy/score-package.ts';
import type { ManagedRuleset } from '../managed-ruleset.ts';
import { createOwaspRuleset, getOwaspRuleId } from '../rulesets/owasp.ts';
import { CoreEngine } from './core-engine.ts';

export interface InstalledRulesets {
  readonly ruleset: ManagedRuleset;
  readonly legacyPackage: LegacyPackage;
  readonly engine: CoreEngine | undefined;
}

/** The legacy package has no levels: it runs the first two, to which its sensitivities are migrated. */
const legacyLevelMax = 2;

export function createInstalledRulesets(rules: CoreRules | undefined): InstalledRulesets {
  if (rules === undefined) {
    return {
      ruleset: createOwaspRuleset({ content: { state: 'not installed' }, rules: [] }),
      legacyPackage: createScorePackage([]),
      engine: undefined,
    };
  }
  const scoring = listScoringRules(rules);
  const all = [...scoring, ...listResponseRules(rules)];
  const engine = new CoreEngine(rules, all);
  const legacy = scoring.filter(({ paranoiaLevel }) => paranoiaLevel <= legacyLevelMax);
  return {
    ruleset: createOwaspRuleset({
      content: { state: 'installed', version: rules.version },
      installedAt: rules.installedAt,
      rules: all,
      engine: engine.named(numberRules(all, getOwaspRuleId)),
    }),
    legacyPackage: createScorePackage(legacy.map(toLegacyRule), engine.named(numberRules(legacy, String))),
    engine,
  };
}

function numberRules(
  rules: readonly ScoringRule[],
  nameRule: (number: number) => string,
): ReadonlyMap<string, number> {
  return new Map(rules.map(({ number }) => [nameRule(number), number]));
}

function toLegacyRule({ number, description, tags, score }: ScoringRule, index: number): LegacyRule {
  return {
    id: String(number),
    description,
    priority: String(index + 1),
    packageId: scoresId,
    groupId: getScoreGroupId(number, tags),
    ignoresSwitch: false,
    kind: 'anomaly',
    defaultMode: 'on',
    score,
  };
}
