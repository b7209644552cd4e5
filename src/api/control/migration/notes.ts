/** Messages about settings that can still be changed but have no effect because of the migration of the zone. */
import { type EvaluatedRule, evaluatedRules, type Ruleset, type RulesetRule } from '#rulesets';
import {
  edgeCodes,
  entryOf,
  type Message,
  migrationLossCodes,
  migrationMessageCodes as codes,
} from '#contract';
import { rulesetIds } from '#managed';
import { readWafSwitch } from '../configuration/zone-configuration.ts';
import type { FirewallRule } from '../stores/firewall-rules.ts';
import type { ZoneContext } from '../context/handler.ts';
import { rulesNamedMax } from '../context/limits.ts';
import type { PageRule } from '../stores/page-rules.ts';
import { bypassesWaf } from './carried-firewall-rules.ts';
import { readEdgeSettings } from '../stores/edge.ts';
import { isMigrated, isWatched } from '../stores/migration.ts';
import { summarizeIds } from './obstacles.ts';

/** The notes about a ruleset of the zone. */
export function listMigrationNotes({ sql }: Pick<ZoneContext, 'sql'>, ruleset: Ruleset): readonly Message[] {
  switch (ruleset.phase) {
    case 'http_request_firewall_managed':
      return [
        ...(isWatched(sql) ? [entryOf(codes.managedWatched)] : []),
        ...listScoreNotes({ sql }, ruleset.rules),
      ];
    case 'http_request_firewall_custom':
      return isMigrated({ sql })
        ? listSkippedProductNotes(evaluatedRules(ruleset)).slice(0, rulesNamedMax)
        : [];
    default:
      return [];
  }
}

/** Why the action for a score is not taken, for answers that show it as the action of one of these rules. */
export function listScoreNotes(
  { sql }: Pick<ZoneContext, 'sql'>,
  rules: readonly Pick<RulesetRule, 'action' | 'enabled' | 'action_parameters'>[],
): readonly Message[] {
  const executesScores = rules.some(
    ({ action, enabled, action_parameters: parameters }) =>
      action === 'execute' && enabled && Object(parameters)['id'] === rulesetIds.owasp,
  );
  return executesScores ? listUnconfirmedNotes({ sql }) : [];
}

export function listUnconfirmedNotes({ sql }: Pick<ZoneContext, 'sql'>): readonly Message[] {
  return readEdgeSettings(sql).unconfirmedScores === 'log' ? [entryOf(edgeCodes.scoresUnconfirmed)] : [];
}

/** Custom rules can also skip the legacy WAF. For its replacement, they can skip the phase. */
export function listSkippedProductNotes(rules: readonly EvaluatedRule[]): Message[] {
  return rules
    .filter(skipsWaf)
    .map(({ id }) => entryOf(migrationLossCodes.lossSkippedProduct, { fill: { rule: id } }));
}

function skipsWaf(rule: EvaluatedRule): boolean {
  return rule.enabled && rule.action === 'skip' && rule.action_parameters.products?.includes('waf') === true;
}

/** Adds messages about firewall rules that the answer shows. */
export function addIdleBypassMessages(context: ZoneContext, shown: readonly FirewallRule[]): void {
  const idle = shown.filter(bypassesWaf);
  if (idle.length === 0 || !isMigrated(context)) return;
  context.addMessage(entryOf(codes.bypassIdle, { fill: { rules: summarizeIds(idle.map(({ id }) => id)) } }));
}

/** Adds messages about page rules that the answer shows. */
export function addIdlePageRuleMessages(context: ZoneContext, shown: readonly PageRule[]): void {
  const idle = shown.filter((rule) => readWafSwitch(rule) !== 'unset');
  if (idle.length === 0 || !isMigrated(context)) return;
  const rules = summarizeIds(idle.map(({ id, pattern }) => `${id} (${pattern})`));
  context.addMessage(entryOf(codes.pageRuleIdle, { fill: { rules } }));
}
