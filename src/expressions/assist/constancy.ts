/**
 * Whether an expression says the same of every request. It finds what can be seen without knowing what requests look like:
 * constants and what combines them, a condition beside its opposite, and tests that every value passes. What it does not
 * find may still be constant.
 */
import type { Comparison, Expression, Filter, IpRange } from '../ast.ts';
import { interpret } from '../run/interpret.ts';
import { requestOf } from '../run/request-view.ts';
import { boolType } from '../types.ts';
import type { Ip } from '#base';
import { format } from '../write/format.ts';
import { usesOf } from './uses.ts';

/** True or false of every request; undefined if it depends. */
export function constantOf({ root }: Filter): boolean | undefined {
  return constantValue(root);
}

function constantValue(expression: Expression): boolean | undefined {
  switch (expression.kind) {
    case 'and':
      return constantOfItems(expression.items, false);
    case 'or':
      return constantOfItems(expression.items, true);
    case 'xor': {
      const values = expression.items.map(constantValue);
      return values.includes(undefined) ? undefined : values.filter(Boolean).length % 2 === 1;
    }
    case 'not': {
      const value = constantValue(expression.item);
      return value === undefined ? undefined : !value;
    }
    case 'comparison':
      return passesAlways(expression) ? true : valueWithoutRequest(expression);
    default:
      return valueWithoutRequest(expression);
  }
}

/** `decisive` is the value that one item with it gives to the whole: true of `or`, false of `and`. */
function constantOfItems(items: readonly Expression[], decisive: boolean): boolean | undefined {
  const values = new Set(items.map(constantValue));
  if (values.has(decisive) || hasOpposites(items)) return decisive;
  return values.has(undefined) ? undefined : !decisive;
}

function hasOpposites(items: readonly Expression[]): boolean {
  const negated = items.filter((item) => item.kind === 'not').map(({ item }) => textOf(item));
  return negated.length > 0 && items.some((item) => item.kind !== 'not' && negated.includes(textOf(item)));
}

function textOf(root: Expression): string {
  return format({ kind: 'filter', source: '', root });
}

const noRequest = requestOf(new Map());

/** Of an expression that looks at no request. */
function valueWithoutRequest(root: Expression): boolean | undefined {
  const filter: Filter = { kind: 'filter', source: '', root };
  const { fields, lists } = usesOf(filter);
  const looksAtRequest = lists.size > 0 || [...fields].some(({ filledBy }) => filledBy !== 'constant');
  // A list of truths is no truth: it stands inside of `any` or `all`, which are asked as a whole.
  if (looksAtRequest || root.type !== boolType) return undefined;
  return interpret(filter)(noRequest);
}

/** A field by itself is never nil, so that a test which every value passes is true. */
function passesAlways({ operand: { root, path }, test }: Comparison): boolean {
  if (root.kind !== 'field' || path.length > 0) return false;
  switch (test.operator) {
    case 'contains':
      return test.value.value === '';
    case 'wildcard':
    case 'strict wildcard':
      return test.value.wildcard.parts.length > 1 && test.value.wildcard.parts.every((part) => part === '');
    case 'in':
      return (
        test.set.kind === 'Ip' &&
        [4, 6].every((family) => coversFamily(test.set.items as readonly IpRange[], family))
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
