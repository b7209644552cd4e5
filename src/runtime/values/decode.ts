/**
 * From bytes to a value. The bytes are not trusted: every length is checked against what is left before anything is
 * allocated, and anything V8 would not have written throws a `ValueFormatError`. No user code runs here.
 */
import { Deserializer } from 'node:v8';
import { ByteReader } from './byte-reader.ts';
import { bareError, defineHidden } from './bare-error.ts';
import { ValueFormatError } from './errors.ts';
import {
  errorClasses,
  errorTag,
  regexpFlags,
  tag,
  versionCurrent,
  versionMark,
  versionWithoutHeader,
  viewClasses,
  viewFlag,
} from './format.ts';
import { type Referent, readHostObject } from './host-objects.ts';

/** V8 backs an array with memory for its whole length, up to some size, but keeps one with a gap like this in a table. */
const arrayGapMin = 1024;
const headerBytes = 2;

const plainPrototype = Object.prototype;

/** Decodes the bytes to a newly created value. */
export function decodeValue(bytes: Uint8Array): unknown {
  return decodeReferring(bytes, undefined);
}

/** Like `decodeValue`, for the bytes of `encodeReferring`: `referent` resolves what they refer to. */
export function decodeReferring(bytes: Uint8Array, referent: Referent | undefined): unknown {
  if (bytes[0] !== versionMark) return decodeOlder(bytes, versionWithoutHeader, 0);
  const version = bytes[1];
  if (version === versionCurrent) return new Decoder(bytes, referent).decode();
  if (version !== undefined && version < versionCurrent) return decodeOlder(bytes, version, headerBytes);
  throw new ValueFormatError(
    `a stored value is of format version ${version ?? 'unknown'}, which is not supported`,
  );
}

/** Reads versions that V8 no longer writes but still reads. */
function decodeOlder(bytes: Uint8Array, version: number, start: number): unknown {
  const withHeader = Buffer.concat([Uint8Array.of(versionMark, version), bytes.subarray(start)]);
  const deserializer = new Deserializer(withHeader);
  try {
    deserializer.readHeader();
    return deserializer.readValue();
  } catch (cause) {
    throw new ValueFormatError(`a stored value of format version ${version} cannot be read`, { cause });
  }
}

class Decoder {
  readonly #in: ByteReader;
  readonly #referent: Referent | undefined;
  readonly #objects: (object | undefined)[] = [];

  constructor(bytes: Uint8Array, referent: Referent | undefined) {
    this.#in = new ByteReader(bytes, headerBytes);
    this.#referent = referent;
  }

  decode(): unknown {
    let value: unknown;
    try {
      value = this.#value();
    } catch (error) {
      // The stack or the memory was exhausted, which bytes from a correct writer never cause.
      if (error instanceof RangeError) {
        throw new ValueFormatError('a stored value is nested too deeply or too large to build', {
          cause: error,
        });
      }
      throw error;
    }
    if (this.#in.remaining > 0) throw this.#in.malformed('is followed by other bytes');
    return value;
  }

  #tag(): number {
    let byte = this.#in.byte();
    while (byte === tag.padding) byte = this.#in.byte();
    return byte;
  }

