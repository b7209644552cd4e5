/**
 * Values of fields as JSON writes them, in files of cases and in what the commands print: text is UTF-8, a string that
 * starts with `hex:` is raw bytes, an address is its text, a map is an object.
 */
import { bytesOf, formatIp, Ip, parseIp, textOf } from '#base';
import { type Json, type Type, formatType, type Value } from '#expressions';

/** The value that this JSON means for a field of this type. */
export function valueFrom(json: unknown, type: Type): Value {
  switch (type.kind) {
    case 'Bytes':
      if (typeof json === 'string') return bytesFrom(json);
      break;
    case 'Int':
      if (Number.isInteger(json)) return json as number;
      break;
    case 'Bool':
      if (typeof json === 'boolean') return json;
      break;
    case 'Ip': {
      const ip = typeof json === 'string' ? parseIp(json) : undefined;
      if (ip !== undefined) return ip;
      break;
    }
    case 'Array':
      if (Array.isArray(json)) return json.map((item) => valueFrom(item, type.of));
      break;
    case 'Map':
      if (isRecord(json)) {
        return new Map(Object.entries(json).map(([key, item]) => [bytesFrom(key), valueFrom(item, type.of)]));
      }
  }
  throw new TypeError(`expected ${formatType(type)}: ${JSON.stringify(json)}`);
}

export function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

const hexMark = 'hex:';

function bytesFrom(text: string): string {
  return text.startsWith(hexMark)
    ? Buffer.from(text.slice(hexMark.length), 'hex').toString('latin1')
    : bytesOf(text);
}

function textFrom(bytes: string): string {
  return textOf(bytes) ?? hexMark + Buffer.from(bytes, 'latin1').toString('hex');
}

/** The other way; nil is `null`. */
export function jsonFrom(value: Value | undefined): Json {
  if (value === undefined) return null;
  if (typeof value === 'string')
    return textOf(value) ?? hexMark + Buffer.from(value, 'latin1').toString('hex');
  if (value instanceof Ip) return formatIp(value);
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value, ([key, item]) => [textFrom(key), jsonFrom(item)]));
  }
  if (typeof value === 'object') return (value as readonly Value[]).map(jsonFrom);
  return value;
}
