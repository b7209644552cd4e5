/**
 * The tree as JSON, in the shape of the original: `{"op":"And","items":[…]}`, `{"lhs":"ssl","op":"IsTrue"}`,
 * `{"lhs":["m",{"kind":"MapKey","value":"a"}],"op":"Equal","rhs":"x"}`. Bytes that are text are strings, others arrays of
 * numbers; an integer that a double cannot hold is a string of its digits.
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
  Test,
  ValueExpression,
} from '../ast.ts';
import { isEqualIp, formatIp, textOf } from '#base';
import { formatRange } from './literals.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export function toJson({ root }: Filter | ValueExpression): Json {
  if (root.kind === 'operand') return operandJson(root);
  return expressionJson(root.kind === 'expression' ? root.expression : root);
}

function expressionJson(expression: Expression): Json {
  switch (expression.kind) {
    case 'and':
    case 'or':
    case 'xor':
      return { op: capitalised(expression.kind), items: expression.items.map(expressionJson) };
    case 'not':
      return { op: 'Not', arg: expressionJson(expression.item) };
    case 'any':
    case 'all':
      return { op: capitalised(expression.kind), arg: argumentJson(asArgument(expression.item)) };
    case 'truth':
      return { lhs: operandJson(expression.operand), op: 'IsTrue' };
    default:
      return { lhs: operandJson(expression.operand), ...testJson(expression.test) };
  }
}

function capitalised(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

function asArgument(item: Operand | Expression): Argument {
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

function testJson(test: Test): { op: string; rhs: Json } {
  switch (test.operator) {
    case 'in':
      return { op: 'OneOf', rhs: setJson(test.set) };
    case 'in list':
      return { op: 'InList', rhs: test.list };
    case 'bitwise_and':
      return { op: 'BitwiseAnd', rhs: intJson(test.value) };
    case 'contains':
      return { op: 'Contains', rhs: bytesJson(test.value) };
    case 'matches':
      return { op: 'Matches', rhs: test.value.source };
    case 'wildcard':
      return { op: 'Wildcard', rhs: textJson(test.value.source) };
    case 'strict wildcard':
      return { op: 'Strict Wildcard', rhs: textJson(test.value.source) };
    default:
      return { op: orderNames[test.operator], rhs: literalJson(test.value) };
  }
}

function setJson(set: LiteralSet): Json {
  switch (set.kind) {
    case 'Int':
      return set.items.map(({ first, last }) => ({ start: intJson(first), end: intJson(last) }));
    case 'Ip':
      return set.items.map((range) => {
        const isNetwork = range.prefixLength !== undefined || isEqualIp(range.first, range.last);
        return isNetwork ? formatRange(range) : { start: formatIp(range.first), end: formatIp(range.last) };
      });
    default:
      return set.items.map(bytesJson);
  }
}

function operandJson({ root, path }: Operand): Json {
  const first = root.kind === 'field' ? root.field.name : callJson(root);
  return path.length === 0 ? first : [first, ...path.map(indexJson)];
}

function callJson(call: Call): Json {
  return { name: call.function.name, args: call.args.map(argumentJson) };
}

function argumentJson(argument: Argument): Json {
  switch (argument.kind) {
    case 'operand':
      return { kind: 'IndexExpr', value: operandJson(argument) };
    case 'expression':
      return { kind: 'SimpleExpr', value: expressionJson(argument.expression) };
    default:
      return { kind: 'Literal', value: literalJson(argument) };
  }
}

function indexJson(index: Index): Json {
  switch (index.kind) {
    case 'each':
      return { kind: 'MapEach' };
    case 'index':
      return { kind: 'ArrayIndex', value: index.index };
    default:
      return { kind: 'MapKey', value: textOf(index.key)! };
  }
}

function literalJson(literal: Literal): Json {
  switch (literal.kind) {
    case 'Int':
      return intJson(literal);
    case 'Ip':
      return formatIp(literal.value);
    default:
      return bytesJson(literal);
  }
}

function intJson({ value, exact }: IntLiteral): Json {
  return Number.isSafeInteger(value) ? value : String(exact);
}

function bytesJson({ value, form }: BytesLiteral): Json {
  return form === 'bytes' ? numbersOf(value) : textJson(value);
}

function textJson(bytes: string): Json {
  return textOf(bytes) ?? numbersOf(bytes);
}

function numbersOf(bytes: string): number[] {
  return Array.from(bytes, (byte) => byte.charCodeAt(0));
}
