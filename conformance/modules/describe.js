/**
 * Turns whatever a probe ended with into JSON that two runtimes can be compared by: types that JSON
 * would lose (undefined, -0, Map, ArrayBuffer, …) become tagged objects, errors keep class, message,
 * code and every own property, and what is random by nature (references of internal errors) is masked.
 */

const BYTES_SHOWN_MAX = 64;
const TEXT_SHOWN_MAX = 200;

/** How a call ended: it threw at once, returned a plain value, or gave a promise that settled. */
export async function how(call) {
  let result;
  try {
    result = call();
  } catch (error) {
    return { threw: describe(error) };
  }
  if (!(result instanceof Promise)) return { returned: describe(result) };
  try {
    return { resolved: describe(await result) };
  } catch (error) {
    return { rejected: describe(error) };
  }
}

/** Like `how`, for calls that answer through a stub: only what was got or caught. */
export async function outcome(call) {
  try {
    return { value: describe(await call()) };
  } catch (error) {
    return { error: describe(error) };
  }
}

/** The text of an error, for probes that are only about the message. */
export async function message(call) {
  try {
    await call();
    return 'no error';
  } catch (error) {
    return maskReferences(String(error));
  }
}

export function describe(value, seen = new Set()) {
  switch (typeof value) {
    case 'undefined':
      return { $: 'undefined' };
    case 'bigint':
      return { $: 'bigint', text: String(value) };
    case 'symbol':
      return { $: 'symbol', text: String(value) };
    case 'function':
      return { $: 'function' };
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $: 'number', text: Object.is(value, -0) ? '-0' : String(value) };
    case 'string':
      return describeText(value);
    case 'boolean':
      return value;
    default:
      return value === null ? null : describeObject(value, seen);
  }
}

function describeObject(value, seen) {
  if (seen.has(value)) return { $: 'seen before' };
  seen.add(value);
  const inner = (item) => describe(item, seen);
  if (value instanceof Error) return describeError(value, inner);
  if (Array.isArray(value)) {
    return Array.from({ length: value.length }, (_, i) => (i in value ? inner(value[i]) : { $: 'hole' }));
  }
  if (value instanceof Map) return { $: 'Map', entries: [...value].map((pair) => pair.map(inner)) };
  if (value instanceof Set) return { $: 'Set', members: [...value].map(inner) };
  if (value instanceof Date) return { $: 'Date', ms: inner(value.getTime()) };
  if (value instanceof RegExp) return { $: 'RegExp', text: String(value) };
  if (value instanceof ArrayBuffer) return { $: 'ArrayBuffer', ...describeBytes(new Uint8Array(value)) };
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return { $: value.constructor.name, ...describeBytes(bytes) };
  }
  for (const Box of [Number, String, Boolean, BigInt]) {
    if (value instanceof Box) return { $: `${Box.name} object`, value: inner(value.valueOf()) };
  }
  if (value instanceof Headers) return { $: 'Headers', entries: [...value] };
  if (value instanceof Request) {
    const { url, method, redirect } = value;
    return { $: 'Request', url, method, redirect, headers: [...value.headers], body: inner(value.body) };
  }
  if (value instanceof Response) {
    const { status, statusText } = value;
    return { $: 'Response', status, statusText, headers: [...value.headers], body: inner(value.body) };
  }
  const prototype = Object.getPrototypeOf(value);
  const fields = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item)]));
  if (prototype === Object.prototype) return fields;
  return {
    $: prototype === null ? 'null prototype' : `instance of ${prototype.constructor?.name}`,
    ...fields,
  };
}

function describeError(error, inner) {
  const own = new Set(Object.getOwnPropertyNames(error)).difference(
    new Set(['stack', 'message', 'name', 'code']),
  );
  return {
    $: 'error',
    class: error.constructor.name,
    message: maskReferences(error.message),
    ...(error.name === error.constructor.name ? {} : { name: inner(error.name) }),
    ...(error.code === undefined ? {} : { code: inner(error.code) }),
    ...Object.fromEntries(
      [...own].toSorted((a, b) => (a < b ? -1 : 1)).map((key) => [key, inner(error[key])]),
    ),
  };
}

function describeText(text) {
  if (text.length > TEXT_SHOWN_MAX)
    return { $: 'string', length: text.length, start: text.slice(0, TEXT_SHOWN_MAX) };
  return maskReferences(text.isWellFormed() ? text : `${escapeSurrogates(text)} (ill-formed)`);
}

function describeBytes(bytes) {
  const shown = bytes.subarray(0, BYTES_SHOWN_MAX);
  return { bytes: bytes.byteLength, hex: Array.from(shown, (b) => b.toString(16).padStart(2, '0')).join('') };
}

function maskReferences(text) {
  return text.replace(/reference = [0-9a-z]+/g, 'reference = …');
}

function escapeSurrogates(text) {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0')).join(
    ' ',
  );
}
