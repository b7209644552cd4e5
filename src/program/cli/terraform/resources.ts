/**
 * The contents of a zone or the account as resources of Terraform's provider: types, names, import ids and the API's
 * objects.
 */
import type { Result } from '#client';
import type { ApiClient } from '../api/api-client.ts';
import type { Json } from '../resources/fields.ts';

/** The major versions of the provider. */
export const providers = ['3', '4', '5'] as const;
export type Provider = (typeof providers)[number];

/** In the order of the output. */
export const resourceTypes = [
  'cloudflare_ruleset',
  'cloudflare_filter',
  'cloudflare_firewall_rule',
  'cloudflare_page_rule',
  'cloudflare_url_normalization_settings',
  'cloudflare_zone_setting',
  'cloudflare_zone_settings_override',
  'cloudflare_access_rule',
  'cloudflare_user_agent_blocking_rule',
  'cloudflare_zone_lockdown',
  'cloudflare_load_balancer_monitor',
  'cloudflare_load_balancer_pool',
  'cloudflare_load_balancer',
  'cloudflare_list',
  'cloudflare_list_item',
] as const;
export type ResourceType = (typeof resourceTypes)[number];

export interface TerraformResource {
  readonly type: ResourceType;
  /** Unique within its type, and a word that needs no quotes. */
  readonly name: string;
  /** The format of `terraform import`. */
  readonly importId: string;
  readonly scope: TerraformScope;
  /** The object of the API. */
  readonly value: Json;
  /** The items of a list, if they are part of its resource. */
  readonly items?: readonly Json[];
}

export interface TerraformScope {
  readonly level: 'zone' | 'account';
  readonly id: string;
}

export interface Selection {
  readonly provider: Provider;
  /** If empty, every type. */
  readonly types: ReadonlySet<string>;
  /** Only the rulesets of this phase. */
  readonly phase: string | undefined;
}

type Identified = object & { readonly id: string };

export async function readResources(
  api: ApiClient,
  scope: TerraformScope,
  selection: Selection,
): Promise<TerraformResource[]> {
  const { types, phase } = selection;
  const wanted = resourceTypes.filter(
    (type) => (types.size === 0 || types.has(type)) && (phase === undefined || type === 'cloudflare_ruleset'),
  );
  const readers = scope.level === 'zone' ? zoneReaders : accountReaders;
  const resources: TerraformResource[] = [];
  for (const type of wanted) {
    const found = await readers[type]?.(api, scope, selection);
    for (const each of found ?? []) resources.push({ ...each, type, scope });
  }
  return resources;
}

type FoundResource = Omit<TerraformResource, 'type' | 'scope'>;
type ResourceReader = (
  api: ApiClient,
  scope: TerraformScope,
  selection: Selection,
) => Promise<readonly FoundResource[]>;
type Readers = Readonly<Partial<Record<ResourceType, ResourceReader>>>;

const zoneReaders: Readers = {
  cloudflare_ruleset: readRulesets,
  cloudflare_filter: (api, { id }) => readAll(id, api.list('/zones/{zone_id}/filters', { zone_id: id })),
  cloudflare_firewall_rule: (api, { id }) =>
    readAll(id, api.list('/zones/{zone_id}/firewall/rules', { zone_id: id })),
  // Page rules are not paginated.
  cloudflare_page_rule: async (api, { id }) =>
    (await api.get('/zones/{zone_id}/pagerules', { zone_id: id })).result.map((rule) => toFound(id, rule)),
  cloudflare_url_normalization_settings: async (api, { id }) => [
    {
      name: 'normalization',
      importId: id,
      value: (await api.get('/zones/{zone_id}/url_normalization', { zone_id: id })).result,
    },
  ],
  cloudflare_access_rule: (api, scope, selection) => {
    const rules = api.list('/zones/{zone_id}/firewall/access_rules/rules', { zone_id: scope.id });
    return readAccessRules(scope, selection, rules);
  },
  cloudflare_user_agent_blocking_rule: (api, { id }) =>
    readAll(id, api.list('/zones/{zone_id}/firewall/ua_rules', { zone_id: id })),
  cloudflare_zone_lockdown: (api, { id }) =>
    readAll(id, api.list('/zones/{zone_id}/firewall/lockdowns', { zone_id: id })),
  cloudflare_load_balancer: readPiece('/load_balancers'),
  cloudflare_zone_setting: async (api, { id }, { provider }) =>
    provider === '5'
      ? (await readChosenSettings(api, id)).map((value) => ({ ...toFound(id, value), name: value.id }))
      : [],
  cloudflare_zone_settings_override: async (api, { id }, { provider }) =>
    provider === '5' || (await readChosenSettings(api, id)).length === 0
      ? []
      : [{ name: 'settings', importId: id, value: {} }],
};

