/** Points in time on the wire: RFC 3339, a date alone being its first instant in UTC. For handlers: milliseconds. */
import { type Parameter, singleValue } from './parameters.ts';
import { wrong } from './scalars.ts';
import { describeValue, type Shape } from './shape.ts';

const rule = 'a time like 2024-01-31T12:00:00Z';
const rfc3339 =
  /^\d{4}-\d\d-\d\d(?:[Tt ][0-2]\d:[0-5]\d:[0-6]\d(?:\.\d{1,9})?(?:[Zz]|[+-][0-2]\d:[0-5]\d))?$/;

export function moment(): Shape<number, string> {
  return {
    schema: { type: 'string', format: 'date-time' },
    read(value, pointer, problems) {
      const ms = typeof value === 'string' ? parseMoment(value) : undefined;
      return ms ?? wrong(problems, pointer, rule, value, 0);
    },
  };
}

export function momentParameter(description: string): Parameter<number | undefined> {
  return {
    schema: { type: 'string', format: 'date-time' },
    description,
    read(values, problems) {
      const value = singleValue(values, problems);
      if (value === undefined || value === '') return undefined;
      const ms = parseMoment(value);
      if (ms === undefined) problems.push(`must be ${rule}: ${describeValue(value)}`);
      return ms;
    },
  };
}

export function parseMoment(text: string): number | undefined {
  if (!rfc3339.test(text)) return undefined;
  const ms = Date.parse(text.toUpperCase().replace(' ', 'T'));
  return Number.isNaN(ms) ? undefined : ms;
}
