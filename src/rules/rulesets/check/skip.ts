/** `skip`: skips rules, rulesets, phases or products for matching requests. */
import { skipParameters } from '../bodies.ts';
import { groupReferencesMax } from '../limits.ts';
import type { Home, SkipParameters } from '../model.ts';
import type { BodyField } from '../problem.ts';
import type { DeployableRuleset, RulesetContext } from './context.ts';
import { findDeployable, readDeployable } from './deployable.ts';

type SkipTarget = keyof SkipParameters;

const targets: readonly SkipTarget[] = [
  'ruleset',
  'phase',
  'rulesets',
  'rules',
  'categories',
  'phases',
  'products',
];

const exclusions: readonly (readonly [SkipTarget, SkipTarget])[] = [
  ['rulesets', 'ruleset'],
  ['rulesets', 'phases'],
  ['rules', 'ruleset'],
  ['categories', 'ruleset'],
];

export function checkSkip(
  parameters: BodyField<unknown>,
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
    field.at(target).refuse('wrongCombination', `it cannot be combined with ${other}`);
  }
  if (given.includes('phase') && !given.includes('products')) {
    field.at('phase').refuse('wrongCombination', 'it is valid only with products');
  }
  if (!field.at('arguments').isAbsent) checkArguments(field, given, home);
  return readTargets(field, home, context);
}

/** Hiding parts of a request makes sense only for rules that run. */
function checkArguments(field: BodyField<SkipParameters>, given: readonly SkipTarget[], home: Home): void {
  const parts = field.at('arguments');
  if (!isAvailable('rules', home)) parts.refuse('notAvailable', unavailability('rules', home));
  else if (!given.some((target) => target === 'rulesets' || target === 'rules' || target === 'categories')) {
    parts.refuse('wrongCombination', 'it is valid only with rules, categories or rulesets');
  }
}

/** The target comes later and belongs to the same level: single rulesets only where rules execute some. */
function isAvailable(target: SkipTarget, { phase, kind }: Home): boolean {
  switch (target) {
    case 'ruleset':
      return true;
    case 'rulesets':
    case 'rules':
    case 'categories':
      return phase === 'http_request_firewall_managed' || kind === 'root';
    default:
      return phase === 'http_request_firewall_custom';
  }
}

function unavailability(target: SkipTarget, { phase, kind }: Home): string {
  return target === 'rulesets' || target === 'rules' || target === 'categories'
    ? `a ruleset of the kind ${kind} in the phase ${phase} executes no others`
    : `rules of the phase ${phase} cannot skip ${target}`;
}

function readTargets(field: BodyField<SkipParameters>, home: Home, context: RulesetContext): SkipParameters {
  const ruleset = field.at('ruleset').read();
  const phase = field.at('phase').read();
  const rulesets = readDistinct(field.at('rulesets'), (item) => readDeployable(item, home, context)?.id);
  const rules = readByRuleset(field.at('rules'), { home, context }, (ruleset, item, id) => {
    const ruleId = item.read();
    if (ruleId === undefined || ruleset.rule(ruleId) !== undefined) return ruleId;
    return item.refuse('notFound', `the ruleset ${id} has no rule with this id`);
  });
  const categories = readByRuleset(field.at('categories'), { home, context }, (ruleset, item, id) => {
    const category = item.read();
    if (category === undefined || ruleset.hasCategory(category)) return category;
    return item.refuse('notFound', `the ruleset ${id} has no rule with this tag`);
  });
  const parts = readParts(field.at('arguments'));
  const phases = readDistinct(field.at('phases'), (item) => item.read());
  const products = readDistinct(field.at('products'), (item) => item.read());
  return {
    ...(ruleset === undefined ? {} : { ruleset }),
    ...(phase === undefined ? {} : { phase }),
    ...(rulesets === undefined ? {} : { rulesets }),
    ...(rules === undefined ? {} : { rules }),
    ...(categories === undefined ? {} : { categories }),
    ...(parts === undefined ? {} : { arguments: parts }),
    ...(phases === undefined ? {} : { phases }),
    ...(products === undefined ? {} : { products }),
  };
}

type LeftOut = NonNullable<SkipParameters['arguments']>;

function readParts(field: BodyField<LeftOut>): LeftOut | undefined {
  return field.items()?.flatMap((item) => {
    if (!item.hasOnlyKnownFields()) return [];
    const [kind, name] = [item.at('kind').read(), item.at('name').read()];
    return kind === undefined || name === undefined ? [] : [{ kind, name }];
  });
}

/** Lists by ruleset id. */
function readByRuleset(
  field: BodyField<Readonly<Record<string, readonly string[]>>>,
  { home, context }: { readonly home: Home; readonly context: RulesetContext },
  read: (ruleset: DeployableRuleset, item: BodyField<string>, id: string) => string | undefined,
): Readonly<Record<string, readonly string[]>> | undefined {
  const ids = field.keys();
  if (ids === undefined) return undefined;
  if (ids.length === 0) return field.refuse('missingField', 'it must name at least one ruleset');
  if (ids.length > groupReferencesMax) {
    return field.refuse('outOfRange', `it names more than ${groupReferencesMax} rulesets`);
  }
  const entries = ids.flatMap((id) => {
    const listField = field.at(id);
    const ruleset = findDeployable(id, listField, home, context)?.ruleset;
    if (ruleset === undefined) return [];
    const list = readDistinct(listField, (item) => read(ruleset, item, id));
    return list === undefined ? [] : [[id, list] as const];
  });
  return Object.fromEntries(entries);
}

/** Requires distinct values. */
function readDistinct<T extends string>(
  field: BodyField<readonly T[]>,
  read: (item: BodyField<T>) => T | undefined,
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
