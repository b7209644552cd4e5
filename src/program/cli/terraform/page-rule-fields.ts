/** The fields of `cloudflare_page_rule`: the list of actions becomes an object with a field for each. */
import type { Json } from '../resources/fields.ts';
import type { HclValue, HclFields } from './hcl.ts';
import type { Provider } from './resources.ts';

interface PageRule {
  readonly targets: readonly [{ readonly constraint: { readonly value: string } }];
  readonly actions: readonly { readonly id: string; readonly value?: HclValue }[];
  readonly priority: number;
  readonly status: string;
}

/** Provider 5 has no fields for them. */
const goneFrom5: ReadonlySet<string> = new Set(['disable_railgun', 'minify', 'server_side_exclude']);

export function toPageRuleFields(rule: Json, provider: Provider): HclFields {
  const { targets, actions, priority, status } = rule as unknown as PageRule;
  const known = provider === '5' ? actions.filter(({ id }) => !goneFrom5.has(id)) : actions;
  const fields = known.map(({ id, value }) => {
    // Actions that can only be turned on have no value in the API.
    if (value === undefined || value === null) return [id, true] as const;
    return [id, provider === '5' ? value : toBlockValue(id, value)] as const;
  });
  return { target: targets[0].constraint.value, priority, status, actions: Object.fromEntries(fields) };
}

/** In the form of providers 3 and 4. */
function toBlockValue(id: string, value: HclValue): HclValue {
  if (id === 'browser_cache_ttl') return JSON.stringify(value);
  if (id === 'cache_ttl_by_status')
    return Object.entries(value as HclFields).map(([codes, ttl]) => ({ codes, ttl: toSeconds(ttl) }));
  if (id === 'cache_key_fields') {
    const { query_string: query, ...rest } = value as Readonly<Record<string, HclFields | undefined>>;
    return (query === undefined ? rest : { ...rest, query_string: toQueryString(query) }) as HclFields;
  }
  return value;
}

function toSeconds(ttl: HclValue): HclValue {
  if (ttl === 'no-cache') return 0;
  return ttl === 'no-store' ? -1 : ttl;
}

/** All or none of the parameters are in `ignore`. */
function toQueryString({ include, exclude, ...rest }: HclFields): HclFields {
  if (exclude === '*') return { ...rest, ignore: true };
  if (include === '*') return { ...rest, ignore: false };
  return {
    ...rest,
    ...(include === undefined ? {} : { include }),
    ...(exclude === undefined ? {} : { exclude }),
  };
}
