/** `skip`: leaves out rules, rulesets, phases or products for what matches. */
import { products } from '../firewall-rules.ts';
import { groupReferencesMax, idCharactersMax, ruleReferencesMax } from '../limits.ts';
import type { Home, SkipParameters } from '../model.ts';
import type { RulesetContext } from './context.ts';
import { findDeployable, readDeployable } from './deployable.ts';
import type { Place } from './place.ts';

const known = ['ruleset', 'phase', 'rulesets', 'rules', 'phases', 'products'] as const;

type Field = (typeof known)[number];

/** The phases that a rule of the custom phase can skip: they come later, or have no rules of the user's. */
export const skippablePhases = [
  'http_ratelimit',
  'http_request_sbfm',
  'http_request_firewall_managed',
] as const;

const exclusions: readonly (readonly [Field, Field])[] = [
  ['rulesets', 'ruleset'],
  ['rulesets', 'phases'],
  ['rules', 'ruleset'],
];

export function checkSkip(place: Place, home: Home, context: RulesetContext): SkipParameters | undefined {
  if (!place.isThere() || !place.isObjectOf(known)) return undefined;
  const given = known.filter((field) => !place.at(field).isAbsent);
  if (given.length === 0) return place.refuse('missing_field', 'it must say what to skip');
  for (const field of given) {
    if (!isAvailable(field, home)) place.at(field).refuse('not_available', unavailability(field, home));
  }
  for (const [field, other] of exclusions) {
    if (!given.includes(field) || !given.includes(other)) continue;
    place.at(field).refuse('wrong_combination', `it cannot stand beside ${other}`);
  }
  if (given.includes('phase') && !given.includes('products')) {
    place.at('phase').refuse('wrong_combination', 'it stands only beside products');
  }
  return readTargets(place, home, context);
}

/** What is skipped comes later and belongs to the same level: single rulesets only where rules execute some. */
function isAvailable(field: Field, { phase, kind }: Home): boolean {
  switch (field) {
    case 'ruleset':
      return true;
    case 'rulesets':
    case 'rules':
      return phase === 'http_request_firewall_managed' || kind === 'root';
    default:
      return phase === 'http_request_firewall_custom';
  }
}

function unavailability(field: Field, { phase, kind }: Home): string {
  return field === 'rulesets' || field === 'rules'
    ? `a ruleset of the kind ${kind} in the phase ${phase} executes no others`
    : `rules of the phase ${phase} cannot skip ${field}`;
}

function readTargets(place: Place, home: Home, context: RulesetContext): SkipParameters {
  const ruleset = place.at('ruleset').choice(['current']);
  const phase = place.at('phase').choice(['current']);
  const rulesets = readRulesets(place.at('rulesets'), home, context);
  const rules = readRules(place.at('rules'), home, context);
  const phases = readChoices(place.at('phases'), skippablePhases);
  const skippedProducts = readChoices(place.at('products'), products);
  return {
    ...(ruleset === undefined ? {} : { ruleset }),
    ...(phase === undefined ? {} : { phase }),
    ...(rulesets === undefined ? {} : { rulesets }),
    ...(rules === undefined ? {} : { rules }),
    ...(phases === undefined ? {} : { phases }),
    ...(skippedProducts === undefined ? {} : { products: skippedProducts }),
  };
}

function readRulesets(place: Place, home: Home, context: RulesetContext): readonly string[] | undefined {
  return readDistinct(place, groupReferencesMax, (item) => readDeployable(item, home, context)?.id);
}

function readRules(place: Place, home: Home, context: RulesetContext): SkipParameters['rules'] {
  const ids = place.keys();
  if (ids === undefined) return undefined;
  if (ids.length === 0) return place.refuse('missing_field', 'it must name at least one ruleset');
  if (ids.length > groupReferencesMax) {
    return place.refuse('out_of_range', `it names more than ${groupReferencesMax} rulesets`);
  }
  const entries = ids.flatMap((id) => {
    const rulesPlace = place.at(id);
    const ruleset = findDeployable(id, rulesPlace, home, context)?.ruleset;
    if (ruleset === undefined) return [];
    const rules = readDistinct(rulesPlace, ruleReferencesMax, (item) => {
      const ruleId = item.text({ charactersMin: 1, charactersMax: idCharactersMax });
      if (ruleId === undefined || ruleset.rule(ruleId) !== undefined) return ruleId;
      return item.refuse('not_found', `the ruleset ${id} has no rule with this id`);
    });
    return rules === undefined ? [] : [[id, rules] as const];
  });
  return Object.fromEntries(entries);
}

function readChoices<T extends string>(place: Place, choices: readonly T[]): readonly T[] | undefined {
  return readDistinct(place, groupReferencesMax, (item) => item.choice(choices));
}

/** At least one, each once. */
function readDistinct<T extends string>(
  place: Place,
  countMax: number,
  read: (item: Place) => T | undefined,
): readonly T[] | undefined {
  const items = place.items({ countMax });
  if (items?.length === 0) return place.refuse('missing_field', 'it must have at least one item');
  const seen = new Set<T>();
  for (const item of items ?? []) {
    const value = read(item);
    if (value === undefined) continue;
    if (seen.has(value)) item.refuse('duplicate', 'it stands there twice');
    seen.add(value);
  }
  return items && [...seen];
}
