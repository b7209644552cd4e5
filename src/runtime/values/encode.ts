/**
 * From a value to its bytes. The walk is V8's own, step for step: which properties are read, in which order, and how
 * objects are numbered. Getters run exactly once, and may encode other values meanwhile.
 */
import { types } from 'node:util';
import { Serializer } from 'node:v8';
import { ByteWriter } from './byte-writer.ts';
import { dataCloneError, explanationOf, refusalOf, typeNotSerializable } from './errors.ts';
import {
  errorClasses,
  errorTag,
  regexpFlags,
  smallIntegerMax,
  smallIntegerMin,
  tag,
  versionCurrent,
  versionMark,
  viewClasses,
  viewFlag,
} from './format.ts';
import { type ReferenceTo, writeHostObject, writeReference } from './host-objects.ts';
import { type ObjectKind, kindOf } from './kind.ts';

/** Beyond this many objects in one value, looking through a list costs more than keeping a map. */
const listedObjectsMax = 16;
/** The largest key that is an array index. */
const indexMax = 2 ** 32 - 2;

const { keys: keysOf, hasOwn, getOwnPropertyDescriptor, getPrototypeOf } = Object;

let idle: Encoder | undefined;

/** Encodes a value as it is now. The bytes belong to the caller and never change. */
export function encodeValue(value: unknown): Uint8Array {
  return encodeReferring(value, undefined);
}

/**
 * Like `encodeValue`, for bytes that are not stored and may refer to objects they cannot contain: `referenceTo` numbers
 * these. An object for which it returns undefined is refused.
 */
export function encodeReferring(value: unknown, referenceTo: ReferenceTo | undefined): Uint8Array {
  // A getter may encode another value while this one is half written.
  const encoder = idle ?? new Encoder();
  idle = undefined;
  try {
    return encoder.encode(value, referenceTo);
  } finally {
    encoder.clear();
    idle = encoder;
  }
}

/** Thrown to give up on a value that is not plain; callers never see it. */
const notPlain = new Error('not plain');

/**
 * The bytes of a value that consists of primitives, plain objects, arrays and dates; undefined for any other. Such
 * bytes are a self-contained copy.
 */
export function encodePlain(value: unknown): Uint8Array | undefined {
  const encoder = idle ?? new Encoder();
  idle = undefined;
  try {
    return encoder.encode(value, refuseReference, true);
  } catch (error) {
    if (error === notPlain) return undefined;
    throw error;
  } finally {
    encoder.clear();
    idle = encoder;
  }
}

function refuseReference(): never {
  throw notPlain;
}

function isPlain(value: object, kind: ObjectKind): boolean {
  return kind === 'array' || kind === 'date' || (kind === 'plain' && getPrototypeOf(value) !== null);
}

class Encoder {
  readonly #out = new ByteWriter();
  readonly #objects: object[] = [];
  #numbers: Map<object, number> | undefined;
  #referenceTo: ReferenceTo | undefined;
  #onlyPlain = false;

  encode(value: unknown, referenceTo: ReferenceTo | undefined, onlyPlain = false): Uint8Array {
    this.#referenceTo = referenceTo;
    this.#onlyPlain = onlyPlain;
    this.#out.byte(versionMark);
    this.#out.byte(versionCurrent);
    this.#value(value);
    return this.#out.take();
  }

  clear(): void {
    this.#out.clear();
    this.#objects.length = 0;
    this.#numbers = undefined;
    this.#referenceTo = undefined;
  }

