/**
 * A resource as a block of Terraform's configuration. Provider 5 accepts the API's form with few changes, nested values
 * as attributes; for provider 4 they are blocks, and some have another form.
 */
import type { Json } from '../resources/fields.ts';
import { toBalancerFields, toMonitorFields, toPoolFields, toUserAgentFields } from './balancing-fields.ts';
import { type HclBlock, type HclBody, HclReference, type HclValue, type HclFields } from './hcl.ts';
import { toPageRuleFields } from './page-rule-fields.ts';
import type { Provider, TerraformResource, ResourceType } from './resources.ts';
import { toRulesetFields } from './ruleset-fields.ts';
import { pick, withWords } from './words.ts';

const byHand: ReadonlyMap<ResourceType, string> = new Map([
  ['cloudflare_url_normalization_settings', 'write it by hand, or use --provider 5'],
  [
    'cloudflare_zone_settings_override',
    'write it by hand, its first apply adopts the current values; or use --provider 5',
  ],
]);

/** Resources that a provider supports but cannot import, with the alternative. */
const notImportable: Readonly<Record<Provider, ReadonlyMap<ResourceType, string>>> = {
  // Providers 3 and 4 request the normalization without a zone.
  '3': byHand,
  '4': byHand,
  // Provider 5 reads neither the expression of a filter nor the action of a firewall rule.
  '5': new Map([
    ['cloudflare_filter', 'use --provider 4'],
    ['cloudflare_firewall_rule', 'use --provider 4, or convert them to custom rules'],
  ]),
};

/** Provider 3 supports only these kinds of lists. */
const listKindsOf3: ReadonlySet<unknown> = new Set(['ip', 'redirect']);

const ownPhase = 'gatehouse_ask';

/** An entry point of a phase that only Gatehouse has. */
function isOurs({ type, value }: TerraformResource): boolean {
  return type === 'cloudflare_ruleset' && value['phase'] === ownPhase;
}

/** A comment about rules that no provider supports; empty if there are none. */
export function writeUnknown(resources: readonly TerraformResource[]): string {
  if (!resources.some(isOurs)) return '';
  return `# The rules of the phase ${ownPhase} are left out: no provider knows it. gatehouse zones export has them.\n\n`;
}

/** The alternative to importing the resource; undefined if the provider can import it. */
function findAdvice(resource: TerraformResource, provider: Provider): string | undefined {
  const { type, value } = resource;
  if (isOurs(resource))
    return `no provider knows the phase ${ownPhase}; gatehouse zones export has its rules`;
  if (provider === '3' && type === 'cloudflare_list' && !listKindsOf3.has(value['kind']))
    return `it has no lists of the kind ${String(value['kind'])}: use --provider 4`;
  return notImportable[provider].get(type);
}

export function isImportable(resource: TerraformResource, provider: Provider): boolean {
  return findAdvice(resource, provider) === undefined;
}

/** A line for each type of resource that the provider cannot import; empty if there is none. */
export function writeLeftOut(resources: readonly TerraformResource[], provider: Provider): string {
  const left = Map.groupBy(resources, (resource) => {
    const advice = findAdvice(resource, provider);
    return advice === undefined
      ? ''
      : `${resource.type} left out, because provider ${provider} cannot import it: ${advice}`;
  });
  left.delete('');
  return [...left].map(([line, { length }]) => `gatehouse: ${length} ${line}\n`).join('');
}

/** `addresses` are those of all written resources, for references between them. */
export function toConfiguration(
  resource: TerraformResource,
  provider: Provider,
  addresses: ReadonlySet<string>,
): HclBlock {
  const { type, name, scope } = resource;
  const fields = {
    [`${scope.level}_id`]: scope.id,
    ...fieldsByType[type](resource, provider, addresses),
  };
  const body = provider === '5' ? toAttributes(fields) : toBlocks(fields);
  return { kind: 'block', type: 'resource', labels: [type, name], body };
}

type ToFields = (
  resource: TerraformResource,
  provider: Provider,
  addresses: ReadonlySet<string>,
) => HclFields;

