/** The scalars of the original's schema, by its names. */
import { GraphQLError, GraphQLScalarType } from 'graphql';
import { parseMoment } from '#shapes';

function scalar<T>(name: string, description: string, read: (value: unknown) => T | undefined) {
  return new GraphQLScalarType<T, unknown>({
    name,
    description,
    coerceInputValue(value) {
      const result = read(value);
      if (result !== undefined) return result;
      throw new GraphQLError(`${name} cannot be ${shortJson(value)}`);
    },
    coerceOutputValue: (value) => value,
  });
}

export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

export function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

export function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Milliseconds. */
export function readMoment(value: unknown): number | undefined {
  return typeof value === 'string' ? parseMoment(value) : undefined;
}

const momentText = (value: unknown): string | undefined =>
  readMoment(value) === undefined ? undefined : (value as string);

export const stringType = scalar('string', 'Text.', readText);
export const timeType = scalar('Time', 'RFC 3339, such as 2026-01-31T12:00:00Z.', momentText);
export const dateType = scalar('Date', 'A day, such as 2026-01-31.', momentText);
export const uint16Type = scalar('uint16', 'A whole number.', readNumber);
export const uint32Type = scalar('uint32', 'A whole number.', readNumber);
export const uint64Type = scalar('uint64', 'A whole number.', readNumber);
export const float64Type = scalar('float64', 'A number.', (value) =>
  typeof value === 'number' ? value : undefined,
);
