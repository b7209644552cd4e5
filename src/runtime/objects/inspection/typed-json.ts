/**
 * Stored values as JSON that a person can read, change and send back. JSON values represent themselves; every other
 * value is an object with one name that begins with `$`.
 *
 * | value | JSON |
 * |---|---|
 * | `undefined`, `NaN`, `-0`, `Infinity` | `{"$undefined": true}`, `{"$number": "NaN"}` |
 * | `5n` | `{"$bigint": "5"}` |
 * | `Date` | `{"$date": "2026-01-31T12:00:00.000Z"}`, null for an invalid one |
 * | `RegExp` | `{"$regexp": ["a+", "g"]}` |
 * | `Map`, `Set` | `{"$map": [["key", 1]]}`, `{"$set": [1, 2]}` |
 * | `ArrayBuffer`, typed arrays | `{"$bytes": "AAE="}`, `{"$Uint8Array": "AAE="}` |
 * | an object with one name that begins with `$` | `{"$object": [["$date", 1]]}` |
 *
 * A value that cannot be represented exactly (errors, holes in arrays, the same object in two places) has no such JSON.
 */
const depthMax = 200;

const arrays = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
} as const;

type TypedJson = null | boolean | number | string | TypedJson[] | { [name: string]: TypedJson };

class NotRepresentable extends Error {}

/** The value as JSON text; undefined if no JSON represents it exactly. */
export function toTypedJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(say(value, new Set(), 0), undefined, 2);
  } catch (error) {
    if (error instanceof NotRepresentable) return undefined;
    throw error;
  }
}

/** Throws a `TypeError` that states what is wrong, and where. */
export function fromTypedJson(text: string): unknown {
  let json: TypedJson;
  try {
    json = JSON.parse(text) as TypedJson;
  } catch (error) {
    throw new TypeError(`the value is not JSON: ${(error as Error).message}`, { cause: error });
  }
  return read(json, '', 0);
}

function say(value: unknown, seen: Set<object>, depth: number): TypedJson {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value === undefined) return { $undefined: true };
  if (typeof value === 'bigint') return { $bigint: String(value) };
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { $number: Object.is(value, -0) ? '-0' : String(value) };
  if (typeof value !== 'object' || seen.has(value) || depth > depthMax) throw new NotRepresentable();
  seen.add(value);
  return sayObject(value, (inner) => say(inner, seen, depth + 1));
}

function sayObject(value: object, inside: (inner: unknown) => TypedJson): TypedJson {
  if (Array.isArray(value)) {
    if (Object.keys(value).length !== value.length) throw new NotRepresentable();
    return value.map(inside);
  }
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() };
  if (value instanceof RegExp) return { $regexp: [value.source, value.flags] };
  if (value instanceof Map)
    return { $map: [...value].map(([key, inner]) => [inside(key), inside(inner)] as TypedJson) };
  if (value instanceof Set) return { $set: [...value].map(inside) };
  if (value instanceof ArrayBuffer) return { $bytes: Buffer.from(value).toString('base64') };
  if (ArrayBuffer.isView(value)) return sayArray(value);
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new NotRepresentable();
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0]![0].startsWith('$'))
    return { $object: entries.map(([name, inner]) => [name, inside(inner)]) };
  return Object.fromEntries(entries.map(([name, inner]) => [name, inside(inner)]));
}

function sayArray(view: ArrayBufferView): TypedJson {
  const { name } = view.constructor;
  // A view of a part of a buffer also keeps the rest of it.
  if (!(name in arrays) || view.byteLength !== view.buffer.byteLength) throw new NotRepresentable();
  return { [`$${name}`]: Buffer.from(view.buffer).toString('base64') };
}

function read(json: TypedJson, at: string, depth: number): unknown {
  if (depth > depthMax) throw new TypeError(`the value is nested more than ${depthMax} deep`);
  if (json === null || typeof json !== 'object') return json;
  const inside = (inner: TypedJson, step: string | number): unknown =>
    read(inner, `${at}/${step}`, depth + 1);
  if (Array.isArray(json)) return json.map(inside);
  const entries = Object.entries(json);
  const [name, content] = entries[0] ?? ['', null];
  if (entries.length === 1 && name.startsWith('$')) return readTagged(name.slice(1), content, { at, inside });
  return Object.fromEntries(entries.map(([key, inner]) => [key, inside(inner, key)]));
}

interface JsonLocation {
  readonly at: string;
  readonly inside: (inner: TypedJson, step: string | number) => unknown;
}

function readTagged(tag: string, content: TypedJson, { at, inside }: JsonLocation): unknown {
  const refuse = (rule: string): TypeError =>
    new TypeError(`$${tag} at ${at === '' ? 'the top' : at} must be ${rule}`);
  const readPairs = (): (readonly [unknown, unknown])[] => {
    if (!Array.isArray(content) || !content.every((pair) => Array.isArray(pair) && pair.length === 2))
      throw refuse('a list of pairs');
    return content.map((pair, index) => [
      inside((pair as TypedJson[])[0]!, index),
      inside((pair as TypedJson[])[1]!, index),
    ]);
  };
  switch (tag) {
    case 'undefined':
      return undefined;
    case 'number':
      if (typeof content !== 'string' || !['NaN', 'Infinity', '-Infinity', '-0'].includes(content))
        throw refuse('NaN, Infinity, -Infinity or -0');
      return Number(content);
    case 'bigint':
      if (typeof content !== 'string' || !/^-?\d{1,1000}$/.test(content))
        throw refuse('a whole number as text');
      return BigInt(content);
    case 'date': {
      if (content === null) return new Date(Number.NaN);
      const date = new Date(typeof content === 'string' ? content : Number.NaN);
      if (Number.isNaN(date.getTime())) throw refuse('a time such as 2026-01-31T12:00:00Z, or null');
      return date;
    }
    case 'regexp':
      return readRegExp(content, refuse);
    case 'map':
      return new Map(readPairs());
    case 'set':
      if (!Array.isArray(content)) throw refuse('a list');
      return new Set(content.map(inside));
    case 'object':
      return Object.fromEntries(readPairs().map(([name, inner]) => [String(name), inner]));
    default:
      return readBytes(tag, content, refuse);
  }
}

function readRegExp(content: TypedJson, refuse: (rule: string) => TypeError): RegExp {
  const [source, flags] = Array.isArray(content) ? content : [];
  try {
    if (typeof source === 'string' && typeof flags === 'string') return new RegExp(source, flags);
  } catch {
    // Reported by the throw below.
  }
  throw refuse('a list of a pattern and its flags');
}

function readBytes(tag: string, content: TypedJson, refuse: (rule: string) => TypeError): unknown {
  if (tag !== 'bytes' && !(tag in arrays))
    throw new TypeError(
      `$${tag} is not known: write an object whose only name begins with $ as {"$object": [["name", value]]}`,
    );
  if (typeof content !== 'string') throw refuse('bytes in base64');
  const bytes = Uint8Array.from(Buffer.from(content, 'base64')).buffer;
  if (tag === 'bytes') return bytes;
  const kind = arrays[tag as keyof typeof arrays];
  if (bytes.byteLength % kind.BYTES_PER_ELEMENT !== 0)
    throw refuse(`as many bytes as fill its elements of ${kind.BYTES_PER_ELEMENT} bytes`);
  return new kind(bytes);
}
