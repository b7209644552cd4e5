/**
 * A guard is a condition that must hold for an expression to be true, in a form that can be looked up: one of a few
 * values of a field, an address in one of a few blocks, one of a few literals in a text, a key in a map. A list looks
 * up the guards of all its rules at once, and runs only the rules whose guard holds.
 *
 * A guard may hold for too many requests, never for too few.
 */
import type { Comparison, Expression, IpRange, Operand } from '../../ast.ts';
import { findBlocksAround, type IpBlock } from './sets/ip-blocks.ts';

export interface Guard {
  /** At least one of them must hold; if there are none, the expression is never true. */
  readonly conditions: readonly GuardCondition[];
  /** An estimate of its selectivity: the higher, the fewer requests pass. */
  readonly strength: number;
}

/** About the value of the operand, or about one of its elements if it has `[*]`. */
export type GuardCondition = { readonly operand: Operand } & (
  | { readonly kind: 'equals'; readonly value: string | number }
  | { readonly kind: 'block'; readonly block: IpBlock }
  | { readonly kind: 'has'; readonly literal: string; readonly ignoresCase: boolean }
  | { readonly kind: 'key'; readonly key: string }
);

/** A range of up to this many numbers is looked up number by number. */
const rangeNumbersMax = 64;

/** The number of conditions of one rule that are compared with each other. */
const alternativesMax = 16;

const strengths = {
  never: 1000,
  /** `eq` on a field that differs between nearly all requests. */
  identity: 100,
  address: 80,
  number: 40,
  bytes: 60,
  country: 30,
  key: 25,
  /** Most requests share a few values. */
  common: 5,
} as const;

const identityKeys = new Set([
  'http.host',
  'http.request.uri',
  'http.request.uri.path',
  'http.request.full_uri',
]);
const commonKeys = new Set(['http.request.method', 'http.request.version', 'ip.src.continent']);

/** Alternative guards of a `Bool` expression, each of them sufficient; or of `any` over an `Array<Bool>` expression. */
export function findGuards(expression: Expression): readonly Guard[] {
  switch (expression.kind) {
    case 'and':
      return expression.items.flatMap(findGuards).slice(0, alternativesMax);
    case 'or':
      return uniteGuards(expression.items.map((item) => findStrongest(findGuards(item))));
    case 'any':
      return expression.item.kind === 'operand'
        ? findCallGuards(expression.item)
        : findGuards(expression.item);
    case 'truth':
      return findCallGuards(expression.operand);
    case 'comparison':
      return [findComparisonGuard(expression), findKeyGuard(expression)].filter(
        (guard) => guard !== undefined,
      );
    default:
      return [];
  }
}

function findStrongest(guards: readonly Guard[]): Guard | undefined {
  return guards.toSorted((a, b) => b.strength - a.strength)[0];
}

function uniteGuards(guards: readonly (Guard | undefined)[]): readonly Guard[] {
  const all = guards.filter((guard) => guard !== undefined);
  if (all.length < guards.length) return [];
  return [
    {
      conditions: all.flatMap((guard) => guard.conditions),
      strength: Math.min(...all.map((guard) => guard.strength)),
    },
  ];
}

/** A call of `starts_with` or `ends_with` requires its literal; a false constant is never true. */
function findCallGuards({ root, path }: Operand): readonly Guard[] {
  if (root.kind === 'field') {
    const isFalse = root.field.filledBy === 'constant' && root.field.default === false;
    return isFalse ? [{ conditions: [], strength: strengths.never }] : [];
  }
  const { name } = root.function;
  if ((name !== 'starts_with' && name !== 'ends_with') || path.length > 0) return [];
  const [operand, literal] = root.args;
  if (operand?.kind !== 'operand' || literal?.kind !== 'Bytes') return [];
  const guard = createLiteralGuard(operand, [literal.value], false);
  return guard === undefined ? [] : [guard];
}

