/**
 * Objects of the platform in storage. The layout is workerd's: the host object tag, the number of the class, then
 * its fields; text is a length and UTF-8.
 */
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { bareError, defineHidden } from './bare-error.ts';
import { ValueFormatError, dataCloneError, typeNotSerializable } from './errors.ts';
import { tag } from './format.ts';
import { headersClass, readHeaders, writeHeaders } from './headers.ts';
import { readBlob } from './read-blob.ts';

const requestClass = 5;
const responseClass = 6;
const domExceptionClass = 8;
/** An error with its own properties, as workerd writes it for Workers of newer compatibility dates. Only read here. */
const nativeErrorClass = 10;
const blobClass = 15;
/** Not a class of workerd: a reference to an object outside the bytes, followed by its number. Never stored. */
const referenceClass = 0x7fff;

/** Returns the number by which bytes refer to an object they do not contain; undefined if they may not refer to it. */
export type ReferenceTo = (value: object) => number | undefined;
/** Returns the object with this number. */
export type Referent = (number: number) => object;

export function writeReference(number: number, out: ByteWriter): void {
  startHostObject(referenceClass, out);
  out.varint(number);
}

function startHostObject(number: number, out: ByteWriter): void {
  out.byte(tag.hostObject);
  out.varint(number);
}

export function writeHostObject(value: object, out: ByteWriter, writeValue: (value: unknown) => void): void {
  if (value instanceof DOMException) {
    startHostObject(domExceptionClass, out);
    for (const text of [value.name, value.message, value.stack ?? '']) out.utf8(text);
  } else if (value instanceof Headers) {
    startHostObject(headersClass, out);
    writeHeaders(value, out);
  } else if (value instanceof Blob && !(value instanceof File)) {
    const { type, bytes } = readBlob(value);
    startHostObject(blobClass, out);
    out.utf8(type);
    out.lengthAndBytes(bytes);
  } else if (value instanceof Request && value.body === null) {
    startHostObject(requestClass, out);
    out.utf8(value.url);
    writeValue(requestInit(value));
  } else if (value instanceof Response && value.body === null) {
    startHostObject(responseClass, out);
    writeValue(null);
    writeValue(responseInit(value));
  } else {
    throw cannotStore(value);
  }
}

/** In the order of workerd, which leaves out what is the default. Node gives every request a signal, so none is stored. */
function requestInit(request: Request): object {
  const { method, headers, redirect, cache, integrity } = request;
  return {
    method: method === 'GET' ? undefined : method,
    headers,
    body: null,
    redirect: redirect === 'follow' ? undefined : redirect,
    fetcher: undefined,
    cf: Reflect.get(request, 'cf') as unknown,
    cache: cache === 'default' ? undefined : cache,
    integrity: integrity === '' ? undefined : integrity,
    signal: undefined,
    encodeResponseBody: undefined,
  };
}

function responseInit(response: Response): object {
  const { status, statusText, headers } = response;
  return {
    status: status === 200 ? undefined : status,
    statusText: statusText === '' ? undefined : statusText,
    headers,
    cf: Reflect.get(response, 'cf') as unknown,
    webSocket: (Reflect.get(response, 'webSocket') as unknown) ?? undefined,
    encodeBody: undefined,
  };
}

function cannotStore(value: object): DOMException {
  if (value instanceof AbortSignal) return dataCloneError('AbortSignal serialization is not enabled.');
  if (value instanceof WritableStream)
    return dataCloneError('WritableStream can only be serialized for RPC.');
  const streams = value instanceof ReadableStream || value instanceof Response || value instanceof Request;
  return streams
    ? dataCloneError('ReadableStream can only be serialized for RPC.')
    : typeNotSerializable(value);
}

/** Reads what follows the host object tag. `readValue` reads a whole value inside of it. */
export function readHostObject(
  input: ByteReader,
  referent: Referent | undefined,
  readValue: () => unknown,
): object {
  const kind = input.varint();
  switch (kind) {
    case referenceClass:
      if (referent !== undefined) return referent(input.varint());
      break;
    case domExceptionClass:
      return readDomException(input);
    case headersClass:
      return readHeaders(input);
    case blobClass: {
      const type = input.utf8();
      return new Blob([input.lengthAndBytes()], { type });
    }
    case requestClass:
      return readRequest(input.utf8(), readValue());
    case responseClass:
      return readResponse(readValue(), readValue());
    case nativeErrorClass:
      return readNativeError(input.varint(), readValue);
  }
  throw new ValueFormatError(
    `a stored value holds an object of platform class ${kind}, which is not supported here`,
  );
}

function readDomException(input: ByteReader): DOMException {
  const name = input.utf8();
  const exception = new DOMException(input.utf8(), name);
  const stack = input.utf8();
  Object.defineProperty(exception, 'stack', { value: stack, writable: true, configurable: true });
  return exception;
}

function readRequest(url: string, init: unknown): Request {
  try {
    const { cf, ...known } = definedOf(init);
    return withCf(new Request(url, { ...known, body: null }), cf);
  } catch (cause) {
    throw new ValueFormatError('a stored value holds a Request that is not valid', { cause });
  }
}

function readResponse(body: unknown, init: unknown): Response {
  try {
    if (body !== null) throw new TypeError('it has a body');
    const { cf, status, ...known } = definedOf(init);
    // Only `Response.error()` makes a response with status 0.
    if (status === 0) return Response.error();
    return withCf(new Response(null, { ...known, status: (status as number | undefined) ?? 200 }), cf);
  } catch (cause) {
    throw new ValueFormatError('a stored value holds a Response that is not valid', { cause });
  }
}

/** Omits undefined fields: workerd writes every field, and Node accepts some of them only with a value. */
function definedOf(init: unknown): Record<string, unknown> {
  const entries = Object.entries(init as object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

function withCf<T extends object>(message: T, cf: unknown): T {
  if (cf !== undefined) Object.defineProperty(message, 'cf', { value: cf, configurable: true });
  return message;
}

/** By their number in workerd. Zero means that the name follows. */
const nativeErrors: Readonly<Record<number, () => Error>> = {
  0: () => new Error(),
  1: () => new Error(),
  2: () => new TypeError(),
  3: () => new RangeError(),
  4: () => new ReferenceError(),
  5: () => new SyntaxError(),
  10: () => new EvalError(),
  11: () => new URIError(),
  12: () => new AggregateError([]),
  13: () => new SuppressedError(undefined, undefined),
};

function readNativeError(number: number, readValue: () => unknown): Error {
  const create = nativeErrors[number];
  if (create === undefined)
    throw new ValueFormatError(
      `a stored value holds an error of class ${number}, which is not supported here`,
    );
  const name = number === 0 ? readValue() : undefined;
  const message = readValue();
  const properties = readValue();
  if (typeof message !== 'string' || typeof properties !== 'object' || properties === null)
    throw new ValueFormatError('a stored value holds an error that is not well formed');
  const error = bareError(create);
  defineHidden(error, 'message', message);
  for (const [key, value] of Object.entries(properties)) {
    if (key === 'stack') defineHidden(error, key, value);
    else Object.defineProperty(error, key, { value, writable: true, enumerable: true, configurable: true });
  }
  if (name !== undefined)
    Object.defineProperty(error, 'name', {
      value: name,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  return error;
}
