/**
 * Values of fields as JSON, in files of cases and in the output of commands: text is UTF-8, a string that starts with `hex:`
 * is raw bytes, an address is its text, a map is an object.
 */
import { formatIp, Ip, parseIp } from '#addresses';
import { isObject } from '#base';
import { bytesOf, textOf } from '#text';
import { type Json, type Type, formatType, type Value } from '#expressions';

/** Converts this JSON to the value of a field of this type. */
export function readValue(json: unknown, type: Type): Value {
  switch (type.kind) {
    case 'Bytes':
      if (typeof json === 'string') return readBytes(json);
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
      if (Array.isArray(json)) return json.map((item) => readValue(item, type.of));
      break;
    case 'Map':
      if (isObject(json)) {
        return new Map(Object.entries(json).map(([key, item]) => [readBytes(key), readValue(item, type.of)]));
      }
  }
  throw new TypeError(`expected ${formatType(type)}: ${JSON.stringify(json)}`);
}

const hexMark = 'hex:';

function readBytes(text: string): string {
  return text.startsWith(hexMark)
    ? Buffer.from(text.slice(hexMark.length), 'hex').toString('latin1')
    : bytesOf(text);
}

function formatBytes(bytes: string): string {
  return textOf(bytes) ?? hexMark + Buffer.from(bytes, 'latin1').toString('hex');
}

/** The inverse; nil is `null`. */
export function toJson(value: Value | undefined): Json {
  if (value === undefined) return null;
  if (typeof value === 'string')
    return textOf(value) ?? hexMark + Buffer.from(value, 'latin1').toString('hex');
  if (value instanceof Ip) return formatIp(value);
  if (value instanceof Map) {
    return Object.fromEntries(Array.from(value, ([key, item]) => [formatBytes(key), toJson(item)]));
  }
  if (typeof value === 'object') return (value as readonly Value[]).map(toJson);
  return value;
}