const fieldsByType: Readonly<Record<ResourceType, ToFields>> = {
  cloudflare_ruleset: ({ value }, provider) => toRulesetFields(value, provider),
  cloudflare_filter: ({ value }) => pick(value, ['expression', 'description', 'paused', 'ref']),
  cloudflare_firewall_rule: ({ value }, _provider, addresses) => {
    const { id } = value['filter'] as { readonly id: string };
    const { action, ...rest } = pick(value, ['action', 'description', 'paused', 'priority', 'products']);
    return { filter_id: refer(`cloudflare_filter.id_${id}`, id, addresses), action: action!, ...rest };
  },
  cloudflare_page_rule: ({ value }, provider) => toPageRuleFields(value, provider),
  cloudflare_url_normalization_settings: ({ value }) => pick(value, ['type', 'scope']),
  cloudflare_zone_setting: ({ value }) => ({
    setting_id: String(value['id']),
    value: value['value'] as HclValue,
  }),
  // It cannot be imported, so it is never written.
  cloudflare_zone_settings_override: () => ({}),
  cloudflare_access_rule: ({ value }) => pick(value, ['mode', 'notes', 'configuration']),
  cloudflare_user_agent_blocking_rule: ({ value }) => toUserAgentFields(value),
  cloudflare_zone_lockdown: ({ value }) => pick(value, ['description', 'paused', 'urls', 'configurations']),
  cloudflare_load_balancer: ({ value }, provider, addresses) =>
    toBalancerFields(value, provider, (type, id) => refer(`${type}.id_${id}`, id, addresses)),
  cloudflare_load_balancer_pool: ({ value }, provider, addresses) =>
    toPoolFields(value, provider, (type, id) => refer(`${type}.id_${id}`, id, addresses)),
  cloudflare_load_balancer_monitor: ({ value }, provider) => toMonitorFields(value, provider),
  cloudflare_list: ({ value, items = [] }, provider) => ({
    ...pick(value, ['name', 'kind', 'description']),
    ...(items.length === 0 ? {} : toItems(items, provider)),
  }),
  cloudflare_list_item: ({ value }, _provider, addresses) => ({
    list_id: refer(`cloudflare_list.${String(value['list_name'])}`, String(value['list_id']), addresses),
    ...pick(value, itemFields),
  }),
};

const itemFields = ['ip', 'asn', 'hostname', 'redirect', 'comment'];

function toItems(items: readonly Json[], provider: Provider): HclFields {
  const picked = items.map((item) => pick(item, itemFields));
  return provider === '3' ? { item: picked.map(toItemOf3) } : { items: picked };
}

/** In provider 3, the value of an item is a separate block, and flags of redirects are words. */
function toItemOf3({ comment, redirect, ...value }: HclFields): HclFields {
  const words = redirect === undefined ? {} : { redirect: withWords(redirect as HclFields) };
  return { ...(comment === undefined ? {} : { comment }), value: { ...value, ...words } };
}

/** References tell Terraform in which order to create them. */
function refer(address: string, id: string, addresses: ReadonlySet<string>): HclValue {
  return addresses.has(address) ? new HclReference(`${address}.id`) : id;
}

function toAttributes(fields: HclFields): HclBody {
  return Object.entries(fields).map(([name, value]) => ({ kind: 'attribute', name, value }));
}

/** Maps with user-defined keys are not blocks. */
const maps: ReadonlySet<string> = new Set(['rules', 'contains']);

function toBlocks(fields: HclFields): HclBody {
  return Object.entries(fields).flatMap(([name, value]): HclBody => {
    if (isList(value) && value.some(isObject))
      return value.map((each) => toBlock(name, isObject(each) ? each : {}));
    if (isObject(value) && !maps.has(name)) return [toBlock(name, value)];
    return [{ kind: 'attribute', name, value }];
  });
}

function toBlock(type: string, fields: HclFields): HclBlock {
  return { kind: 'block', type, labels: [], body: toBlocks(fields) };
}

function isList(value: HclValue): value is readonly HclValue[] {
  return Array.isArray(value);
}

function isObject(value: HclValue): value is HclFields {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof HclReference);
}
