/**
 * Converts a filter into a condition on events and a time range. Values are validated even if they passed the schema:
 * scripts declare variables with types of their own, which are not checked against the arguments they are used for.
 */
import { GraphQLError } from 'graphql';
import type { EventCondition, EventRange, FieldOperator } from '#events';
import { type Column, columns } from './columns.ts';
import { filterDepthMax, filterValuesMax, testsMax } from './limits.ts';
import { readMoment, readNumber, readText, toShortJson, stringType } from './scalars.ts';

const suffixes: Readonly<Record<string, FieldOperator>> = {
  '': 'eq',
  _neq: 'neq',
  _gt: 'gt',
  _geq: 'geq',
  _lt: 'lt',
  _leq: 'leq',
  _in: 'in',
  _notin: 'notin',
  _like: 'like',
  _notlike: 'notlike',
};

export interface FilterKey {
  readonly column: Column;
  readonly operator: FieldOperator;
}

/** `action_in` and all other keys of filters. Only text can be matched by patterns. */
export const filterKeys: ReadonlyMap<string, FilterKey> = new Map(
  [...columns.values()].flatMap((column) =>
    Object.entries(suffixes)
      .filter(([, operator]) => column.type === stringType || !operator.endsWith('like'))
      .map(([suffix, operator]) => [`${column.name}${suffix}`, { column, operator }] as const),
  ),
);

/** The filter as a condition; the range is what its comparisons of time allow. */
export function readFilterRange(filter: unknown): EventRange {
  const condition = new FilterReader().read(filter, 0);
  return { ...findBounds(condition), condition };
}

class FilterReader {
  #tests = 0;
  #values = 0;

  read(filter: unknown, depth: number): EventCondition {
    if (filter === undefined || filter === null) return always;
    if (typeof filter !== 'object' || Array.isArray(filter)) {
      throw new GraphQLError(`a filter must be an object: ${toShortJson(filter)}`);
    }
    if (depth > filterDepthMax) throw new GraphQLError(`a filter can be ${filterDepthMax} levels deep`);
    const parts = Object.entries(filter)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => this.#readEntry(key, value, depth));
    return { kind: 'and', parts };
  }

  #readEntry(key: string, value: unknown, depth: number): EventCondition {
    if (key === 'AND' || key === 'OR') {
      const parts = [value].flat().map((each) => this.read(each, depth + 1));
      return { kind: key === 'AND' ? 'and' : 'or', parts };
    }
    const known = filterKeys.get(key);
    if (known === undefined) throw new GraphQLError(`a filter has no ${toShortJson(key)}`);
    if (++this.#tests > testsMax) throw new GraphQLError(`a filter can have ${testsMax} tests`);
    const values = [value].flat();
    this.#values += values.length;
    if (this.#values > filterValuesMax) throw new GraphQLError(`a filter can have ${filterValuesMax} values`);
    return known.column.kind === 'field'
      ? createFieldTest(key, known.column, known.operator, values)
      : createTimeTest(
          known.column.bucketMs,
          known.operator,
          values.map((each) => requireMoment(key, each)),
        );
  }
}

const always: EventCondition = { kind: 'and', parts: [] };
const never: EventCondition = { kind: 'or', parts: [] };

function createFieldTest(
  key: string,
  { name, type }: Extract<Column, { kind: 'field' }>,
  operator: FieldOperator,
  given: readonly unknown[],
): EventCondition {
  const values = given.map((each) => {
    const value = type === stringType ? readText(each) : readNumber(each);
    if (value !== undefined) return value;
    throw new GraphQLError(`${key} must be of type ${type.name}: ${toShortJson(each)}`);
  });
  return { kind: 'test', field: name, operator, values };
}

function requireMoment(key: string, value: unknown): number {
  const ms = readMoment(value);
  if (ms === undefined)
    throw new GraphQLError(`${key} must be a time like 2026-01-31T12:00:00Z: ${toShortJson(value)}`);
  return ms;
}

/** Times are compared at the resolution at which they are shown; events have milliseconds. */
function createTimeTest(
  bucketMs: number,
  operator: FieldOperator,
  moments: readonly number[],
): EventCondition {
  const [first = 0] = moments;
  const roundedUp = Math.ceil(first / bucketMs) * bucketMs;
  const next = (Math.floor(first / bucketMs) + 1) * bucketMs;
  switch (operator) {
    case 'geq':
      return createSince(roundedUp);
    case 'gt':
      return createSince(next);
    case 'leq':
      return createBefore(next);
    case 'lt':
      return createBefore(roundedUp);
    case 'neq':
    case 'notin':
      return { kind: 'not', part: createAnyOf(bucketMs, moments) };
    default:
      return createAnyOf(bucketMs, moments);
  }
}

function createAnyOf(bucketMs: number, moments: readonly number[]): EventCondition {
  const parts = moments.map((ms): EventCondition => {
    if (ms % bucketMs !== 0) return never;
    return { kind: 'and', parts: [createSince(ms), createBefore(ms + bucketMs)] };
  });
  return parts.length === 1 ? parts[0]! : { kind: 'or', parts };
}

function createSince(ms: number): EventCondition {
  return { kind: 'test', field: 'datetime', operator: 'geq', values: [new Date(ms).toISOString()] };
}

function createBefore(ms: number): EventCondition {
  return { kind: 'test', field: 'datetime', operator: 'lt', values: [new Date(ms).toISOString()] };
}

type Bounds = Pick<EventRange, 'sinceMs' | 'untilMs'>;

/** A range that contains all matching events. */
function findBounds(condition: EventCondition): Bounds {
  if (condition.kind === 'and') {
    const bounds = condition.parts.map(findBounds);
    return {
      sinceMs: Math.max(0, ...bounds.map(({ sinceMs }) => sinceMs)),
      untilMs: Math.min(Number.MAX_SAFE_INTEGER, ...bounds.map(({ untilMs }) => untilMs)),
    };
  }
  const isTime = condition.kind === 'test' && condition.field === 'datetime';
  const ms = isTime ? Date.parse(String(condition.values[0])) : 0;
  return {
    sinceMs: isTime && condition.operator === 'geq' ? ms : 0,
    untilMs: isTime && condition.operator === 'lt' ? ms : Number.MAX_SAFE_INTEGER,
  };
}
