/** What page rules change of the settings of their zone, for the requests that they match. */
import type { ConfiguredPageSettings } from '#firewall';
import { actingSettings, type ActingId, type ChosenSettings } from '#zone-settings';
import type { Sql } from '../context/tables/sql.ts';
import { type PageRuleAction, pageRuleTable } from '../stores/page-rule-store.ts';

/** Actions that have the name and the values of a setting. */
const alike: readonly Exclude<ActingId, 'waf'>[] = [
  'ssl',
  'security_level',
  'browser_check',
  'ip_geolocation',
  'true_client_ip_header',
];

/** All rules that are active, because only the first that matches applies; undefined if none changes a setting. */
export function readPageSettings(sql: Sql): readonly ConfiguredPageSettings[] | undefined {
  const rules = pageRuleTable.list(sql).flatMap(({ status, pattern, actions }) => {
    return status === 'active' ? [{ pattern, settings: toSettings(actions) }] : [];
  });
  return rules.some(({ settings }) => Object.keys(settings).length > 0) ? rules : undefined;
}

function toSettings(actions: readonly PageRuleAction[]): ChosenSettings {
  const chosen: Record<string, unknown> = {};
  for (const { id, value } of actions) {
    const setting = alike.find((known) => known === id);
    // A value that a setting does not take, `origin_pull`, is kept for clients.
    const read = setting === undefined ? undefined : actingSettings[setting].kind.read(value);
    if (read !== undefined) chosen[id] = read;
    if (id === 'always_use_https') chosen[id] = 'on';
  }
  return chosen;
}
