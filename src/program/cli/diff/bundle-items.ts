/**
 * The configuration of a zone as named items that can be compared with those of another zone. Ids differ between zones,
 * so an item's name is what an operator recognises: an expression, a URL pattern, a phase and a ref.
 */
import type { Json } from '../resources/fields.ts';

/** By name, such as `firewall rule http.host eq "a"`. */
export type BundleItems = ReadonlyMap<string, Json>;

interface Bundle {
  readonly settings?: Json;
  readonly edge?: Json;
  readonly url_normalization?: Json;
  readonly zone_settings?: Json;
  readonly lists?: readonly Json[];
  readonly page_rules?: readonly Json[];
  readonly security_tools?: {
    readonly access_rules?: readonly (Json & { readonly configuration: Json })[];
    readonly lockdowns?: readonly (Json & { readonly urls: readonly string[] })[];
    readonly user_agent_rules?: readonly (Json & { readonly configuration: Json })[];
  };
  readonly load_balancing?: {
    readonly pools: Readonly<Record<string, Json>>;
    readonly load_balancers: readonly Json[];
  };
  readonly previous?: {
    readonly packages: Readonly<Record<string, Json>>;
    readonly groups: Json;
    readonly rules: Json;
    readonly overrides: readonly (Json & { readonly urls: readonly string[] })[];
  };
  readonly firewall?: {
    readonly filters: readonly (Json & { readonly id: string; readonly expression: string })[];
    readonly rules: readonly (Json & { readonly filter: { readonly id: string } })[];
  };
  readonly rulesets?: readonly {
    readonly phase: string;
    readonly description: string;
    readonly rules: readonly (Json & { readonly ref?: string; readonly expression?: string })[];
  }[];
}

/** Meaningless differences between zones. */
const meaningless = new Set(['id', 'version', 'last_updated', 'created_on', 'modified_on', 'inline']);

export function listBundleItems(bundle: Bundle): BundleItems {
  const items = new Map<string, Json>();
  const add = (name: string, value: Json): void => {
    let unique = name;
    for (let number = 2; items.has(unique); number++) unique = `${name} (${number})`;
    items.set(unique, Object.fromEntries(Object.entries(value).filter(([key]) => !meaningless.has(key))));
  };
  for (const [name, value] of Object.entries({ ...bundle.settings, ...bundle.zone_settings }))
    add(`setting ${name}`, { value });
  for (const [name, value] of Object.entries(bundle.edge ?? {})) add(`edge setting ${name}`, { value });
  if (bundle.url_normalization !== undefined) add('URL normalization', bundle.url_normalization);
  for (const list of bundle.lists ?? []) add(`list ${String(list['name'])}`, list);
  for (const rule of bundle.page_rules ?? []) add(`page rule ${readTarget(rule)}`, rule);
  const { access_rules = [], lockdowns = [], user_agent_rules = [] } = bundle.security_tools ?? {};
  for (const rule of access_rules) add(`access rule ${String(rule.configuration['value'])}`, rule);
  for (const rule of lockdowns) add(`lockdown ${rule.urls.join(' ')}`, rule);
  for (const rule of user_agent_rules) add(`user agent rule ${String(rule.configuration['value'])}`, rule);
  addBalancing(bundle.load_balancing, add);
  addLegacyRules(bundle.previous, add);
  addFirewallRules(bundle.firewall, add);
  for (const { phase, description, rules } of bundle.rulesets ?? []) {
    add(`ruleset ${phase}`, { description });
    for (const [index, { ref, ...rule }] of rules.entries()) {
      // A rule without a ref of its own has its id there.
      const isNamed = ref !== undefined && !/^[0-9a-f]{32}$/.test(ref);
      const name = isNamed ? ref : (rule.expression ?? '');
      add(`rule ${phase} ${name}`, { ...rule, position: index + 1 });
    }
  }
  return items;
}

type Add = (name: string, value: Json) => void;

function readTarget({ targets }: Json): string {
  const [first] = (targets ?? []) as readonly { readonly constraint?: { readonly value?: string } }[];
  return first?.constraint?.value ?? '';
}

/** Load balancers refer to pools by ids, which differ between accounts. */
function addBalancing(balancing: Bundle['load_balancing'], add: Add): void {
  if (balancing === undefined) return;
  const { pools, load_balancers } = balancing;
  const nameOf = (id: unknown): unknown => pools[String(id)]?.['name'] ?? id;
  for (const { monitor: _monitor, ...pool } of Object.values(pools))
    add(`pool ${String(pool['name'])}`, pool);
  for (const balancer of load_balancers) {
    const names = (balancer['default_pools'] as readonly unknown[]).map(nameOf);
    const content = { ...balancer, default_pools: names, fallback_pool: nameOf(balancer['fallback_pool']) };
    add(`load balancer ${String(balancer['name'])}`, content);
  }
}

function addLegacyRules(previous: Bundle['previous'], add: Add): void {
  if (previous === undefined) return;
  for (const [id, value] of Object.entries(previous.packages)) add(`legacy package ${id}`, value);
  for (const [id, mode] of Object.entries(previous.groups)) add(`legacy group ${id}`, { mode });
  for (const [id, mode] of Object.entries(previous.rules)) add(`legacy rule ${id}`, { mode });
  for (const override of previous.overrides) add(`legacy override ${override.urls.join(', ')}`, override);
}

function addFirewallRules(firewall: Bundle['firewall'], add: Add): void {
  if (firewall === undefined) return;
  const expressions = new Map(firewall.filters.map(({ id, expression }) => [id, expression]));
  for (const filter of firewall.filters) add(`filter ${filter.expression}`, filter);
  for (const { filter, ...rule } of firewall.rules)
    add(`firewall rule ${expressions.get(filter.id) ?? 'of a deleted filter'}`, rule);
}
