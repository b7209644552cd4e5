/**
 * Whether an expression has the same result for every request. Detects what does not depend on the request: constants
 * and combinations of them, a condition combined with its negation, and comparisons that every value passes. Other
 * expressions may still be constant.
 */
import type { Comparison, Expression, Filter, IpRange } from '../ast.ts';
import { interpret } from '../run/interpret.ts';
import { createRequest } from '../run/request-view.ts';
import { boolType } from '../types.ts';
import type { Ip } from '#addresses';
import { format } from '../write/format.ts';
import { usesOf } from './uses.ts';

/** True or false if that is the result for every request; undefined if it depends on the request. */
export function findConstant({ root }: Filter): boolean | undefined {
  return evaluateConstant(root);
}

function evaluateConstant(expression: Expression): boolean | undefined {
  switch (expression.kind) {
    case 'and':
      return combineConstants(expression.items, false);
    case 'or':
      return combineConstants(expression.items, true);
    case 'xor': {
      const values = expression.items.map(evaluateConstant);
      return values.includes(undefined) ? undefined : values.filter(Boolean).length % 2 === 1;
    }
    case 'not': {
      const value = evaluateConstant(expression.item);
      return value === undefined ? undefined : !value;
    }
    case 'comparison':
      return passesAlways(expression) ? true : evaluateWithoutRequest(expression);
    default:
      return evaluateWithoutRequest(expression);
  }
}

/** `decisive` is the value of one item that determines the whole: true for `or`, false for `and`. */
function combineConstants(items: readonly Expression[], decisive: boolean): boolean | undefined {
  const values = new Set(items.map(evaluateConstant));
  if (values.has(decisive) || hasOpposites(items)) return decisive;
  return values.has(undefined) ? undefined : !decisive;
}

function hasOpposites(items: readonly Expression[]): boolean {
  const negated = items.filter((item) => item.kind === 'not').map(({ item }) => formatRoot(item));
  return (
    negated.length > 0 && items.some((item) => item.kind !== 'not' && negated.includes(formatRoot(item)))
  );
}

function formatRoot(root: Expression): string {
  return format({ kind: 'filter', source: '', root });
}

const noRequest = createRequest(new Map());

/** The value of an expression that reads no field. */
function evaluateWithoutRequest(root: Expression): boolean | undefined {
  const filter: Filter = { kind: 'filter', source: '', root };
  const { fields, lists } = usesOf(filter);
  const looksAtRequest = lists.size > 0 || [...fields].some(({ filledBy }) => filledBy !== 'constant');
  // An `Array<Bool>` is not a Bool: it occurs inside `any` or `all`, which are evaluated as a whole.
  if (looksAtRequest || root.type !== boolType) return undefined;
  return interpret(filter)(noRequest);
}

/** A field by itself is never nil, so a comparison that every value passes is true. */
function passesAlways({ operand: { root, path }, predicate }: Comparison): boolean {
  if (root.kind !== 'field' || path.length > 0) return false;
  switch (predicate.operator) {
    case 'contains':
      return predicate.value.value === '';
    case 'wildcard':
    case 'strict wildcard':
      return (
        predicate.value.wildcard.parts.length > 1 &&
        predicate.value.wildcard.parts.every((part) => part === '')
      );
    case 'in':
      return (
        predicate.set.kind === 'Ip' &&
        [4, 6].every((family) => coversFamily(predicate.set.items as readonly IpRange[], family))
      );
    default:
      return false;
  }
}

function coversFamily(ranges: readonly IpRange[], family: number): boolean {
  return ranges.some(({ first, last }) => first.family === family && isWhole(first, last));
}

function isWhole(first: Ip, last: Ip): boolean {
  const words: readonly (keyof Ip & `w${number}`)[] = first.family === 4 ? ['w0'] : ['w0', 'w1', 'w2', 'w3'];
  return words.every((word) => first[word] === 0 && last[word] === 0xffff_ffff);
}