  #value(): unknown {
    return this.#tagged(this.#tag());
  }

  #tagged(kind: number): unknown {
    switch (kind) {
      case tag.oneByteString:
        return this.#in.oneByteString();
      case tag.int32:
        return this.#in.int32();
      case tag.object:
        return this.#object();
      case tag.denseArray:
        return this.#denseArray();
      case tag.double:
        return this.#in.double();
      case tag.true:
        return true;
      case tag.false:
        return false;
      case tag.null:
        return null;
      case tag.undefined:
        return undefined;
      case tag.twoByteString:
        return this.#in.twoByteString();
      case tag.bigint:
        return this.#in.bigint();
      case tag.uint32:
        return this.#in.varint();
      default:
        return this.#uncommon(kind);
    }
  }

  #uncommon(kind: number): unknown {
    switch (kind) {
      case tag.reference:
        return this.#reference();
      case tag.date:
        return this.#remember(new Date(this.#in.double()));
      case tag.sparseArray:
        return this.#sparseArray();
      case tag.map:
        return this.#map();
      case tag.set:
        return this.#set();
      case tag.arrayBuffer:
      case tag.resizableArrayBuffer:
        return this.#buffer(kind === tag.resizableArrayBuffer);
      case tag.error:
        return this.#error();
      case tag.regexp:
        return this.#regexp();
      case tag.trueObject:
      case tag.falseObject:
        return this.#remember(Object(kind === tag.trueObject) as object);
      case tag.numberObject:
        return this.#remember(Object(this.#in.double()) as object);
      case tag.bigintObject:
        return this.#remember(Object(this.#in.bigint()) as object);
      case tag.stringObject:
        return this.#remember(Object(this.#string()) as object);
      case tag.hostObject:
        return this.#hostObject();
      default:
        throw this.#in.malformed(`holds the unknown tag ${kind}`);
    }
  }

  #hostObject(): object {
    // The object is numbered before its contents, and exists only after they are read.
    const number = this.#objects.push(undefined) - 1;
    const object = readHostObject(this.#in, this.#referent, () => this.#value());
    this.#objects[number] = object;
    return object;
  }

  #remember<T extends object>(object: T): T {
    this.#objects.push(object);
    return object;
  }

  #reference(): object {
    const object = this.#objects[this.#in.varint()];
    if (object === undefined) throw this.#in.malformed('refers to an object it does not hold');
    return this.#viewOf(object);
  }

  #string(): string {
    const kind = this.#tag();
    if (kind === tag.oneByteString) return this.#in.oneByteString();
    if (kind === tag.twoByteString) return this.#in.twoByteString();
    throw this.#in.malformed('holds something else where a string belongs');
  }

  #object(): object {
    const object = this.#remember({});
    this.#count(this.#properties(object, tag.objectEnd));
    return object;
  }

  /** Reads properties up to the end tag. Returns how many. */
  #properties(object: object, end: number): number {
    let count = 0;
    for (let kind = this.#tag(); kind !== end; kind = this.#tag()) {
      setProperty(object as Record<PropertyKey, unknown>, this.#key(kind), this.#value());
      count++;
    }
    return count;
  }

  #key(kind: number): string | number {
    switch (kind) {
      case tag.oneByteString:
        return this.#in.oneByteKey();
      case tag.twoByteString:
        return this.#in.twoByteString();
      case tag.int32:
        return this.#in.int32();
      case tag.uint32:
        return this.#in.varint();
      case tag.double:
        return this.#in.double();
      default:
        throw this.#in.malformed('holds something else where a key belongs');
    }
  }

  /** The writer repeats each count at the end. */
  #count(actual: number): void {
    if (this.#in.varint() !== actual) throw this.#in.malformed('does not hold as much as it says');
  }

  #denseArray(): unknown[] {
    const length = this.#in.atMostRemaining(this.#in.varint());
    const array: unknown[] = this.#remember([]);
    for (let i = 0; i < length; i++) {
      const kind = this.#tag();
      if (kind === tag.hole) array.length = i + 1;
      else array.push(this.#tagged(kind));
    }
    this.#count(this.#properties(array, tag.denseArrayEnd));
    this.#count(length);
    return array;
  }

  #sparseArray(): unknown[] {
    const length = this.#in.varint();
    const array: unknown[] = this.#remember([]);
    if (length > arrayGapMin) {
      array[length - 1] = undefined;
      Reflect.deleteProperty(array, length - 1);
    } else {
      array.length = length;
    }
    this.#count(this.#properties(array, tag.sparseArrayEnd));
    this.#count(length);
    return array;
  }

  #map(): Map<unknown, unknown> {
    const map = this.#remember(new Map<unknown, unknown>());
    let count = 0;
    for (let kind = this.#tag(); kind !== tag.mapEnd; kind = this.#tag()) {
      map.set(this.#tagged(kind), this.#value());
      count += 2;
    }
    this.#count(count);
    return map;
  }

  #set(): Set<unknown> {
    const set = this.#remember(new Set<unknown>());
    let count = 0;
    for (let kind = this.#tag(); kind !== tag.setEnd; kind = this.#tag()) {
      set.add(this.#tagged(kind));
      count++;
    }
    this.#count(count);
    return set;
  }

  #buffer(resizable: boolean): object {
    const length = this.#in.varint();
    const maxByteLength = resizable ? this.#in.varint() : length;
    if (maxByteLength < length) throw this.#in.malformed('holds a buffer larger than its maximum');
    this.#in.atMostRemaining(length);
    const buffer = resizable ? new ArrayBuffer(length, { maxByteLength }) : new ArrayBuffer(length);
    this.#in.copyInto(buffer, length);
    return this.#viewOf(this.#remember(buffer));
  }

  /** A buffer may be followed by the view it was written for, which then takes its place. */
  #viewOf(object: object): object {
    if (!(object instanceof ArrayBuffer) || this.#in.peek() !== tag.view) return object;
    this.#in.byte();
    const subtype = this.#in.byte();
    const known = viewClasses.find((each) => each.tag === subtype);
    if (known === undefined) throw this.#in.malformed(`holds the unknown kind of view ${subtype}`);
    const offset = this.#in.varint();
    const length = this.#in.varint();
    const tracks = (this.#in.varint() & viewFlag.tracksLength) !== 0;
    const fits = offset + length <= object.byteLength;
    if (
      !fits ||
      offset % known.elementBytes !== 0 ||
      length % known.elementBytes !== 0 ||
      (tracks && !object.resizable)
    ) {
      throw this.#in.malformed('holds a view that does not fit its buffer');
    }
    const { construct: View } = known;
    return this.#remember(
      tracks ? new View(object, offset) : new View(object, offset, length / known.elementBytes),
    );
  }

  #error(): Error {
    // The class comes first, and the object must exist before a cause that may refer to it.
    const known = errorClasses.find(([kind]) => kind === this.#in.peek());
    if (known !== undefined) this.#in.byte();
    const error = this.#remember(bareError(() => new (known?.[1] ?? Error)()));
    for (let part = this.#in.byte(); part !== errorTag.end; part = this.#in.byte()) {
      if (part === errorTag.message) defineHidden(error, 'message', this.#string());
      else if (part === errorTag.stack) defineHidden(error, 'stack', this.#string());
      else if (part === errorTag.cause) defineHidden(error, 'cause', this.#value());
      else throw this.#in.malformed('holds an error that is not well formed');
    }
    return error;
  }

  #regexp(): RegExp {
    const source = this.#string();
    const bits = this.#in.varint();
    const flags = regexpFlags.filter(([, bit]) => (bits & bit) !== 0).map(([letter]) => letter);
    try {
      return this.#remember(new RegExp(source, flags.join('')));
    } catch (cause) {
      throw new ValueFormatError('a stored value holds a regular expression that is not valid', { cause });
    }
  }
}

/** Always an own property, whatever `Object.prototype` has by that name. */
function setProperty(object: Record<PropertyKey, unknown>, key: string | number, value: unknown): void {
  if (key in plainPrototype) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