function findComparisonGuard({ operand, predicate }: Comparison): Guard | undefined {
  switch (predicate.operator) {
    case 'eq':
      if (predicate.value.kind === 'Ip')
        return createBlockGuard(operand, [{ first: predicate.value.value, last: predicate.value.value }]);
      return createEqualsGuard(operand, [predicate.value.value]);
    case 'in':
      if (predicate.set.kind === 'Ip') return createBlockGuard(operand, predicate.set.items);
      if (predicate.set.kind === 'Bytes')
        return createEqualsGuard(
          operand,
          predicate.set.items.map((item) => item.value),
        );
      return createNumbersGuard(
        operand,
        predicate.set.items.map(({ first, last }) => ({ first: first.value, last: last.value })),
      );
    case 'contains':
      return createLiteralGuard(operand, [predicate.value.value], false);
    case 'matches': {
      const required = predicate.value.pattern.requiredLiterals;
      return required === undefined
        ? undefined
        : createLiteralGuard(operand, required.literals, required.ignoreCase);
    }
    case 'wildcard':
    case 'strict wildcard': {
      const { parts, isStrict } = predicate.value.wildcard;
      const longest = parts.reduce((best, part) => (part.length > best.length ? part : best));
      return createLiteralGuard(operand, [longest], !isStrict);
    }
    default:
      return undefined;
  }
}

/** A compared key must exist: a list about a thousand headers then evaluates only those in the request. */
function findKeyGuard({ operand, predicate }: Comparison): Guard | undefined {
  const { root, path, span } = operand;
  const [index] = path;
  // `ne` may be true for nil.
  if (root.kind !== 'field' || index?.kind !== 'key' || predicate.operator === 'ne') return undefined;
  const map: Operand = { kind: 'operand', root, path: [], eachCount: 0, type: root.type, span };
  return { conditions: [{ operand: map, kind: 'key', key: index.key }], strength: strengths.key };
}

function createEqualsGuard(operand: Operand, values: readonly (string | number)[]): Guard {
  const conditions = values.map((value) => ({ operand, kind: 'equals' as const, value }));
  if (values.length === 0) return { conditions, strength: strengths.never };
  // More values hold for more requests, but always for fewer than no guard.
  const strength = Math.max(
    1,
    estimateEqualityStrength(operand, typeof values[0]) - Math.log2(values.length) * 3,
  );
  return { conditions, strength };
}

function estimateEqualityStrength({ root, path }: Operand, valueType: string): number {
  if (root.kind === 'field' && path.length === 0) {
    if (identityKeys.has(root.field.key)) return strengths.identity;
    if (commonKeys.has(root.field.key)) return strengths.common;
    if (root.field.key === 'ip.src.country') return strengths.country;
  }
  return valueType === 'number' ? strengths.number : strengths.bytes;
}

function createNumbersGuard(
  operand: Operand,
  ranges: readonly { first: number; last: number }[],
): Guard | undefined {
  const values: number[] = [];
  for (const { first, last } of ranges) {
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || last - first >= rangeNumbersMax)
      return undefined;
    for (let value = first; value <= last; value++) values.push(value);
  }
  return createEqualsGuard(operand, values);
}

function createBlockGuard(operand: Operand, ranges: readonly Pick<IpRange, 'first' | 'last'>[]): Guard {
  const blocks = ranges.flatMap(({ first, last }) => findBlocksAround(first, last));
  const conditions = blocks.map((block) => ({ operand, kind: 'block' as const, block }));
  const shortest = Math.min(...blocks.map((block) => block.prefixLength));
  return {
    conditions,
    strength: blocks.length === 0 ? strengths.never : Math.min(strengths.address, shortest * 4),
  };
}

function createLiteralGuard(
  operand: Operand,
  literals: readonly string[],
  ignoresCase: boolean,
): Guard | undefined {
  if (literals.includes('')) return undefined;
  const shortest = Math.min(...literals.map((literal) => literal.length));
  return {
    conditions: literals.map((literal) => ({ operand, kind: 'has' as const, literal, ignoresCase })),
    strength: Math.min(50, shortest * 6),
  };
}
