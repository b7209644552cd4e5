/**
 * The results of operations, described by the same shapes as their input: the description types the handler that
 * returns the result and the client that receives it, and is the schema of the OpenAPI document. Bounds and unknown
 * fields are not checked, because Gatehouse itself writes the results; a later version may add fields.
 *
 * ```ts
 * const filter = named('Filter', record({ id: string, expression: string, ref: optional(string) }));
 * type Filter = Shaped<typeof filter>; // { readonly id: string; readonly expression: string; readonly ref?: string }
 * ```
 */
import { isObject } from '#base';
import { named } from './named.ts';
import { wrong } from './scalars.ts';
import { pointerTo, type Problem, type Shape, type Shaped } from './shape.ts';
import { type Fields, isLeftOut, type ObjectOf } from './structures.ts';

export const string: Shape<string> = {
  schema: { type: 'string' },
  read: (value, pointer, problems) =>
    typeof value === 'string' ? value : wrong(problems, pointer, 'a string', value, ''),
};

export const number: Shape<number> = {
  schema: { type: 'number' },
  read: (value, pointer, problems) =>
    typeof value === 'number' ? value : wrong(problems, pointer, 'a number', value, 0),
};

export const whole: Shape<number> = {
  schema: { type: 'integer' },
  read: (value, pointer, problems) =>
    Number.isInteger(value) ? (value as number) : wrong(problems, pointer, 'a whole number', value, 0),
};

/** A point in time as clients receive it: RFC 3339. */
export const timestamp: Shape<string> = { ...string, schema: { type: 'string', format: 'date-time' } };

export const nothing: Shape<null> = {
  schema: { type: 'null' },
  takesNull: true,
  read: (value, pointer, problems) => (value === null ? null : wrong(problems, pointer, 'null', value, null)),
};

/** Any JSON. */
export const json: Shape<unknown> = { schema: {}, takesNull: true, read: (value) => value };

export function constant<const Value extends string | boolean>(only: Value): Shape<Value> {
  return {
    schema: { type: typeof only, const: only },
    read: (value, pointer, problems) =>
      value === only ? only : wrong(problems, pointer, JSON.stringify(only), value, only),
  };
}

/** An object with at least these fields; other fields are unknown. Null for an optional field counts as left out. */
export function record<const F extends Fields>(fields: F, description?: string): Shape<ObjectOf<F>> {
  const names = Object.keys(fields);
  const required = names.filter((name) => fields[name]!.isOptional !== true);
  return {
    schema: {
      type: 'object',
      ...(description === undefined ? {} : { description }),
      ...(required.length === 0 ? {} : { required }),
      ...(names.length === 0
        ? {}
        : { properties: Object.fromEntries(names.map((name) => [name, fields[name]!.schema])) }),
    },
    read(value, pointer, problems) {
      if (!isObject(value)) return wrong(problems, pointer, 'an object', value, {} as ObjectOf<F>);
      const result: Record<string, unknown> = { ...value };
      for (const name of names) {
        const field = fields[name]!;
        if (isLeftOut(field, value[name])) delete result[name];
        else if (Object.hasOwn(value, name))
          result[name] = field.read(value[name], pointerTo(pointer, name), problems);
        else if (required.includes(name))
          problems.push({ pointer: pointerTo(pointer, name), message: 'is required' });
      }
      return result as ObjectOf<F>;
    },
  };
}

export function listOf<T>(items: Shape<T>): Shape<readonly T[]> {
  return {
    schema: { type: 'array', items: items.schema },
    read(value, pointer, problems) {
      if (!Array.isArray(value)) return wrong(problems, pointer, 'an array', value, []);
      return value.map((item, index) => items.read(item, pointerTo(pointer, index), problems));
    },
  };
}

/** An object with any keys. */
export function mapOf<T>(values: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    schema: { type: 'object', additionalProperties: values.schema },
    read(value, pointer, problems) {
      if (!isObject(value)) return wrong(problems, pointer, 'an object', value, {});
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [
          key,
          values.read(each, pointerTo(pointer, key), problems),
        ]),
      );
    },
  };
}

/** One of several shapes; the first that matches is used. */
export function either<const S extends readonly Shape<unknown>[]>(...shapes: S): Shape<Shaped<S[number]>> {
  return {
    schema: { anyOf: shapes.map(({ schema }) => schema) },
    takesNull: shapes.some(({ takesNull }) => takesNull === true),
    read(value, pointer, problems) {
      let first: Problem[] | undefined;
      for (const shape of shapes) {
        const found: Problem[] = [];
        const read = shape.read(value, pointer, found);
        if (found.length === 0) return read as Shaped<S[number]>;
        first ??= found;
      }
      problems.push(...(first ?? []));
      return value as Shaped<S[number]>;
    },
  };
}

/** A description for a type that another room defines. */
export function typed<T>({ schema }: Shape<unknown>): Shape<T> {
  return { schema, takesNull: true, read: (value) => value as T };
}

/** The result of a deletion. */
export const deleted = named('Deleted', record({ id: string }));

/** Several fields of one shape. */
export function fields<const Name extends string, S extends Shape<unknown>>(
  names: readonly Name[],
  shape: S,
): Readonly<Record<Name, S>> {
  return Object.fromEntries(names.map((name) => [name, shape])) as Record<Name, S>;
}
