/** Why a zone cannot migrate as it is, each reason with what to do about it. */
import { expressionCharactersMax } from '#expressions';
import { notEntitled } from '#firewall';
import { entryOf, type ErrorEntry, migrationCodes as codes } from '#contract';
import { FirewallRuleStore } from '../stores/firewall-rule-store.ts';
import type { ZoneContext } from '../context/handler.ts';
import { migratedExpressionBytesMax, migratedRulesMax, rulesNamedMax } from '../context/limits.ts';
import { readLegacyWafConfiguration } from '../configuration/legacy-waf-configuration.ts';
import { bypassesWaf } from './carried-firewall-rules.ts';
import { decideExecution } from './carried-page-rules.ts';

export function listObstacles(context: ZoneContext): ErrorEntry[] {
  const { sql, zone } = context;
  if (zone.plan === 'free') {
    const reason = notEntitled('the legacy managed rules', { plan: zone.plan, needed: 'pro' });
    return [entryOf(codes.migrationNotEntitled, { fill: { reason } })];
  }
  const configuration = readLegacyWafConfiguration(sql);
  const bypasses = new FirewallRuleStore(sql).listInOrder().filter(bypassesWaf);
  const found = { configuration, bypasses };
  return [...listOverrideObstacles(found), ...listBypassObstacles(found), ...listPageRuleObstacles(found)];
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

/** The first few ids, and how many more there are. */
export function summarizeIds(ids: readonly string[]): string {
  const shown = ids.slice(0, rulesNamedMax);
  const more = ids.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
