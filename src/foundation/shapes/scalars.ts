import { describeValue, type JsonSchema, type Problem, type Shape } from './shape.ts';

export function text(
  limits: {
    readonly min?: number;
    readonly max?: number;
    readonly pattern?: RegExp;
    readonly what?: string;
    readonly description?: string;
  } = {},
): Shape<string> {
  const { min = 0, max = 1024, pattern, what, description } = limits;
  return {
    schema: {
      type: 'string',
      ...(min > 0 ? { minLength: min } : {}),
      maxLength: max,
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
      ...(description === undefined ? {} : { description }),
    },
    read(value, pointer, problems) {
      if (typeof value !== 'string') return wrong(problems, pointer, 'a string', value, '');
      if (value.length < min || value.length > max) {
        const range = min === 0 ? `at most ${max}` : `${min} to ${max}`;
        problems.push({ pointer, message: `must have ${range} characters: it has ${value.length}` });
      } else if (pattern !== undefined && !pattern.test(value)) {
        wrong(problems, pointer, what ?? `a text like ${pattern.source}`, value, '');
      }
      return value;
    },
  };
}

export function integer(range: { readonly min: number; readonly max: number }): Shape<number> {
  const { min, max } = range;
  return {
    schema: { type: 'integer', minimum: min, maximum: max },
    read(value, pointer, problems) {
      if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max)
        return value as number;
      return wrong(problems, pointer, `a whole number from ${min} to ${max}`, value, min);
    },
  };
}

/** A number that may have a fraction. */
export function decimal(range: { readonly min: number; readonly max: number }): Shape<number> {
  const { min, max } = range;
  return {
    schema: { type: 'number', minimum: min, maximum: max },
    read(value, pointer, problems) {
      if (typeof value === 'number' && value >= min && value <= max) return value;
      return wrong(problems, pointer, `a number from ${min} to ${max}`, value, min);
    },
  };
}

export function flag(): Shape<boolean> {
  return {
    schema: { type: 'boolean' },
    read(value, pointer, problems) {
      return typeof value === 'boolean' ? value : wrong(problems, pointer, 'true or false', value, false);
    },
  };
}

export function choice<const Value extends string | number>(values: readonly Value[]): Shape<Value> {
  return {
    schema: enumeration(values),
    read(value, pointer, problems) {
      if (values.includes(value as Value)) return value as Value;
      return wrong(problems, pointer, `one of ${values.join(', ')}`, value, values[0]!);
    },
  };
}

export function nullable<T, Sent>(shape: Shape<T, Sent>): Shape<T | null, Sent | null> {
  return {
    schema: { anyOf: [shape.schema, { type: 'null' }] },
    takesNull: true,
    read: (value, pointer, problems) => (value === null ? null : shape.read(value, pointer, problems)),
  };
}

/** The same shape with additions to the schema: a description, or a rule that no shape can check. */
export function annotate<S extends Shape<unknown>>(shape: S, more: JsonSchema): S {
  return { ...shape, read: shape.read.bind(shape), schema: { ...shape.schema, ...more } };
}

/** A value with this shape that another room reads, which also reports its problems. */
export function readElsewhere<Sent>({ schema }: Shape<unknown, Sent>): Shape<unknown, Sent> {
  return { schema, takesNull: true, read: (value) => value };
}

/** A value that another room reads, which also reports its problems. */
export function unread(schema: JsonSchema): Shape<unknown> {
  return { schema, takesNull: true, read: (value) => value };
}

export function wrong<T>(problems: Problem[], pointer: string, rule: string, value: unknown, instead: T): T {
  problems.push({ pointer, message: `must be ${rule}: ${describeValue(value)}` });
  return instead;
}

/** The schema of an enumeration of words or numbers. Generators need the type in addition to the values. */
export function enumeration(values: readonly (string | number)[]): JsonSchema {
  return { type: values.every((value) => typeof value === 'string') ? 'string' : 'integer', enum: values };
}
