/**
 * The tree as JSON, in wirefilter's form: `{"op":"And","items":[…]}`, `{"lhs":"ssl","op":"IsTrue"}`,
 * `{"lhs":["m",{"kind":"MapKey","value":"a"}],"op":"Equal","rhs":"x"}`. Bytes that are valid text are strings, others arrays
 * of numbers; an integer that a double cannot represent is a string of its digits.
 */
import type {
  Argument,
  BytesLiteral,
  Call,
  Expression,
  Filter,
  Index,
  IntLiteral,
  Literal,
  LiteralSet,
  Operand,
  OrderOperator,
  Predicate,
  ValueExpression,
} from '../ast.ts';
import { isEqualIp, formatIp } from '#addresses';
import { textOf } from '#text';
import { formatRange } from './literals.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export function toJson({ root }: Filter | ValueExpression): Json {
  if (root.kind === 'operand') return toOperandJson(root);
  return toExpressionJson(root.kind === 'expression' ? root.expression : root);
}

function toExpressionJson(expression: Expression): Json {
  switch (expression.kind) {
    case 'and':
    case 'or':
    case 'xor':
      return { op: capitalise(expression.kind), items: expression.items.map(toExpressionJson) };
    case 'not':
      return { op: 'Not', arg: toExpressionJson(expression.item) };
    case 'any':
    case 'all':
      return { op: capitalise(expression.kind), arg: toArgumentJson(toArgument(expression.item)) };
    case 'truth':
      return { lhs: toOperandJson(expression.operand), op: 'IsTrue' };
    default:
      return { lhs: toOperandJson(expression.operand), ...toPredicateJson(expression.predicate) };
  }
}

function capitalise(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

function toArgument(item: Operand | Expression): Argument {
  if (item.kind === 'operand') return item;
  return { kind: 'expression', expression: item, type: item.type, span: item.span };
}

const orderNames: Record<OrderOperator, string> = {
  eq: 'Equal',
  ne: 'NotEqual',
  lt: 'LessThan',
  le: 'LessThanEqual',
  gt: 'GreaterThan',
  ge: 'GreaterThanEqual',
};

function toPredicateJson(test: Predicate): { op: string; rhs: Json } {
  switch (test.operator) {
    case 'in':
      return { op: 'OneOf', rhs: toSetJson(test.set) };
    case 'in list':
      return { op: 'InList', rhs: test.list };
    case 'bitwise_and':
      return { op: 'BitwiseAnd', rhs: toIntJson(test.value) };
    case 'contains':
      return { op: 'Contains', rhs: toBytesJson(test.value) };
    case 'matches':
      return { op: 'Matches', rhs: test.value.source };
    case 'wildcard':
      return { op: 'Wildcard', rhs: toTextJson(test.value.source) };
    case 'strict wildcard':
      return { op: 'Strict Wildcard', rhs: toTextJson(test.value.source) };
    default:
      return { op: orderNames[test.operator], rhs: toLiteralJson(test.value) };
  }
}

function toSetJson(set: LiteralSet): Json {
  switch (set.kind) {
    case 'Int':
      return set.items.map(({ first, last }) => ({ start: toIntJson(first), end: toIntJson(last) }));
    case 'Ip':
      return set.items.map((range) => {
        const isNetwork = range.prefixLength !== undefined || isEqualIp(range.first, range.last);
        return isNetwork ? formatRange(range) : { start: formatIp(range.first), end: formatIp(range.last) };
      });
    default:
      return set.items.map(toBytesJson);
  }
}

function toOperandJson({ root, path }: Operand): Json {
  const first = root.kind === 'field' ? root.field.name : toCallJson(root);
  return path.length === 0 ? first : [first, ...path.map(toIndexJson)];
}

function toCallJson(call: Call): Json {
  return { name: call.function.name, args: call.args.map(toArgumentJson) };
}

function toArgumentJson(argument: Argument): Json {
  switch (argument.kind) {
    case 'operand':
      return { kind: 'IndexExpr', value: toOperandJson(argument) };
    case 'expression':
      return { kind: 'SimpleExpr', value: toExpressionJson(argument.expression) };
    default:
      return { kind: 'Literal', value: toLiteralJson(argument) };
  }
}

function toIndexJson(index: Index): Json {
  switch (index.kind) {
    case 'each':
      return { kind: 'MapEach' };
    case 'index':
      return { kind: 'ArrayIndex', value: index.index };
    default:
      return { kind: 'MapKey', value: textOf(index.key)! };
  }
}

function toLiteralJson(literal: Literal): Json {
  switch (literal.kind) {
    case 'Int':
      return toIntJson(literal);
    case 'Ip':
      return formatIp(literal.value);
    default:
      return toBytesJson(literal);
  }
}

function toIntJson({ value, exact }: IntLiteral): Json {
  return Number.isSafeInteger(value) ? value : String(exact);
}

function toBytesJson({ value, form }: BytesLiteral): Json {
  return form === 'bytes' ? toNumbers(value) : toTextJson(value);
}

function toTextJson(bytes: string): Json {
  return textOf(bytes) ?? toNumbers(bytes);
}

function toNumbers(bytes: string): number[] {
  return Array.from(bytes, (byte) => byte.charCodeAt(0));
}
