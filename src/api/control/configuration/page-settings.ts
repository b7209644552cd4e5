/** The effects of page rules on matching requests: settings that differ from those of the zone, and redirects. */
import { isObject } from '#base';
import type { ConfiguredPageSettings } from '#firewall';
import { actingSettings, type ChosenSettings, settingsOfPageRules } from '#zone-settings';
import type { Sql } from '../context/tables/sql.ts';
import { type PageRule, type PageRuleAction, pageRuleTable } from '../stores/page-rules.ts';

/** All active rules, because only the first that matches applies; undefined if none has an effect. */
export function readPageSettings(sql: Sql): readonly ConfiguredPageSettings[] | undefined {
  const rules = pageRuleTable
    .list(sql)
    .flatMap((rule) => (rule.status === 'active' ? [toConfigured(rule)] : []));
  return rules.some(
    ({ settings, forward, route }) =>
      forward !== undefined || route !== undefined || Object.keys(settings).length > 0,
  )
    ? rules
    : undefined;
}

function toConfigured({ id, pattern, actions }: PageRule): ConfiguredPageSettings {
  const forwarding = actions.find((action) => action.id === 'forwarding_url')?.value;
  const forward = isObject(forwarding)
    ? { forward: { url: String(forwarding['url']), statusCode: Number(forwarding['status_code']) } }
    : {};
  return { id, pattern, settings: toSettings(actions), ...forward, ...toRoute(actions) };
}

function toRoute(actions: readonly PageRuleAction[]): Pick<ConfiguredPageSettings, 'route'> {
  const read = (id: string): string | undefined => {
    const value = actions.find((action) => action.id === id)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const [hostHeader, connectTo] = [read('host_header_override'), read('resolve_override')];
  if (hostHeader === undefined && connectTo === undefined) return {};
  return {
    route: {
      ...(hostHeader === undefined ? {} : { hostHeader }),
      ...(connectTo === undefined ? {} : { connectTo }),
    },
  };
}

function toSettings(actions: readonly PageRuleAction[]): ChosenSettings {
  const chosen: Record<string, unknown> = {};
  for (const { id, value } of actions) {
    const setting = settingsOfPageRules.find((known) => known === id);
    // A value that the setting does not accept, such as `origin_pull`, is stored for clients only.
    const read = setting === undefined ? undefined : actingSettings[setting].kind.read(value);
    if (read !== undefined) chosen[id] = read;
    if (id === 'always_use_https') chosen[id] = 'on';
  }
  return chosen;
}
