/** What the migration of a zone means for settings that can still be made and do not do what they seem to. */
import { type EvaluatedRule, evaluatedRules, type Ruleset } from '#firewall';
import { entryOf, type Message, migrationLossCodes, migrationMessageCodes as codes } from '#api';
import { wafOf } from '../configuration/zone-configuration.ts';
import type { FirewallRule } from '../stores/firewall-rule-store.ts';
import type { ZoneContext } from '../context/handler.ts';
import { rulesNamedMax } from '../context/limits.ts';
import type { PageRule } from '../stores/page-rule-store.ts';
import { bypassesWaf } from './carried-firewall-rules.ts';
import { isMigrated, isWatched } from '../stores/migration-store.ts';
import { named } from './obstacles.ts';

/** Of a ruleset of the zone. */
export function migrationNotes({ sql }: Pick<ZoneContext, 'sql'>, ruleset: Ruleset): readonly Message[] {
  switch (ruleset.phase) {
    case 'http_request_firewall_managed':
      return isWatched(sql) ? [entryOf(codes.managedWatched)] : [];
    case 'http_request_firewall_custom':
      return isMigrated({ sql }) ? skippedProductNotes(evaluatedRules(ruleset)).slice(0, rulesNamedMax) : [];
    default:
      return [];
  }
}

/** Custom rules can skip the previous product, too; for its replacement there is a way to skip the phase. */
export function skippedProductNotes(rules: readonly EvaluatedRule[]): Message[] {
  return rules
    .filter(skipsWaf)
    .map(({ id }) => entryOf(migrationLossCodes.lossSkippedProduct, { fill: { rule: id } }));
}

function skipsWaf(rule: EvaluatedRule): boolean {
  return rule.enabled && rule.action === 'skip' && rule.action_parameters.products?.includes('waf') === true;
}

/** Of rules that were just written. */
export function sayIdleBypasses(context: ZoneContext, written: readonly FirewallRule[]): void {
  const idle = isMigrated(context) ? written.filter(bypassesWaf) : [];
  if (idle.length === 0) return;
  context.say(entryOf(codes.bypassIdle, { fill: { rules: named(idle.map(({ id }) => id)) } }));
}

/** Of rules that were just written. */
export function sayIdlePageRules(context: ZoneContext, written: readonly PageRule[]): void {
  const idle = isMigrated(context) ? written.filter((rule) => wafOf(rule) !== 'unset') : [];
  if (idle.length === 0) return;
  const rules = named(idle.map(({ id, pattern }) => `${id} (${pattern})`));
  context.say(entryOf(codes.pageRuleIdle, { fill: { rules } }));
}
