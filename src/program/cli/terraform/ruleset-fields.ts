/** The fields of `cloudflare_ruleset`. */
import type { Json } from '../resources/fields.ts';
import type { HclValue, HclFields } from './hcl.ts';
import type { Provider } from './resources.ts';
import { toWord } from './words.ts';

/** In the order of the provider's documentation. The server sets the others. */
const ruleFields = [
  'ref',
  'description',
  'expression',
  'enabled',
  'action',
  'action_parameters',
  'ratelimit',
  'exposed_credential_check',
  'logging',
] as const;

/** Lists of names in providers 3 and 4, of objects with a name in the API. */
const namedLists = ['cookie_fields', 'request_fields', 'response_fields'];

export function toRulesetFields(ruleset: Json, provider: Provider): HclFields {
  const { name, kind, phase, description = '', rules = [] } = ruleset as HclFields;
  return {
    name: name!,
    description,
    kind: kind!,
    phase: phase!,
    rules: (rules as readonly HclFields[]).map((rule) => toRule(rule, provider)),
  };
}

function toRule(rule: HclFields, provider: Provider): HclFields {
  return Object.fromEntries(
    ruleFields.flatMap((name): [string, HclValue][] => {
      const value = rule[name];
      if (value === undefined || value === null) return [];
      // Provider 3 reads references but has no field for them.
      if (name === 'ref' && provider === '3') return [];
      if (name === 'logging') return [[name, toSwitch(value as HclFields, provider)]];
      if (name !== 'action_parameters') return [[name, value]];
      const parameters = toParameters(value as HclFields, provider);
      return Object.keys(parameters).length === 0 ? [] : [[name, parameters]];
    }),
  );
}

/** The providers have no version of the executed ruleset: it is always the latest. */
function toParameters(given: HclFields, provider: Provider): HclFields {
  const { version: _, ...parameters } = given;
  if (provider === '5') return parameters;
  const changed: Record<string, HclValue> = { ...parameters };
  const { rules, headers, overrides } = parameters as Readonly<Record<string, HclFields | undefined>>;
  if (rules !== undefined)
    changed['rules'] = Object.fromEntries(
      Object.entries(rules).map(([ruleset, ids]) => [ruleset, (ids as readonly string[]).join(',')]),
    );
  if (headers !== undefined) changed['headers'] = toHeaderList(headers);
  if (overrides !== undefined) changed['overrides'] = toOverrides(overrides, provider);
  for (const name of namedLists) {
    const list = parameters[name] as readonly { readonly name: string }[] | undefined;
    if (list !== undefined) changed[name] = list.map((each) => each.name);
  }
  return changed;
}

/** In the order in which the providers read them, because they compare lists. */
function toHeaderList(headers: HclFields): HclValue {
  const names = Object.keys(headers).toSorted();
  return names.map((name) => ({ name, ...(headers[name] as HclFields) }));
}

/** Overrides of the whole ruleset, of categories and of rules. */
function toOverrides(overrides: HclFields, provider: Provider): HclFields {
  const { categories, rules, ...own } = overrides as HclFields & {
    readonly categories?: readonly HclFields[];
    readonly rules?: readonly HclFields[];
  };
  return {
    ...toSwitch(own, provider),
    ...(categories === undefined ? {} : { categories: categories.map((each) => toSwitch(each, provider)) }),
    ...(rules === undefined ? {} : { rules: rules.map((each) => toSwitch(each, provider)) }),
  };
}

/** Provider 3 does not send `enabled = false`: it uses `status` instead. */
function toSwitch(fields: HclFields, provider: Provider): HclFields {
  const { enabled, ...rest } = fields;
  if (provider !== '3' || typeof enabled !== 'boolean') return fields;
  return { ...rest, status: toWord(enabled) };
}
