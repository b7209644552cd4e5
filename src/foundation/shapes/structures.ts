import { isObject } from '#base';
import { didYouMean } from '#text';
import { problemsMax } from './limits.ts';
import { pointerTo, type Sent, type Shape, type Shaped } from './shape.ts';
import { wrong } from './scalars.ts';

export interface OptionalShape<T, Sent = T> extends Shape<T, Sent> {
  readonly isOptional: true;
}

/** A field that may be missing. */
export function optional<T, Sent = T>(shape: Shape<T, Sent>): OptionalShape<T, Sent> {
  return { ...shape, read: shape.read.bind(shape), isOptional: true };
}

/** A field that clients send back as they received it; its value is ignored. */
export function ignored(): OptionalShape<unknown> {
  return { schema: { readOnly: true }, isOptional: true, read: () => undefined };
}

export type Fields = Readonly<Record<string, Shape<unknown>>>;
type OptionalKeys<F extends Fields> = {
  [K in keyof F]: F[K] extends { isOptional: true } ? K : never;
}[keyof F];

export type ObjectOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Shaped<F[K]>;
} & { readonly [K in OptionalKeys<F>]?: Shaped<F[K]> };

type SentObject<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Sent<F[K]>;
} & { readonly [K in OptionalKeys<F>]?: Sent<F[K]> };

/**
 * Every field must be listed here: any other is refused, with a guess at what was meant. Clients write all fields of
 * their types, so two things are ignored: null for an optional field, and an empty value of a field that is neither
 * listed here nor spelled similarly to one that is.
 */
export function object<const F extends Fields>(
  fields: F,
  description?: string,
): Shape<ObjectOf<F>, SentObject<F>> {
  const names = Object.keys(fields);
  const required = names.filter((name) => fields[name]!.isOptional !== true);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, fields[name]!.schema])),
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: false,
      ...(description === undefined ? {} : { description }),
    },
    read(value, pointer, problems) {
      const result: Record<string, unknown> = {};
      if (!isObject(value)) return wrong(problems, pointer, 'an object', value, result) as ObjectOf<F>;
      for (const key of Object.keys(value)) {
        if (problems.length >= problemsMax) break;
        if (Object.hasOwn(fields, key)) {
          if (isLeftOut(fields[key]!, value[key])) continue;
          const read = fields[key]!.read(value[key], pointerTo(pointer, key), problems);
          if (read !== undefined) result[key] = read;
          continue;
        }
        const guess = didYouMean(key, names);
        if (guess === '' && isEmpty(value[key])) continue;
        const message = `is not a known field${guess}`;
        problems.push({ pointer: pointerTo(pointer, key), message, isUnknownField: true });
      }
      for (const name of required) {
        if (!Object.hasOwn(value, name))
          problems.push({ pointer: pointerTo(pointer, name), message: 'is required' });
      }
      return result as ObjectOf<F>;
    },
  };
}

export function array<T, Sent>(
  items: Shape<T, Sent>,
  { min = 0, max }: { readonly min?: number; readonly max: number },
): Shape<readonly T[], readonly Sent[]> {
  return {
    schema: { type: 'array', items: items.schema, ...(min > 0 ? { minItems: min } : {}), maxItems: max },
    read(value, pointer, problems) {
      if (!Array.isArray(value)) return wrong(problems, pointer, 'an array', value, []);
      if (value.length < min || value.length > max) {
        const range = min === 0 ? `at most ${max}` : `${min} to ${max}`;
        problems.push({ pointer, message: `must have ${range} items: it has ${value.length}` });
        return [];
      }
      const result: T[] = [];
      for (const [index, item] of value.entries()) {
        if (problems.length >= problemsMax) break;
        result.push(items.read(item, pointerTo(pointer, index), problems));
      }
      return result;
    },
  };
}

/** An object used as a map: any key. */
export function map<T, Sent>(
  values: Shape<T, Sent>,
  { max }: { readonly max: number },
): Shape<Readonly<Record<string, T>>, Readonly<Record<string, Sent>>> {
  return {
    schema: { type: 'object', additionalProperties: values.schema, maxProperties: max },
    read(value, pointer, problems) {
      const result: Record<string, T> = {};
      if (!isObject(value)) return wrong(problems, pointer, 'an object', value, result);
      const entries = Object.entries(value);
      if (entries.length > max) {
        problems.push({ pointer, message: `must have at most ${max} keys: it has ${entries.length}` });
        return result;
      }
      for (const [key, each] of entries) {
        if (problems.length >= problemsMax) break;
        result[key] = values.read(each, pointerTo(pointer, key), problems);
      }
      return result;
    },
  };
}

/**
 * A list, or one item instead: some clients send the latter where the former is documented. It is described as a list:
 * a choice of both gives generated clients a type that is harder to use, and some of them code that fails where the
 * body is optional.
 */
export function arrayOrOne<T, Sent>(
  items: Shape<T, Sent>,
  limits: { readonly min?: number; readonly max: number },
): Shape<readonly T[], readonly Sent[] | Sent> {
  const many = array(items, limits);
  return {
    schema: { ...many.schema, description: 'One item by itself is taken as a list of one.' },
    read: (value, pointer, problems) =>
      isObject(value) ? [items.read(value, pointer, problems)] : many.read(value, pointer, problems),
  };
}

/** Null, for a field that may be missing and for which null is not a value. */
export function isLeftOut({ isOptional, takesNull }: Shape<unknown>, value: unknown): boolean {
  return value === null && isOptional === true && takesNull !== true;
}

/** An empty value; `false` and 0 are not. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === null || value === '';
}
