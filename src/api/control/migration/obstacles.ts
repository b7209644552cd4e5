/**
 * Why a zone cannot migrate in its current state, each reason with its remedy. The second phase of the migration is
 * open to every zone. The first phase, which a call requests by omitting `phase_two=1`, is open only to zones whose
 * configuration is simple enough to need no conversion.
 */
import { expressionCharactersMax } from '#expressions';
import { notEntitled } from '#rulesets';
import { entryOf, type ErrorEntry, migrationCodes as codes } from '#contract';
import { FirewallRuleStore } from '../stores/firewall-rules.ts';
import type { ZoneContext } from '../context/handler.ts';
import { migratedExpressionBytesMax, migratedRulesMax, rulesNamedMax } from '../context/limits.ts';
import { readLegacyWafConfiguration } from '../configuration/legacy-waf-configuration.ts';
import { readWafSwitch } from '../configuration/zone-configuration.ts';
import { bypassesWaf } from './carried-firewall-rules.ts';
import { decideExecution } from './carried-page-rules.ts';

export type MigrationPhase = 'first' | 'second';

export function listObstacles(context: ZoneContext, phase: MigrationPhase): ErrorEntry[] {
  const { sql, zone } = context;
  if (zone.plan === 'free') {
    const reason = notEntitled('the legacy managed rules', { plan: zone.plan, needed: 'pro' });
    return [entryOf(codes.migrationNotEntitled, { fill: { reason } })];
  }
  const configuration = readLegacyWafConfiguration(sql);
  const bypasses = new FirewallRuleStore(sql).listInOrder().filter(bypassesWaf);
  const found = { configuration, bypasses };
  return [
    ...listOverrideObstacles(found),
    ...(phase === 'first' ? listFirstPhaseObstacles(found) : []),
    ...listBypassObstacles(found),
    ...listPageRuleObstacles(found),
  ];
}

interface Found {
  readonly configuration: ReturnType<typeof readLegacyWafConfiguration>;
  readonly bypasses: ReturnType<FirewallRuleStore['listInOrder']>;
}

function listOverrideObstacles({ configuration: { overrides } }: Found): ErrorEntry[] {
  const [first] = overrides;
  if (first === undefined) return [];
  const ids = summarizeIds(overrides.map(({ id }) => id));
  return [entryOf(codes.migrationOverrides, { fill: { count: overrides.length, ids }, id: first.id })];
}

function listFirstPhaseObstacles({
  configuration: { waf, packages, pageRules },
  bypasses,
}: Found): ErrorEntry[] {
  const obstacles: ErrorEntry[] = [];
  const scores = packages.find(({ settings }) => settings !== null);
  if (waf === 'on' && scores !== undefined && scores.settings?.sensitivity !== 'off') {
    obstacles.push(entryOf(codes.firstPhaseScores, { id: scores.id }));
  }
  if (bypasses.length > 0) {
    const rules = summarizeIds(bypasses.map(({ id }) => id));
    obstacles.push(entryOf(codes.firstPhaseBypasses, { fill: { rules } }));
  }
  const switching = pageRules.filter((rule) => readWafSwitch(rule) !== 'unset');
  if (switching.length > 0) {
    const rules = summarizeIds(switching.map(({ id, pattern }) => `${id} (${pattern})`));
    obstacles.push(entryOf(codes.firstPhasePageRules, { fill: { rules } }));
  }
  return obstacles;
}

function listBypassObstacles({ bypasses }: Found): ErrorEntry[] {
  const { length: count } = bypasses;
  const tooMany =
    count > migratedRulesMax
      ? [entryOf(codes.migrationTooManyRules, { fill: { count, max: migratedRulesMax } })]
      : [];
  const tooLong = bypasses.flatMap(({ id, filter }) => {
    const bytes = Buffer.byteLength(filter?.expression ?? '');
    if (bytes <= migratedExpressionBytesMax) return [];
    const fill = { rule: id, bytes, max: migratedExpressionBytesMax };
    return [entryOf(codes.migrationExpressionTooLong, { fill, id })];
  });
  return [...tooMany, ...tooLong.slice(0, rulesNamedMax)];
}

function listPageRuleObstacles({ configuration: { waf, pageRules } }: Found): ErrorEntry[] {
  const { length: characters } = decideExecution(waf, pageRules).expression;
  if (characters <= expressionCharactersMax) return [];
  const fill = { characters, max: expressionCharactersMax };
  return [entryOf(codes.migrationPageRulesTooLong, { fill })];
}

/** The first few ids, and the number of further ones. */
export function summarizeIds(ids: readonly string[]): string {
  const shown = ids.slice(0, rulesNamedMax);
  const more = ids.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
