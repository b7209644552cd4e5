/** What a user of the generated TypeScript client writes: it has to compile strictly, and to work. */
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

type Filter = components['schemas']['Filter'];
type NewFirewallRule = components['schemas']['NewFirewallRule'];
type Rule = components['schemas']['Rule'];

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

const client = createClient<paths>({
  baseUrl: process.env['API']!,
  headers: { Authorization: `Bearer ${process.env['TOKEN']}` },
});

function check(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`not so: ${what}`);
}

function found<T>(
  value: T | undefined,
  refusal: Pick<components['schemas']['Failure'], 'errors'> | undefined,
): T {
  if (value === undefined) throw new Error(JSON.stringify(refusal?.errors));
  return value;
}

const verified = await client.GET('/user/tokens/verify');
check(found(verified.data, verified.error).result.status === 'active', 'the token works');

const zones = await client.GET('/zones', { params: { query: { per_page: 5, order: 'name' } } });
const page = found(zones.data, zones.error);
const zone = page.result.find(({ plan }) => plan.legacy_id === 'enterprise');
check(zone !== undefined && page.result_info.per_page === 5, 'there is an enterprise zone');
const zone_id = zone!.id;

const created = await client.POST('/zones/{zone_id}/filters', {
  params: { path: { zone_id } },
  body: [{ expression: 'ip.src eq 192.0.2.1', description: 'smoke' }],
});
const filter: Filter = found(created.data, created.error).result[0]!;
check(filter.description === 'smoke' && !filter.paused, 'the filter is as it was sent');

const sent: NewFirewallRule = { action: 'block', filter: { id: filter.id }, priority: 7 };
const rules = await client.POST('/zones/{zone_id}/firewall/rules', {
  params: { path: { zone_id } },
  body: [sent],
});
const rule = found(rules.data, rules.error).result[0]!;
check(
  rule.action === 'block' && rule.priority === 7 && 'expression' in rule.filter,
  'the rule has its filter',
);

const again = await client.POST('/zones/{zone_id}/filters', {
  params: { path: { zone_id } },
  body: [{ expression: 'ip.src eq 192.0.2.1' }],
});
const [duplicate] = again.error!.errors;
check(duplicate?.code === 10102 && duplicate.meta?.id === filter.id, 'a second filter like it is refused');

const entryPoint = { zone_id, ruleset_phase: 'http_request_firewall_custom' } as const;
const put = await client.PUT('/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint', {
  params: { path: entryPoint },
  body: { rules: [{ action: 'log', expression: 'http.request.uri.path eq "/smoke"', ref: 'smoke' }] },
});
const written = found(put.data, put.error).result;
const kept: Rule | undefined = written?.rules.at(-1);
check(kept?.ref === 'smoke' && kept.action === 'log', 'the ruleset has the rule');

const removed = await client.DELETE('/zones/{zone_id}/rulesets/{ruleset_id}', {
  params: { path: { zone_id, ruleset_id: written!.id } },
});
check(removed.response.status === 204, 'the ruleset is gone');

const deleted = await client.DELETE('/zones/{zone_id}/firewall/rules/{rule_id}', {
  params: { path: { zone_id, rule_id: rule.id }, query: { delete_filter_if_unused: true } },
});
check(found(deleted.data, deleted.error).result.filter?.deleted === true, 'the rule and its filter are gone');

const none = await client.DELETE('/zones/{zone_id}/filters', {
  params: { path: { zone_id }, query: { id: [filter.id] } },
});
check(found(none.data, none.error).result[0]?.id === filter.id, 'what is not there can be deleted');

const missing = await client.GET('/zones/{zone_id}/filters/{filter_id}', {
  params: { path: { zone_id, filter_id: filter.id } },
});
check(missing.response.status === 404 && missing.error?.errors[0]?.code === 10001, 'so it is not found');
