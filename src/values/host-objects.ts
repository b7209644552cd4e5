/**
 * Objects of the platform in storage. The layout is workerd's: the host object tag, the number of the class, then
 * its fields; text is a length and UTF-8.
 */
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { ValueFormatError, dataCloneError, typeNotSerializable } from './errors.ts';
import { tag } from './format.ts';

const headersClass = 4;
const domExceptionClass = 8;
/** A `Headers` that anybody may change, as opposed to one that belongs to a request or response. */
const guardNone = 3;
/** workerd abbreviates common names to a number; zero says that the name follows in full. */
const nameInFull = 0;
/** Not one of workerd's: something that the bytes only refer to, followed by its number. Never in storage. */
const referenceClass = 0x7fff;

/** The number by which bytes refer to an object that they do not hold, if it may be referred to. */
export type ReferenceTo = (value: object) => number | undefined;
/** The object that a number stands for. */
export type Referent = (number: number) => object;

export function writeReference(number: number, out: ByteWriter): void {
  out.byte(tag.hostObject);
  out.varint(referenceClass);
  out.varint(number);
}

export function writeHostObject(value: object, out: ByteWriter): void {
  if (value instanceof DOMException) {
    out.byte(tag.hostObject);
    out.varint(domExceptionClass);
    for (const text of [value.name, value.message, value.stack ?? '']) out.utf8(text);
  } else if (value instanceof Headers) {
    out.byte(tag.hostObject);
    out.varint(headersClass);
    const entries = [...value];
    out.varint(guardNone);
    out.varint(entries.length);
    for (const [name, text] of entries) {
      out.varint(nameInFull);
      out.utf8(name);
      out.utf8(text);
    }
  } else {
    throw cannotStore(value);
  }
}

function cannotStore(value: object): DOMException {
  if (value instanceof WritableStream)
    return dataCloneError('WritableStream can only be serialized for RPC.');
  const streams =
    value instanceof ReadableStream ||
    ((value instanceof Response || value instanceof Request) && value.body !== null);
  return streams
    ? dataCloneError('ReadableStream can only be serialized for RPC.')
    : typeNotSerializable(value);
}

/** Reads what follows the host object tag. */
export function readHostObject(input: ByteReader, referent: Referent | undefined): object {
  const kind = input.varint();
  if (kind === referenceClass && referent !== undefined) return referent(input.varint());
  if (kind === domExceptionClass) return readDomException(input);
  if (kind === headersClass) return readHeaders(input);
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

function readHeaders(input: ByteReader): Headers {
  const headers = new Headers();
  input.varint();
  for (let left = input.varint(); left > 0; left--) {
    if (input.varint() !== nameInFull) {
      throw new ValueFormatError(
        'a stored value holds Headers with abbreviated names, which are not supported here',
      );
    }
    const name = input.utf8();
    const text = input.utf8();
    try {
      headers.append(name, text);
    } catch (cause) {
      throw new ValueFormatError('a stored value holds Headers that are not valid', { cause });
    }
  }
  return headers;
}
