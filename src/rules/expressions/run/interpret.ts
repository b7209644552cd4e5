/**
 * The meaning of an expression, implemented as plainly as possible: closures over the tree, one per node. Tests compare
 * compiled lists and explanations with this, and it runs the few constructs that do not justify generated code.
 */
import { compareIp, isEqualIp, Ip } from '#addresses';
import { assert } from '#base';
import type {
  Argument,
  Call,
  Comparison,
  Expression,
  Filter,
  Operand,
  Predicate,
  ValueExpression,
} from '../ast.ts';
import { boolType } from '../types.ts';
import { toBits, sharesBits, type Value } from '../values.ts';
import { matchesWildcard } from '../wildcard.ts';
import { listChildren, getVisitedDepth } from './children.ts';
import { containsText } from './charges.ts';
import type { RunOptions } from './options.ts';
import { type RequestView, getSlot } from './request-view.ts';

type Evaluate<Result> = (request: RequestView) => Result;

/** Whether the request matches. */
export function interpret(filter: Filter, options: RunOptions = {}): Evaluate<boolean> {
  return interpretBool(filter.root, options);
}

/** The value for a rewrite; nil is `undefined`. */
export function interpretValue(
  expression: ValueExpression,
  options: RunOptions = {},
): Evaluate<Value | undefined> {
  return interpretArgument(expression.root, options);
}

function interpretBool(expression: Expression, options: RunOptions): Evaluate<boolean> {
  switch (expression.kind) {
    case 'and':
    case 'or':
    case 'xor': {
      const items = expression.items.map((item) => interpretBool(item, options));
      if (expression.kind === 'and') return (request) => items.every((item) => item(request));
      if (expression.kind === 'or') return (request) => items.some((item) => item(request));
      return (request) => items.filter((item) => item(request)).length % 2 === 1;
    }
    case 'not': {
      const item = interpretBool(expression.item, options);
      return (request) => !item(request);
    }
    case 'any':
    case 'all': {
      const { item } = expression;
      const list = item.kind === 'operand' ? interpretOperand(item, options) : interpretBools(item, options);
      return (request) => {
        const bools = list(request) as readonly boolean[] | undefined;
        if (bools === undefined) return false;
        return expression.kind === 'any' ? bools.includes(true) : !bools.includes(false);
      };
    }
    case 'truth': {
      const operand = interpretOperand(expression.operand, options);
      return (request) => operand(request) === true;
    }
    default: {
      const operand = interpretOperand(expression.operand, options);
      const test = interpretPredicate(expression, options);
      const ofNil = isTrueOfNil(expression.predicate, options);
      return (request) => {
        const value = operand(request);
        return value === undefined ? ofNil : test(value);
      };
    }
  }
}

export function isTrueOfNil(test: Predicate, options: RunOptions): boolean {
  return test.operator === 'ne' && options.nilNotEqual === true;
}

/** Interprets an expression of type `Array<Bool>`. */
export function interpretBools(expression: Expression, options: RunOptions): Evaluate<readonly boolean[]> {
  switch (expression.kind) {
    case 'and':
    case 'or':
    case 'xor': {
      const items = expression.items.map((item) => interpretBools(item, options));
      return (request) =>
        zip(
          expression.kind,
          items.map((item) => item(request)),
        );
    }
    case 'not': {
      const item = interpretBools(expression.item, options);
      return (request) => item(request).map((bool) => !bool);
    }
    case 'truth': {
      const { operand } = expression;
      if (operand.eachCount > 0) return interpretElements(operand, options) as Evaluate<readonly boolean[]>;
      const value = interpretOperand(operand, options);
      return (request) => (value(request) ?? []) as readonly boolean[];
    }
    default: {
      assert(expression.kind === 'comparison', 'any and all are Bool, not Array<Bool>');
      const elements = interpretElements(expression.operand, options);
      const test = interpretPredicate(expression, options);
      return (request) => elements(request).map((element) => test(element));
    }
  }
}

/** Combines position by position, up to the shortest list. */
export function zip(kind: 'and' | 'or' | 'xor', lists: readonly (readonly boolean[])[]): boolean[] {
  const length = Math.min(...lists.map((list) => list.length));
  return Array.from({ length }, (_, position) => {
    const bools = lists.map((list) => list[position]!);
    if (kind === 'and') return !bools.includes(false);
    if (kind === 'or') return bools.includes(true);
    return bools.filter(Boolean).length % 2 === 1;
  });
}

/** The value of an operand without `[*]`. */
export function interpretOperand(operand: Operand, options: RunOptions): Evaluate<Value | undefined> {
  const root = interpretRoot(operand.root, options);
  return (request) => {
    let value = root(request);
    for (const index of operand.path) {
      if (value === undefined) return undefined;
      if (index.kind === 'index') value = (value as readonly Value[])[index.index];
      else if (index.kind === 'key') value = (value as ReadonlyMap<string, Value>).get(index.key);
    }
    return value;
  };
}

