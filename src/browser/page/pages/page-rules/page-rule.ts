/** Page rules as the API returns them, and the kinds of values of their actions. */
import type { Result, Sent } from '#client';
import { settingsOfPageRules } from '#zone-settings';
import { read } from '../../api/read.ts';
import type { MigrationState } from '../migration/migration-state.ts';

export type Action = PageRule['actions'][number];

export type PageRule = Result<'pageRules.list'>[number];

export function pageRulesQuery(zone_id: string) {
  return read('/zones/{zone_id}/pagerules', { zone_id, query: { order: 'priority', direction: 'desc' } });
}

export type ValueKind = { readonly kind: 'none' | 'seconds' | 'text' | 'json' } | ChoiceKind;
interface ChoiceKind {
  readonly kind: 'choice';
  readonly values: readonly string[];
}

const none: ValueKind = { kind: 'none' };
const text: ValueKind = { kind: 'text' };
const seconds: ValueKind = { kind: 'seconds' };
const json: ValueKind = { kind: 'json' };
const onOff: ValueKind = { kind: 'choice', values: ['on', 'off'] };

function choice(...values: readonly string[]): ValueKind {
  return { kind: 'choice', values };
}

/** The switches of the legacy managed rules. */
const wafActions: readonly string[] = ['disable_security', 'waf'];

/** Actions that affect every request. All other actions are stored, but have no effect here. */
const actingActions = [
  'always_use_https',
  'forwarding_url',
  'host_header_override',
  'resolve_override',
  ...settingsOfPageRules,
];

/** The actions with an effect: those of the legacy managed rules only where these exist. */
export function listEffectiveActions(state: MigrationState): readonly string[] {
  return hasLegacyRules(state) ? [...wafActions, ...actingActions] : actingActions;
}

export function hasLegacyRules(state: MigrationState): boolean {
  return state !== 'complete' && state !== 'default';
}

export function isOfWaf({ actions }: PageRule): boolean {
  return actions.some(({ id }) => wafActions.includes(id));
}

/** The server validates the values; the kinds choose the input. */
export const valueKinds: ReadonlyMap<string, ValueKind> = new Map([
  ['disable_security', none],
  ['waf', onOff],
  ['always_online', onOff],
  ['always_use_https', none],
  ['automatic_https_rewrites', onOff],
  ['browser_cache_ttl', seconds],
  ['browser_check', onOff],
  ['bypass_cache_on_cookie', text],
  ['cache_by_device_type', onOff],
  ['cache_deception_armor', onOff],
  ['cache_key_fields', json],
  ['cache_level', choice('bypass', 'basic', 'simplified', 'aggressive', 'cache_everything')],
  ['cache_on_cookie', text],
  ['cache_ttl_by_status', json],
  ['disable_apps', none],
  ['disable_performance', none],
  ['disable_railgun', none],
  ['disable_zaraz', none],
  ['edge_cache_ttl', seconds],
  ['email_obfuscation', onOff],
  ['explicit_cache_control', onOff],
  ['forwarding_url', json],
  ['host_header_override', text],
  ['ip_geolocation', onOff],
  ['minify', json],
  ['mirage', onOff],
  ['opportunistic_encryption', onOff],
  ['origin_error_page_pass_thru', onOff],
  ['polish', choice('off', 'lossless', 'lossy')],
  ['resolve_override', text],
  ['respect_strong_etag', onOff],
  ['response_buffering', onOff],
  ['rocket_loader', onOff],
  ['security_level', choice('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack')],
  ['server_side_exclude', onOff],
  ['sort_query_string_for_cache', onOff],
  ['ssl', choice('off', 'flexible', 'full', 'strict', 'origin_pull')],
  ['true_client_ip_header', onOff],
]);

export interface DraftAction {
  readonly id: string;
  readonly text: string;
}

export interface PageRuleDraft {
  readonly url: string;
  readonly actions: readonly DraftAction[];
  readonly priority: string;
  readonly status: PageRule['status'];
}

/** Each rule has one target. */
export function urlOf({ targets }: PageRule): string {
  return targets[0]!.constraint.value;
}

export function toDraft(rule: PageRule | undefined): PageRuleDraft {
  if (rule === undefined) {
    return { url: '', actions: [{ id: 'waf', text: 'off' }], priority: '', status: 'active' };
  }
  return {
    url: urlOf(rule),
    actions: rule.actions.map(({ id, value }) => ({
      id,
      text: typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    })),
    priority: String(rule.priority),
    status: rule.status,
  };
}

/** Throws an error that names the action. */
export function toBody(draft: PageRuleDraft): Sent<'pageRules.create'> {
  return {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: draft.url.trim() } }],
    actions: draft.actions.map(toAction),
    ...(draft.priority === '' ? {} : { priority: Number(draft.priority) }),
    status: draft.status,
  };
}

function toAction({ id, text }: DraftAction): Action {
  const kind = valueKinds.get(id)?.kind ?? 'json';
  if (kind === 'none') return { id };
  if (kind === 'text' || kind === 'choice') return { id, value: text };
  if (kind === 'seconds') return { id, value: Number(text) };
  try {
    return { id, value: JSON.parse(text) };
  } catch {
    throw new SyntaxError(`The value of ${id} is not JSON.`);
  }
}

/** The initial value of a new action. */
export function getFirstValue(id: string): string {
  const kind = valueKinds.get(id);
  if (kind?.kind === 'choice') return kind.values[0]!;
  if (id === 'forwarding_url') return '{"url": "https://example.com/", "status_code": 301}';
  return kind?.kind === 'json' ? '{}' : '';
}
