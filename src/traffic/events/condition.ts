/** Conditions on events: trees of comparisons, compiled to one function. */
import { compile } from '#expressions';
import { type EventField, eventFields, type SecurityEvent } from './event.ts';
import { parseEventExpression } from './event-expression.ts';
import { createView, type ViewedEvent } from './event-view.ts';

export const operators = ['eq', 'neq', 'gt', 'geq', 'lt', 'leq', 'in', 'notin', 'like', 'notlike'] as const;
export type FieldOperator = (typeof operators)[number];

export type EventCondition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly EventCondition[] }
  | { readonly kind: 'not'; readonly part: EventCondition }
  | FieldTest
  /** An expression of the rules language, evaluated on the event's data about its request. */
  | { readonly kind: 'expression'; readonly expression: string };

export interface FieldTest {
  readonly kind: 'test';
  readonly field: EventField;
  readonly operator: FieldOperator;
  /** One value for most operators, any number for `in` and `notin`. */
  readonly values: readonly (string | number)[];
}

export type EventTest = (event: SecurityEvent) => boolean;

/** Its expressions must be accepted by `parseEventExpression`. */
export function compileCondition(condition: EventCondition): EventTest {
  switch (condition.kind) {
    case 'and': {
      const parts = condition.parts.map(compileCondition);
      return (event) => parts.every((part) => part(event));
    }
    case 'or': {
      const parts = condition.parts.map(compileCondition);
      return (event) => parts.some((part) => part(event));
    }
    case 'not': {
      const part = compileCondition(condition.part);
      return (event) => !part(event);
    }
    case 'expression':
      return compileExpression(condition.expression);
    case 'test':
      return compileTest(condition);
  }
}

/** Reads the fields listed in `viewedFields`. */
export function compileExpression(expression: string): (event: ViewedEvent) => boolean {
  const parsed = parseEventExpression(expression);
  if (!parsed.ok) throw new TypeError(`an expression was not checked before it was run: ${parsed.reason}`);
  const isMatch = compile(parsed.tree);
  return (event) => isMatch(createView(event));
}

/** Tests one value. */
type ValueTest = (value: string | number) => boolean;

function compileTest(test: FieldTest): EventTest {
  const { field } = test;
  const isMatch = compileValueTest(test);
  return (event) => isMatch(event[field]);
}

/** Times are compared as points in time, whatever their spelling. */
export function compileValueTest({ field, operator, values }: FieldTest): ValueTest {
  const type = eventFields[field];
  const read: (value: string | number) => string | number =
    type === 'time' ? (value) => Date.parse(String(value)) : (value) => value;
  const wanted = values.map((value) =>
    type === 'time' ? Date.parse(String(value)) : type === 'number' ? Number(value) : String(value),
  );
  const [first] = wanted;
  const set = new Set<string | number>(wanted);
  switch (operator) {
    case 'eq':
      return (value) => read(value) === first;
    case 'neq':
      return (value) => read(value) !== first;
    case 'gt':
      return (value) => read(value) > first!;
    case 'geq':
      return (value) => read(value) >= first!;
    case 'lt':
      return (value) => read(value) < first!;
    case 'leq':
      return (value) => read(value) <= first!;
    case 'in':
      return (value) => set.has(read(value));
    case 'notin':
      return (value) => !set.has(read(value));
    case 'like':
      return createLikeTest(String(first), read);
    case 'notlike': {
      const isLike = createLikeTest(String(first), read);
      return (value) => !isLike(value);
    }
  }
}

/** `%` matches any text. Takes linear time: parts are found one after the other, the last from the end. */
function createLikeTest(pattern: string, read: (value: string | number) => string | number): ValueTest {
  const pieces = pattern.toLowerCase().split('%');
  const first = pieces[0]!;
  const last = pieces.at(-1)!;
  return (value) => {
    const text = String(read(value)).toLowerCase();
    if (pieces.length === 1) return text === first;
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
      return false;
    let at = first.length;
    for (const piece of pieces.slice(1, -1)) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= text.length - last.length;
  };
}