  #value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        return this.#out.string(value);
      case 'number':
        return this.#out.number(value);
      case 'boolean':
        return this.#out.byte(value ? tag.true : tag.false);
      case 'undefined':
        return this.#out.byte(tag.undefined);
      case 'bigint':
        this.#out.byte(tag.bigint);
        return this.#out.bigint(value);
      case 'object':
        return value === null ? this.#out.byte(tag.null) : this.#object(value);
      case 'function':
        return this.#object(value);
      default:
        throw notCloneable(value);
    }
  }

  #object(value: object): void {
    const known = this.#numberOf(value);
    if (known !== undefined) {
      this.#out.byte(tag.reference);
      this.#out.varint(known);
      return;
    }
    const kind = typeof value === 'function' ? 'opaque' : kindOf(value);
    if (this.#onlyPlain && !isPlain(value, kind)) throw notPlain;
    // A view comes after its buffer, in the bytes and in the numbering.
    if (kind === 'view') return this.#view(value as ArrayBufferView<ArrayBuffer>);
    this.#remember(value);
    switch (kind) {
      case 'plain':
      case 'instance':
        return this.#properties(value);
      case 'array':
        return this.#array(value as unknown[]);
      case 'date':
        this.#out.byte(tag.date);
        return this.#out.double(Date.prototype.valueOf.call(value));
      case 'map':
        return this.#map(value as Map<unknown, unknown>);
      case 'set':
        return this.#set(value as Set<unknown>);
      case 'regexp':
        return this.#regexp(value as RegExp);
      case 'error':
        return this.#error(value as Error);
      case 'boxed':
        return this.#boxed(value);
      case 'buffer':
        return this.#buffer(value as ArrayBuffer);
      case 'platform':
        if (!this.#refer(value)) writeHostObject(value, this.#out, (inner) => this.#value(inner));
        return;
      case 'refused':
        if (this.#refer(value)) return;
        throw refusal(value);
      case 'sharedBuffer':
      case 'opaque':
        if (this.#refer(value)) return;
        throw notCloneable(value);
    }
  }

  #refer(value: object): boolean {
    const number = this.#referenceTo?.(value);
    if (number === undefined) return false;
    writeReference(number, this.#out);
    return true;
  }

  #numberOf(value: object): number | undefined {
    if (this.#numbers !== undefined) return this.#numbers.get(value);
    const index = this.#objects.indexOf(value);
    return index === -1 ? undefined : index;
  }

  #remember(value: object): void {
    const number = this.#objects.push(value) - 1;
    if (this.#numbers !== undefined) this.#numbers.set(value, number);
    else if (number === listedObjectsMax)
      this.#numbers = new Map(this.#objects.map((object, i) => [object, i]));
  }

  #properties(value: object): void {
    this.#out.byte(tag.object);
    const count = this.#entries(value as Record<string, unknown>, keysOf(value), 0);
    this.#out.byte(tag.objectEnd);
    this.#out.varint(count);
  }

  /** Writes the properties from the given key on. Returns how many there were: a getter may have deleted some. */
  #entries(value: Record<string, unknown>, keys: readonly string[], from: number): number {
    let count = 0;
    for (let i = from; i < keys.length; i++) {
      const key = keys[i]!;
      const property = value[key];
      if (property === undefined && !hasOwn(value, key)) continue;
      this.#key(key);
      this.#value(property);
      count++;
    }
    return count;
  }

  /** Array indices are written as numbers. */
  #key(key: string): void {
    const first = key.charCodeAt(0);
    if (first >= 0x30 && first <= 0x39 && key.length <= 10) {
      const index = Number(key);
      if (index <= indexMax && String(index) === key) return this.#out.number(index);
    }
    this.#out.string(key);
  }

  #array(value: unknown[]): void {
    const { length } = value;
    const keys = keysOf(value);
    // Indices come first and in order: if the last of them is in its place, none is missing.
    const dense = keys.length >= length && (length === 0 || keys[length - 1] === String(length - 1));
    this.#out.byte(dense ? tag.denseArray : tag.sparseArray);
    this.#out.varint(length);
    if (dense) this.#elements(value, length);
    const count = this.#entries(value as unknown as Record<string, unknown>, keys, dense ? length : 0);
    this.#out.byte(dense ? tag.denseArrayEnd : tag.sparseArrayEnd);
    this.#out.varint(count);
    this.#out.varint(length);
  }

  #elements(value: readonly unknown[], length: number): void {
    if (holdsDoubles(value)) {
      for (let i = 0; i < length; i++) {
        this.#out.byte(tag.double);
        this.#out.double(value[i] as number);
      }
      return;
    }
    for (let i = 0; i < length; i++) {
      const element = value[i];
      // Writing an earlier element may have run a getter that removed this one.
      if (element === undefined && !(i in value)) this.#out.byte(tag.hole);
      else this.#value(element);
    }
  }

  #map(value: Map<unknown, unknown>): void {
    this.#out.byte(tag.map);
    // A copy first: a getter inside may change the map.
    const entries = [...Map.prototype.entries.call(value)];
    for (const [key, entry] of entries) {
      this.#value(key);
      this.#value(entry);
    }
    this.#out.byte(tag.mapEnd);
    this.#out.varint(entries.length * 2);
  }

  #set(value: Set<unknown>): void {
    this.#out.byte(tag.set);
    const entries = [...Set.prototype.values.call(value)];
    for (const entry of entries) this.#value(entry);
    this.#out.byte(tag.setEnd);
    this.#out.varint(entries.length);
  }

  #regexp(value: RegExp): void {
    this.#out.byte(tag.regexp);
    this.#out.string(value.source);
    let bits = 0;
    for (const [letter, bit] of regexpFlags) if (value.flags.includes(letter)) bits |= bit;
    this.#out.varint(bits);
  }

  #error(value: Error): void {
    this.#out.byte(tag.error);
    const name = String(value.name);
    const known = errorClasses.find(([, constructor]) => constructor.name === name);
    if (known !== undefined) this.#out.byte(known[0]);
    const message = getOwnPropertyDescriptor(value, 'message');
    if (message !== undefined && 'value' in message) {
      this.#out.byte(errorTag.message);
      this.#out.string(String(message.value));
    }
    const stack = hasOwn(value, 'stack') ? value.stack : undefined;
    if (typeof stack === 'string') {
      this.#out.byte(errorTag.stack);
      this.#out.string(stack);
    }
    const cause = getOwnPropertyDescriptor(value, 'cause');
    if (cause !== undefined && 'value' in cause) {
      this.#out.byte(errorTag.cause);
      this.#value(cause.value);
    }
    this.#out.byte(errorTag.end);
  }

  #boxed(value: object): void {
    if (types.isNumberObject(value)) {
      this.#out.byte(tag.numberObject);
      this.#out.double(Number.prototype.valueOf.call(value));
    } else if (types.isStringObject(value)) {
      this.#out.byte(tag.stringObject);
      this.#out.string(String.prototype.valueOf.call(value));
    } else if (types.isBigIntObject(value)) {
      this.#out.byte(tag.bigintObject);
      this.#out.bigint(BigInt.prototype.valueOf.call(value));
    } else {
      this.#out.byte(Boolean.prototype.valueOf.call(value) ? tag.trueObject : tag.falseObject);
    }
  }

  #buffer(value: ArrayBuffer): void {
    if (value.detached) throw dataCloneError('An ArrayBuffer is detached and could not be cloned.');
    this.#out.byte(value.resizable ? tag.resizableArrayBuffer : tag.arrayBuffer);
    this.#out.varint(value.byteLength);
    if (value.resizable) this.#out.varint(value.maxByteLength);
    this.#out.bytes(new Uint8Array(value));
  }

  #view(value: ArrayBufferView<ArrayBuffer>): void {
    // Node allocates small Buffers from a shared pool: only their own bytes may be stored.
    const pooled = Buffer.isBuffer(value) && value.byteLength !== value.buffer.byteLength;
    const view = pooled ? new Uint8Array(value) : value;
    this.#object(view.buffer);
    this.#remember(value);
    const name = types.isDataView(view) ? 'DataView' : (view as Uint8Array)[Symbol.toStringTag];
    const flags = view.buffer.resizable ? resizableViewFlags(view) : 0;
    this.#out.byte(tag.view);
    this.#out.byte(viewClasses.find((each) => each.name === name)!.tag);
    this.#out.varint(view.byteOffset);
    this.#out.varint((flags & viewFlag.tracksLength) === 0 ? view.byteLength : 0);
    this.#out.varint(flags);
  }
}

