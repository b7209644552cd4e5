/**
 * Converts the parameters of a search into a time range and a condition. Each error message says how to fix the parameter.
 */
import { didYouMean } from '#text';
import {
  type EventCondition,
  type EventCursor,
  type EventField,
  eventFields,
  type EventRange,
  isEventField,
  type FieldOperator,
  operators,
  parseEventExpression,
  retentionMs,
} from '#events';
import { fault, securityCodes, type SecuritySearch } from '#contract';
import { parseMoment } from '#shapes';
import type { ZoneFacts } from '../../context/directory.ts';
import { conditionValuesMax, searchMsDefault } from './limits.ts';

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90s`, `15m`, `24h` and `7d`; returns undefined for anything else. */
export function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * unitsMs[unit!]!;
}

/** Events older than the plan's retention are omitted, even if they still exist. */
export function readRange(query: SecuritySearch, zone: ZoneFacts, nowMs: number): EventRange {
  const condition = readCondition(query);
  return { ...readTimes(query, zone, nowMs), ...(condition === undefined ? {} : { condition }) };
}

/** The last hour by default. The part before the plan's retention is cut off. */
export function readTimes(
  { since, until }: Pick<SecuritySearch, 'since' | 'until'>,
  { plan }: ZoneFacts,
  nowMs: number,
): Pick<EventRange, 'sinceMs' | 'untilMs'> {
  const sinceMs = readTime('since', since, nowMs) ?? nowMs - searchMsDefault;
  const untilMs = readTime('until', until, nowMs) ?? nowMs + 1;
  if (sinceMs >= untilMs) {
    throw fault(securityCodes.timeInvalid, { fill: { reason: 'since must be before until' } });
  }
  return { sinceMs: Math.max(sinceMs, nowMs - retentionMs[plan]), untilMs };
}

function readTime(name: string, text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  const time = parseTime(text, nowMs);
  if (time !== undefined) return time;
  const reason = `${name} must be a time like 2026-01-31T12:00:00Z, or how long ago, like 15m: ${quoteShort(text)}`;
  throw fault(securityCodes.timeInvalid, { fill: { reason } });
}

function parseTime(text: string, nowMs: number): number | undefined {
  const span = parseSpan(text);
  return span === undefined ? parseMoment(text) : nowMs - span;
}

type Conditions = Pick<SecuritySearch, 'where' | 'expression'>;

/** Undefined if every event matches. */
export function readCondition({ where, expression }: Conditions): EventCondition | undefined {
  const parts: EventCondition[] = where.map(parseTest);
  if (expression !== undefined && expression.trim() !== '') {
    const parsed = parseEventExpression(expression);
    if (!parsed.ok) throw fault(securityCodes.searchExpressionInvalid, { fill: { reason: parsed.reason } });
    parts.push({ kind: 'expression', expression });
  }
  return parts.length < 2 ? parts[0] : { kind: 'and', parts };
}

/** Parses `action:in:block,log`. */
function parseTest(text: string): EventCondition {
  const [, field, operator, value] = /^([^:]*):([^:]*):(.*)$/s.exec(text) ?? [];
  if (value === undefined) throw createConditionFault(`must be field:operator:value: ${quoteShort(text)}`);
  if (!isEventField(field!)) {
    throw createConditionFault(
      `there is no field ${quoteShort(field!)}${didYouMean(field!, Object.keys(eventFields))}`,
    );
  }
  if (!operators.includes(operator as FieldOperator)) {
    throw createConditionFault(`there is no operator ${quoteShort(operator!)}: use ${operators.join(', ')}`);
  }
  const isList = operator === 'in' || operator === 'notin';
  const values = isList ? value.split(',') : [value];
  if (values.length > conditionValuesMax)
    throw createConditionFault(`a list can have ${conditionValuesMax} values`);
  return {
    kind: 'test',
    field,
    operator: operator as FieldOperator,
    values: operator!.endsWith('like') ? values : values.map((each) => readValue(field, each)),
  };
}

function readValue(field: EventField, text: string): string | number {
  switch (eventFields[field]) {
    case 'text':
      return text;
    case 'number':
      if (/^-?\d{1,15}$/.test(text)) return Number(text);
      throw createConditionFault(`${field} is a whole number: ${quoteShort(text)}`);
    case 'time':
      if (parseMoment(text) !== undefined) return text;
      throw createConditionFault(`${field} is a time like 2026-01-31T12:00:00Z: ${quoteShort(text)}`);
  }
}

function createConditionFault(reason: string): Error {
  return fault(securityCodes.searchConditionInvalid, { fill: { reason } });
}

export function quoteShort(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

/** Cursors are opaque to clients, so their content may change. */
export function writeCursor({ atMs, sequence }: EventCursor): string {
  return Buffer.from(`${atMs}.${sequence}`).toString('base64url');
}

export function readCursor(text: string): EventCursor {
  const [, atMs, sequence] =
    /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(text.slice(0, 64), 'base64url').toString('latin1')) ?? [];
  if (atMs === undefined) throw fault(securityCodes.cursorInvalid);
  return { atMs: Number(atMs), sequence: Number(sequence) };
}