/** The elements of an operand with `[*]`, without those in which a later index finds nothing. */
export function interpretElements(operand: Operand, options: RunOptions): Evaluate<readonly Value[]> {
  const elements = interpretVisited(operand, options);
  return (request) => elements(request) ?? [];
}

/** The same, but nil if there is nothing to visit, because a call that is mapped over nil is nil. */
function interpretVisited(operand: Operand, options: RunOptions): Evaluate<readonly Value[] | undefined> {
  const depth = getVisitedDepth(operand);
  const visited = interpretOperand({ ...operand, path: operand.path.slice(0, depth) }, options);
  const path = operand.path.slice(depth);
  return (request) => {
    const value = visited(request);
    return value === undefined ? undefined : collectElements(value, path);
  };
}

function collectElements(value: Value, path: Operand['path']): readonly Value[] {
  let elements = [value];
  for (const index of path) {
    elements = elements.flatMap((element) => {
      if (index.kind === 'each') return listChildren(element);
      const child =
        index.kind === 'index'
          ? (element as readonly Value[])[index.index]
          : (element as ReadonlyMap<string, Value>).get(index.key);
      return child === undefined ? [] : [child];
    });
  }
  return elements;
}

function interpretRoot(root: Operand['root'], options: RunOptions): Evaluate<Value | undefined> {
  if (root.kind === 'call') return interpretCall(root, options);
  const slot = getSlot(root.field);
  return (request) => request.get(slot);
}

/** Passes the arguments in order, then the fields that the function reads itself. */
function interpretCall(call: Call, options: RunOptions): Evaluate<Value | undefined> {
  const run = call.function.prepare(call.args) as (
    ...values: readonly (Value | undefined)[]
  ) => Value | undefined;
  const [first, ...others] = call.args;
  const slots = call.alsoReads.map(getSlot);
  const rest = others.map((argument) => interpretArgument(argument, options));
  const restOf: Evaluate<(Value | undefined)[]> = (request) => [
    ...rest.map((argument) => argument(request)),
    ...slots.map((slot) => request.get(slot)),
  ];
  if (first === undefined) return (request) => run(...restOf(request));
  if (call.isMapped) {
    const elements = interpretVisited(first as Operand, options);
    return (request) =>
      elements(request)
        ?.map((element) => run(element, ...restOf(request)))
        .filter((result) => result !== undefined);
  }
  const value = interpretArgument(first, options);
  return (request) => run(value(request), ...restOf(request));
}

function interpretArgument(argument: Argument, options: RunOptions): Evaluate<Value | undefined> {
  if (argument.kind === 'operand') return interpretOperand(argument, options);
  if (argument.kind !== 'expression') return () => argument.value;
  const { expression } = argument;
  return expression.type === boolType
    ? interpretBool(expression, options)
    : interpretBools(expression, options);
}

/** The predicate of a comparison, for a value that is not nil. */
export function interpretPredicate(
  { predicate }: Comparison,
  options: RunOptions,
): (value: Value) => boolean {
  switch (predicate.operator) {
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge': {
      const literal = predicate.value.value;
      return (value) => isInOrder(value, predicate.operator, literal);
    }
    case 'bitwise_and': {
      const bits = toBits(predicate.value.exact);
      return (value) => sharesBits(value as number, bits);
    }
    case 'contains':
      return (value) => containsText(value as string, predicate.value.value);
    case 'matches':
      return (value) => predicate.value.pattern.test(value as string);
    case 'wildcard':
    case 'strict wildcard':
      return (value) => matchesWildcard(predicate.value.wildcard, value as string);
    case 'in': {
      const { set } = predicate;
      if (set.kind === 'Bytes') return (value) => set.items.some((item) => item.value === value);
      if (set.kind === 'Ip')
        return (value) => set.items.some(({ first, last }) => isBetween(value as Ip, first, last));
      return (value) =>
        set.items.some(
          ({ first, last }) => first.value <= (value as number) && (value as number) <= last.value,
        );
    }
    default: {
      const list = options.lists?.get(predicate.list);
      return (value) => list?.has(value) ?? false;
    }
  }
}

function isInOrder(value: Value, operator: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge', literal: Value): boolean {
  if (value instanceof Ip && literal instanceof Ip) {
    if (operator === 'eq') return isEqualIp(value, literal);
    if (operator === 'ne') return !isEqualIp(value, literal);
    if (value.family !== literal.family) return false;
    return isInOrder(compareIp(value, literal), operator, 0);
  }
  switch (operator) {
    case 'eq':
      return value === literal;
    case 'ne':
      return value !== literal;
    case 'lt':
      return value < literal;
    case 'le':
      return value <= literal;
    case 'gt':
      return value > literal;
    default:
      return value >= literal;
  }
}

function isBetween(value: Ip, first: Ip, last: Ip): boolean {
  return value.family === first.family && compareIp(first, value) <= 0 && compareIp(value, last) <= 0;
}