/** V8 holds an array of numbers as doubles as soon as one of them is not a small integer, and writes what it holds. */
function holdsDoubles(value: readonly unknown[]): boolean {
  let fraction = false;
  for (const element of value) {
    if (typeof element !== 'number') return false;
    fraction ||=
      (element | 0) !== element ||
      element < smallIntegerMin ||
      element > smallIntegerMax ||
      Object.is(element, -0);
  }
  return fraction;
}

/** Only V8 knows whether a view tracks the length of its buffer; the flags are the last byte it writes. */
function resizableViewFlags(view: ArrayBufferView): number {
  return nativeBytes(view).at(-1)!;
}

function nativeBytes(value: unknown): Uint8Array {
  const serializer = new Serializer() as Serializer & {
    _setTreatArrayBufferViewsAsHostObjects(flag: boolean): void;
  };
  serializer.writeHeader();
  serializer._setTreatArrayBufferViewsAsHostObjects(false);
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

/** V8's own message for a function, a symbol or an opaque object, unless an explanation is registered for it. */
function notCloneable(value: unknown): DOMException {
  const explanation = typeof value === 'symbol' ? undefined : explanationOf(value as object);
  if (explanation !== undefined) return dataCloneError(explanation);
  try {
    nativeBytes(value);
  } catch (error) {
    if (error instanceof Error) return dataCloneError(error.message);
  }
  return dataCloneError('The object could not be cloned.');
}

function refusal(value: object): DOMException {
  let prototype = Object.getPrototypeOf(value) as object | null;
  while (prototype !== null) {
    const message = refusalOf(prototype)?.message;
    if (message !== undefined) return dataCloneError(message);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return typeNotSerializable(value);
}
