/** The scalars of Cloudflare's schema, with the same names. */
import { GraphQLError, GraphQLScalarType } from 'graphql';
import { parseMoment } from '#shapes';

function createScalar<T>(name: string, description: string, read: (value: unknown) => T | undefined) {
  return new GraphQLScalarType<T, unknown>({
    name,
    description,
    coerceInputValue(value) {
      const result = read(value);
      if (result !== undefined) return result;
      throw new GraphQLError(`${name} cannot be ${toShortJson(value)}`);
    },
    coerceOutputValue: (value) => value,
  });
}

export function toShortJson(value: unknown): string {
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

/** Returns milliseconds. */
export function readMoment(value: unknown): number | undefined {
  return typeof value === 'string' ? parseMoment(value) : undefined;
}

const momentText = (value: unknown): string | undefined =>
  readMoment(value) === undefined ? undefined : (value as string);

export const stringType = createScalar('string', 'Text.', readText);
export const timeType = createScalar('Time', 'RFC 3339, such as 2026-01-31T12:00:00Z.', momentText);
export const dateType = createScalar('Date', 'A day, such as 2026-01-31.', momentText);
export const uint16Type = createScalar('uint16', 'A whole number.', readNumber);
export const uint32Type = createScalar('uint32', 'A whole number.', readNumber);
export const uint64Type = createScalar('uint64', 'A whole number.', readNumber);
export const float64Type = createScalar('float64', 'A number.', (value) =>
  typeof value === 'number' ? value : undefined,
);
