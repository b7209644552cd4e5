/** Conditions on events: trees of comparisons, compiled to one function. */
import { compile } from '#expressions';
import { type EventField, eventFields, type SecurityEvent } from './event.ts';
import { parseEventExpression } from './event-expression.ts';
import { createView } from './event-view.ts';

export const operators = ['eq', 'neq', 'gt', 'geq', 'lt', 'leq', 'in', 'notin', 'like', 'notlike'] as const;
export type Operator = (typeof operators)[number];

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | {
      readonly kind: 'test';
      readonly field: EventField;
      readonly operator: Operator;
      /** One value for most operators, any number for `in` and `notin`. */
      readonly values: readonly (string | number)[];
    }
  /** An expression of the rules language, evaluated on what the event contains of the request. */
  | { readonly kind: 'expression'; readonly expression: string };

export type EventTest = (event: SecurityEvent) => boolean;

/** Its expressions must be ones that `parseEventExpression` accepts. */
export function compileCondition(condition: Condition): EventTest {
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
    case 'expression': {
      const parsed = parseEventExpression(condition.expression);
      if (!parsed.ok)
        throw new TypeError(`an expression was not checked before it was run: ${parsed.reason}`);
      const isMatch = compile(parsed.tree);
      return (event) => isMatch(createView(event));
    }
    case 'test':
      return compileTest(condition);
  }
}

function compileTest({ field, operator, values }: Extract<Condition, { kind: 'test' }>): EventTest {
  const type = eventFields[field];
  const read =
    type === 'time'
      ? (event: SecurityEvent) => Date.parse(event.datetime)
      : (event: SecurityEvent) => event[field];
  const wanted = values.map((value) =>
    type === 'time' ? Date.parse(String(value)) : type === 'number' ? Number(value) : String(value),
  );
  const [first] = wanted;
  const set = new Set<string | number>(wanted);
  switch (operator) {
    case 'eq':
      return (event) => read(event) === first;
    case 'neq':
      return (event) => read(event) !== first;
    case 'gt':
      return (event) => read(event) > first!;
    case 'geq':
      return (event) => read(event) >= first!;
    case 'lt':
      return (event) => read(event) < first!;
    case 'leq':
      return (event) => read(event) <= first!;
    case 'in':
      return (event) => set.has(read(event));
    case 'notin':
      return (event) => !set.has(read(event));
    case 'like':
      return createLikeTest(String(first), read);
    case 'notlike': {
      const isLike = createLikeTest(String(first), read);
      return (event) => !isLike(event);
    }
  }
}

/** `%` matches any text. The time is linear: parts are found one after the other, the last from the end. */
function createLikeTest(pattern: string, read: (event: SecurityEvent) => string | number): EventTest {
  const pieces = pattern.toLowerCase().split('%');
  const first = pieces[0]!;
  const last = pieces.at(-1)!;
  return (event) => {
    const text = String(read(event)).toLowerCase();
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
