/** From the parameters of a search to a stretch of the log and a condition. Whatever is wrong is said with the fix. */
import { didYouMean } from '#base';
import {
  type Condition,
  type EventCursor,
  type EventField,
  eventFields,
  type EventRange,
  isEventField,
  type Operator,
  operators,
  parseEventExpression,
  retentionMs,
} from '#events';
import { fault, securityCodes, type SecuritySearch } from '#api';
import { parseMoment } from '#shapes';
import type { ZoneFacts } from '../../context/directory.ts';
import { conditionValuesMax, searchMsDefault } from './limits.ts';

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `15m`, `24h`, `7d`; nothing for other texts. */
export function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * unitsMs[unit!]!;
}

/** What is older than the plan keeps is not looked at, even if it is still there. */
export function rangeOf(query: SecuritySearch, { plan }: ZoneFacts, nowMs: number): EventRange {
  const sinceMs = timeOf('since', query.since, nowMs) ?? nowMs - searchMsDefault;
  const untilMs = timeOf('until', query.until, nowMs) ?? nowMs + 1;
  if (sinceMs >= untilMs) {
    throw fault(securityCodes.timeInvalid, { fill: { reason: 'since must be before until' } });
  }
  const condition = conditionOf(query);
  return {
    sinceMs: Math.max(sinceMs, nowMs - retentionMs[plan]),
    untilMs,
    ...(condition === undefined ? {} : { condition }),
  };
}

function timeOf(name: string, text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined || text === '') return undefined;
  const time = parseTime(text, nowMs);
  if (time !== undefined) return time;
  const reason = `${name} must be a time like 2026-01-31T12:00:00Z, or how long ago, like 15m: ${shown(text)}`;
  throw fault(securityCodes.timeInvalid, { fill: { reason } });
}

function parseTime(text: string, nowMs: number): number | undefined {
  const span = parseSpan(text);
  return span === undefined ? parseMoment(text) : nowMs - span;
}

type Conditions = Pick<SecuritySearch, 'where' | 'expression'>;

/** Undefined when everything will do. */
export function conditionOf({ where, expression }: Conditions): Condition | undefined {
  const parts: Condition[] = where.map(testOf);
  if (expression !== undefined && expression.trim() !== '') {
    const parsed = parseEventExpression(expression);
    if (!parsed.ok) throw fault(securityCodes.searchExpressionInvalid, { fill: { reason: parsed.reason } });
    parts.push({ kind: 'expression', expression });
  }
  return parts.length < 2 ? parts[0] : { kind: 'and', parts };
}

/** `action:in:block,log` */
function testOf(text: string): Condition {
  const [, field, operator, value] = /^([^:]*):([^:]*):(.*)$/s.exec(text) ?? [];
  if (value === undefined) throw wrongCondition(`must be field:operator:value: ${shown(text)}`);
  if (!isEventField(field!)) {
    throw wrongCondition(`there is no field ${shown(field!)}${didYouMean(field!, Object.keys(eventFields))}`);
  }
  if (!operators.includes(operator as Operator)) {
    throw wrongCondition(`there is no operator ${shown(operator!)}: use ${operators.join(', ')}`);
  }
  const isList = operator === 'in' || operator === 'notin';
  const values = isList ? value.split(',') : [value];
  if (values.length > conditionValuesMax)
    throw wrongCondition(`a list can have ${conditionValuesMax} values`);
  return {
    kind: 'test',
    field,
    operator: operator as Operator,
    values: operator!.endsWith('like') ? values : values.map((each) => valueOf(field, each)),
  };
}

function valueOf(field: EventField, text: string): string | number {
  switch (eventFields[field]) {
    case 'text':
      return text;
    case 'number':
      if (/^-?\d{1,15}$/.test(text)) return Number(text);
      throw wrongCondition(`${field} is a whole number: ${shown(text)}`);
    case 'time':
      if (parseMoment(text) !== undefined) return text;
      throw wrongCondition(`${field} is a time like 2026-01-31T12:00:00Z: ${shown(text)}`);
  }
}

function wrongCondition(reason: string): Error {
  return fault(securityCodes.searchConditionInvalid, { fill: { reason } });
}

export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
}

/** Cursors are opaque to clients: what is in them may change. */
export function cursorText({ atMs, sequence }: EventCursor): string {
  return Buffer.from(`${atMs}.${sequence}`).toString('base64url');
}

export function cursorFrom(text: string): EventCursor {
  const [, atMs, sequence] =
    /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(text.slice(0, 64), 'base64url').toString('latin1')) ?? [];
  if (atMs === undefined) throw fault(securityCodes.cursorInvalid);
  return { atMs: Number(atMs), sequence: Number(sequence) };
}
