/** Query parameters: text on the wire, typed for handlers. A parameter that is missing has its default. */
import { enumeration } from './scalars.ts';
import { describeValue, type JsonSchema } from './shape.ts';

export interface Parameter<T> {
  readonly schema: JsonSchema;
  readonly description?: string;
  /** Every value that was given, in order; none when the parameter is missing. Problems are sentences about it. */
  read(values: readonly string[], problems: string[]): T;
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type ParametersOf<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer T> ? T : never;
};

/**
 * What a parameter that has one value was given. Two values contradict each other, and neither the first nor the last
 * is what the client is known to mean.
 */
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

/** Out of range is brought into it: clients ask for pages of one item, and of a thousand. */
export function countParameter(options: {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}): Parameter<number> {
  const { fallback, min, max } = options;
  return {
    schema: { type: 'integer', minimum: min, maximum: max, default: fallback },
    read(values, problems) {
      const value = singleValue(values, problems);
      if (value === undefined || value === '') return fallback;
      if (!/^-?\d{1,15}$/.test(value)) {
        problems.push(`must be a whole number: ${describeValue(value)}`);
        return fallback;
      }
      return Math.min(Math.max(Number(value), min), max);
    },
  };
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

/** The same name again and again: `?id=a&id=b`. */
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

/** `page` and `per_page`, with the range that the list has at Cloudflare. */
export function pageParameters(range: { readonly fallback: number; readonly max: number }): {
  readonly page: Parameter<number>;
  readonly per_page: Parameter<number>;
} {
  return {
    page: countParameter({ fallback: 1, min: 1, max: 1_000_000 }),
    per_page: countParameter({ fallback: range.fallback, min: 1, max: range.max }),
  };
}
