/** `skip`: leaves out rules, rulesets, phases or products for what matches. */
import { skipParameters } from '../bodies.ts';
import { groupReferencesMax } from '../limits.ts';
import type { Home, SkipParameters } from '../model.ts';
import type { Field } from '../problem.ts';
import type { RulesetContext } from './context.ts';
import { findDeployable, readDeployable } from './deployable.ts';

type Target = keyof SkipParameters;

const targets: readonly Target[] = ['ruleset', 'phase', 'rulesets', 'rules', 'phases', 'products'];

const exclusions: readonly (readonly [Target, Target])[] = [
  ['rulesets', 'ruleset'],
  ['rulesets', 'phases'],
  ['rules', 'ruleset'],
];

export function checkSkip(
  parameters: Field<unknown>,
  home: Home,
  context: RulesetContext,
): SkipParameters | undefined {
  const field = parameters.as(skipParameters);
  if (!field.isThere() || !field.hasOnlyKnownFields()) return undefined;
  const given = targets.filter((target) => !field.at(target).isAbsent);
  if (given.length === 0) return field.refuse('missingField', 'it must say what to skip');
  for (const target of given) {
    if (!isAvailable(target, home)) field.at(target).refuse('notAvailable', unavailability(target, home));
  }
  for (const [target, other] of exclusions) {
    if (!given.includes(target) || !given.includes(other)) continue;
    field.at(target).refuse('wrongCombination', `it cannot stand beside ${other}`);
  }
  if (given.includes('phase') && !given.includes('products')) {
    field.at('phase').refuse('wrongCombination', 'it stands only beside products');
  }
  return readTargets(field, home, context);
}

/** What is skipped comes later and belongs to the same level: single rulesets only where rules execute some. */
function isAvailable(target: Target, { phase, kind }: Home): boolean {
  switch (target) {
    case 'ruleset':
      return true;
    case 'rulesets':
    case 'rules':
      return phase === 'http_request_firewall_managed' || kind === 'root';
    default:
      return phase === 'http_request_firewall_custom';
  }
}

function unavailability(target: Target, { phase, kind }: Home): string {
  return target === 'rulesets' || target === 'rules'
    ? `a ruleset of the kind ${kind} in the phase ${phase} executes no others`
    : `rules of the phase ${phase} cannot skip ${target}`;
}

function readTargets(field: Field<SkipParameters>, home: Home, context: RulesetContext): SkipParameters {
  const ruleset = field.at('ruleset').read();
  const phase = field.at('phase').read();
  const rulesets = readDistinct(field.at('rulesets'), (item) => readDeployable(item, home, context)?.id);
  const rules = readRules(field.at('rules'), home, context);
  const phases = readDistinct(field.at('phases'), (item) => item.read());
  const products = readDistinct(field.at('products'), (item) => item.read());
  return {
    ...(ruleset === undefined ? {} : { ruleset }),
    ...(phase === undefined ? {} : { phase }),
    ...(rulesets === undefined ? {} : { rulesets }),
    ...(rules === undefined ? {} : { rules }),
    ...(phases === undefined ? {} : { phases }),
    ...(products === undefined ? {} : { products }),
  };
}

function readRules(
  field: Field<NonNullable<SkipParameters['rules']>>,
  home: Home,
  context: RulesetContext,
): SkipParameters['rules'] {
  const ids = field.keys();
  if (ids === undefined) return undefined;
  if (ids.length === 0) return field.refuse('missingField', 'it must name at least one ruleset');
  if (ids.length > groupReferencesMax) {
    return field.refuse('outOfRange', `it names more than ${groupReferencesMax} rulesets`);
  }
  const entries = ids.flatMap((id) => {
    const rulesField = field.at(id);
    const ruleset = findDeployable(id, rulesField, home, context)?.ruleset;
    if (ruleset === undefined) return [];
    const rules = readDistinct(rulesField, (item) => {
      const ruleId = item.read();
      if (ruleId === undefined || ruleset.rule(ruleId) !== undefined) return ruleId;
      return item.refuse('notFound', `the ruleset ${id} has no rule with this id`);
    });
    return rules === undefined ? [] : [[id, rules] as const];
  });
  return Object.fromEntries(entries);
}

/** Each once. */
function readDistinct<T extends string>(
  field: Field<readonly T[]>,
  read: (item: Field<T>) => T | undefined,
): readonly T[] | undefined {
  const items = field.items();
  const seen = new Set<T>();
  for (const item of items ?? []) {
    const value = read(item);
    if (value === undefined) continue;
    if (seen.has(value)) item.refuse('duplicate', 'it stands there twice');
    seen.add(value);
  }
  return items && [...seen];
}