/** Access rules are imported with their owner. */
async function readAccessRules(
  { level, id }: TerraformScope,
  { provider }: Selection,
  rules: AsyncIterable<Identified>,
): Promise<FoundResource[]> {
  const prefix = provider === '5' ? `${level}s` : level;
  const found = await readAll(id, rules);
  return found.map((each) => ({ ...each, importId: `${prefix}/${each.importId}` }));
}

/** Reads a list that is not paginated. */
function readPiece(path: string): ResourceReader {
  return async (api, { level, id }) => {
    const { result } = await api.ask<readonly Identified[]>('GET', `/${level}s/${id}${path}`);
    return result.map((each) => toFound(id, each));
  };
}

/** Settings that were never changed have defaults, which Terraform need not manage. */
async function readChosenSettings(api: ApiClient, zone_id: string): Promise<readonly Identified[]> {
  const { result } = await api.get('/zones/{zone_id}/settings', { zone_id });
  return result.filter(({ modified_on }) => modified_on !== null);
}

const accountReaders: Readers = {
  cloudflare_ruleset: readRulesets,
  cloudflare_access_rule: (api, scope, selection) => {
    const rules = api.list('/accounts/{account_id}/firewall/access_rules/rules', { account_id: scope.id });
    return readAccessRules(scope, selection, rules);
  },
  cloudflare_load_balancer_monitor: readPiece('/load_balancers/monitors'),
  cloudflare_load_balancer_pool: readPiece('/load_balancers/pools'),
  cloudflare_list: readLists,
  cloudflare_list_item: readListItems,
};

/** Users cannot change managed rulesets. */
async function readRulesets(
  api: ApiClient,
  scope: TerraformScope,
  { provider, phase }: Selection,
): Promise<FoundResource[]> {
  const path = `/${scope.level}s/${scope.id}/rulesets`;
  const own = scope.level === 'zone' ? ['zone'] : ['root', 'custom'];
  const prefix = provider === '5' ? `${scope.level}s` : scope.level;
  const found: FoundResource[] = [];
  for (const { id, kind, phase: its } of (await api.ask<Result<'rulesets.list'>>('GET', path)).result) {
    if (!own.includes(kind) || (phase !== undefined && its !== phase)) continue;
    // A phase has one entry point and any number of custom rulesets.
    const name = kind === 'custom' ? `${its}_${id}` : its;
    const { result: value } = await api.ask<Json>('GET', `${path}/${id}`);
    found.push({ name, importId: `${prefix}/${scope.id}/${id}`, value });
  }
  return found;
}

async function readAll(id: string, things: AsyncIterable<Identified>): Promise<FoundResource[]> {
  return (await Array.fromAsync(things)).map((thing) => toFound(id, thing));
}

function toFound(parent: string, value: Identified): FoundResource {
  return { name: `id_${value.id}`, importId: `${parent}/${value.id}`, value };
}

type List = Identified & { readonly name: string };

/**
 * Provider 4 does not read items when it imports a list: there, they are separate resources, which provider 3 does not
 * have.
 */
async function readLists(
  api: ApiClient,
  { id }: TerraformScope,
  { provider }: Selection,
): Promise<FoundResource[]> {
  const found: FoundResource[] = [];
  for (const list of (await api.get('/accounts/{account_id}/rules/lists', { account_id: id })).result) {
    const items = provider === '4' ? undefined : await readItems(api, id, list);
    found.push({ ...toFound(id, list), name: list.name, ...(items === undefined ? {} : { items }) });
  }
  return found;
}

async function readListItems(
  api: ApiClient,
  { id }: TerraformScope,
  { provider }: Selection,
): Promise<FoundResource[]> {
  if (provider !== '4') return [];
  const found: FoundResource[] = [];
  for (const list of (await api.get('/accounts/{account_id}/rules/lists', { account_id: id })).result) {
    for (const item of await readItems(api, id, list))
      found.push({
        name: `${list.name}_${item.id}`,
        importId: `${id}/${list.id}/${item.id}`,
        value: { ...item, list_id: list.id, list_name: list.name },
      });
  }
  return found;
}

function readItems(
  api: ApiClient,
  account_id: string,
  { id: list_id }: List,
): Promise<readonly Identified[]> {
  const path = '/accounts/{account_id}/rules/lists/{list_id}/items';
  return Array.fromAsync(api.list(path, { account_id, list_id, query: { per_page: 500 } }));
}
