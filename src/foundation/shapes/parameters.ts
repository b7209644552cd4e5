/** Query parameters: text on the wire, typed for handlers. A parameter that is missing has its default. */
import { enumeration } from './scalars.ts';
import { describeValue, type JsonSchema } from './shape.ts';

export interface Parameter<T> {
  readonly schema: JsonSchema;
  readonly description?: string;
  /** Parses all given values, in order; empty if the parameter is missing. Problems are sentences about it. */
  read(values: readonly string[], problems: string[]): T;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type ParametersOf<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/** The value of a parameter that takes one. Two values contradict each other, and the client's intention is unknown. */
export function singleValue(values: readonly string[], problems: string[]): string | undefined {
  const [first] = values;
  const other = values.find((value) => value !== first);
  if (first !== undefined && other !== undefined) {
    problems.push(`must have one value: it has ${describeValue(first)} and ${describeValue(other)}`);
  }
  return first;
}

export function textParameter(description?: string): Parameter<string | undefined> {
  return {
    schema: { type: 'string' },
    ...(description === undefined ? {} : { description }),
    read: singleValue,
  };
}

interface CountRange {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/**
 * A value below the minimum is raised to it: clients request pages without items. A value above the maximum is refused:
 * a client that requests a thousand items and gets fifty takes them for the complete list.
 */
export function countParameter({ fallback, min, max }: CountRange): Parameter<number> {
  return {
    schema: { type: 'integer', minimum: min, maximum: max, default: fallback },
    read(values, problems) {
      const count = readCount(values, problems) ?? fallback;
      if (count > max) problems.push(`must be at most ${max}: ${count}`);
      return Math.min(Math.max(count, min), max);
    },
  };
}

/** Undefined if there is none, or if it is not a number. */
function readCount(values: readonly string[], problems: string[]): number | undefined {
  const value = singleValue(values, problems);
  if (value === undefined || value === '') return undefined;
  if (/^-?\d{1,15}$/.test(value)) return Number(value);
  problems.push(`must be a whole number: ${describeValue(value)}`);
  return undefined;
}

export function flagParameter(description?: string): Parameter<boolean | undefined> {
  return {
    schema: { type: 'boolean' },
    ...(description === undefined ? {} : { description }),
    read(values, problems) {
      const value = singleValue(values, problems);
      if (value === undefined || value === '') return undefined;
      if (value === 'true' || value === '1') return true;
      if (value !== 'false' && value !== '0') problems.push(`must be true or false: ${describeValue(value)}`);
      return false;
    },
  };
}

export function choiceParameter<const Value extends string>(
  values: readonly Value[],
  description?: string,
): Parameter<Value | undefined> {
  return {
    schema: enumeration(values),
    ...(description === undefined ? {} : { description }),
    read(given, problems) {
      const value = singleValue(given, problems);
      if (value === undefined || values.includes(value as Value)) return value as Value | undefined;
      problems.push(`must be one of ${values.join(', ')}: ${describeValue(value)}`);
      return undefined;
    },
  };
}

/** A repeated name: `?id=a&id=b`. */
export function repeatedParameter(options: { readonly max: number }): Parameter<readonly string[]> {
  return {
    schema: { type: 'array', items: { type: 'string' }, maxItems: options.max },
    read(values, problems) {
      if (values.length > options.max)
        problems.push(`must be given at most ${options.max} times: ${values.length}`);
      return values;
    },
  };
}

/** Beyond any list: (page - 1) * per_page stays within SQLite's integers. */
const pageMax = 1_000_000;

/** A page after the last one is empty, however far, because clients continue until one is. */
const pageNumber: Parameter<number> = {
  schema: { type: 'integer', minimum: 1, default: 1 },
  read: (values, problems) => Math.min(Math.max(readCount(values, problems) ?? 1, 1), pageMax),
};

/** `page` and `per_page`, with Cloudflare's range for the list. */
export function pageParameters(range: { readonly fallback: number; readonly max: number }): {
  readonly page: Parameter<number>;
  readonly per_page: Parameter<number>;
} {
  return {
    page: pageNumber,
    per_page: countParameter({ fallback: range.fallback, min: 1, max: range.max }),
  };
}
