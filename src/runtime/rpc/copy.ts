/**
 * Copies a value from one side to another. Functions and `RpcTarget`s stay where they are, and the copy contains stubs for
 * them. Everything else arrives as structured clone would copy it, with two exceptions that workerd makes: instances of
 * classes are refused instead of flattened, and platform objects with a body are passed as they are.
 *
 * Shared and circular references keep their shape. The size that the value would have as bytes is counted on the way.
 */
import { types } from 'node:util';
import { dataCloneError, encodeValue, kindOf, typeNotSerializable } from '#values';
import { toByteSink, toByteStream } from './byte-stream.ts';
import { messageBytesMax } from './limits.ts';
import { findReference } from './reference.ts';
import type { Side } from './side.ts';

import { RpcTarget } from './target.ts';

export interface ValueCopyOptions {
  readonly to: Side;
  /** Creates the stub that replaces a function, an `RpcTarget` or a Proxy. */
  readonly exportTarget: (target: object) => object;
  /** Called for every stub in the copy, so that it can be disposed of later. */
  readonly onStub?: (stub: Disposable) => void;
}

/** Whether a value needs no copy, which is true of nearly all arguments and many results. */
export function passesAsIs(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      // Longer strings are measured.
      return value.length <= messageBytesMax / 4;
    case 'object':
      return value === null;
    case 'function':
    case 'symbol':
      return false;
    default:
      return true;
  }
}

export function copyForRpc(value: unknown, options: ValueCopyOptions): unknown {
  return passesAsIs(value) ? value : new Copier(options).copyRoot(value);
}

export function createTooLargeError(bytes: number): Error {
  return new Error(
    `Serialized RPC arguments or return values are limited to 32MiB, but the size of this value was: ${bytes} bytes.`,
  );
}

class Copier {
  readonly #options: ValueCopyOptions;
  readonly #copies = new Map<object, object>();
  #bytes = 2;

  constructor(options: ValueCopyOptions) {
    this.#options = options;
  }

  copyRoot(value: unknown): unknown {
    const copied = this.#copy(value);
    if (this.#bytes > messageBytesMax) throw createTooLargeError(this.#bytes);
    return copied;
  }

  #copy(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        this.#bytes += measureString(value, this.#bytes);
        return value;
      case 'number':
        this.#bytes += 9;
        return value;
      case 'object':
        if (value !== null) return this.#copies.get(value) ?? this.#copyObject(value);
        break;
      case 'function':
        return this.#copies.get(value) ?? this.#replaceByStub(value);
      case 'symbol':
        return encodeValue(value);
      case 'bigint':
        this.#bytes += value.toString(16).length / 2;
        break;
    }
    this.#bytes += 1;
    return value;
  }

  #remember<T extends object>(original: object, copy: T): T {
    this.#copies.set(original, copy);
    return copy;
  }

  #copyObject(value: object): object {
    const kind = kindOf(value);
    switch (kind) {
      case 'plain':
        if (Object.getPrototypeOf(value) === null) throw createNotSerializableError('Object');
        return this.#copyProperties(value, this.#remember(value, {}), 0);
      case 'array':
        return this.#copyArray(value as unknown[]);
      case 'date':
        return this.#remember(value, new Date(Date.prototype.valueOf.call(value)));
      case 'map':
        return this.#copyMap(value as Map<unknown, unknown>);
      case 'set':
        return this.#copySet(value as Set<unknown>);
      case 'error':
        return this.#copyError(value as Error);
      case 'buffer':
        return this.#copyBuffer(value as ArrayBuffer);
      case 'view':
        return this.#copyView(value as Uint8Array<ArrayBuffer>);
      case 'regexp':
      case 'boxed':
        return this.#remember(value, structuredClone(value));
      case 'platform':
        return this.#remember(value, passPlatformObject(value));
      case 'refused':
      case 'instance':
      case 'opaque':
      case 'sharedBuffer':
        return this.#replaceByStub(value);
    }
  }

  /** Copies own enumerable properties from the given key on. */
  #copyProperties<T extends object>(value: object, copy: T, from: number): T {
    const keys = Object.keys(value);
    this.#bytes += 3;
    for (let i = from; i < keys.length; i++) {
      const key = keys[i]!;
      this.#bytes += key.length + 2;
      const property = this.#copy((value as Record<string, unknown>)[key]);
      if (key === '__proto__') {
        Object.defineProperty(copy, key, {
          value: property,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      } else {
        (copy as Record<string, unknown>)[key] = property;
      }
    }
    return copy;
  }

  #copyArray(value: unknown[]): unknown[] {
    const copy: unknown[] = this.#remember(value, []);
    this.#bytes += 2 * measureVarint(value.length);
    let i = 0;
    for (; i < value.length && i in value; i++) copy.push(this.#copy(value[i]));
    if (i < value.length) copy.length = value.length;
    return this.#copyProperties(value, copy, i);
  }

  #copyMap(value: Map<unknown, unknown>): Map<unknown, unknown> {
    const copy = this.#remember(value, new Map<unknown, unknown>());
    this.#bytes += 2 + measureVarint(value.size * 2);
    // A list first, because a getter inside may change the map.
    const entries = [...Map.prototype.entries.call(value)];
    for (const [key, entry] of entries) copy.set(this.#copy(key), this.#copy(entry));
    return copy;
  }

  #copySet(value: Set<unknown>): Set<unknown> {
    const copy = this.#remember(value, new Set<unknown>());
    this.#bytes += 2 + measureVarint(value.size);
    const entries = [...Set.prototype.values.call(value)];
    for (const entry of entries) copy.add(this.#copy(entry));
    return copy;
  }

  /** An error as a value, unlike one that is thrown, keeps its cause and its message as they are. */
  #copyError(value: Error): Error {
    const { name, message, stack } = value;
    const copy = this.#remember(value, structuredClone(Object.assign(new Error(message), { name })));
    this.#bytes += message.length + (stack?.length ?? 0);
    Object.defineProperty(copy, 'stack', { value: stack, writable: true, configurable: true });
    if (Object.hasOwn(value, 'cause')) {
      Object.defineProperty(copy, 'cause', {
        value: this.#copy(value.cause),
        writable: true,
        configurable: true,
      });
    }
    return copy;
  }

  #copyBuffer(value: ArrayBuffer): ArrayBuffer {
    this.#bytes += 1 + measureVarint(value.byteLength) + value.byteLength;
    return this.#remember(value, structuredClone(value));
  }

  #copyView(value: Uint8Array<ArrayBuffer>): object {
    if (types.isSharedArrayBuffer(value.buffer)) return this.#replaceByStub(value.buffer);
    // Node allocates small Buffers in a shared pool.
    const whole = Buffer.isBuffer(value) ? new Uint8Array(value) : value;
    const buffer = (this.#copies.get(whole.buffer) ?? this.#copyObject(whole.buffer)) as ArrayBuffer;
    this.#bytes += 4 + measureVarint(value.byteLength);
    if (types.isDataView(value))
      return this.#remember(value, new DataView(buffer, value.byteOffset, value.byteLength));
    const View = Reflect.get(globalThis, whole[Symbol.toStringTag]);
    return this.#remember(value, new View(buffer, whole.byteOffset, whole.length));
  }

  /** Returns a stub for what stays on its side, or throws. */
  #replaceByStub(value: object): object {
    this.#bytes += 8;
    const known = findReference(value);
    if (known !== undefined) {
      if (known.handTo === undefined) throw createNotSerializableError(known.kind);
      return this.#handOver(value, known.handTo(this.#options.to));
    }
    const callable = typeof value === 'function' || value instanceof RpcTarget || types.isProxy(value);
    if (callable) return this.#handOver(value, this.#options.exportTarget(value));
    const kind = kindOf(value);
    if (kind === 'instance' || kind === 'refused') throw typeNotSerializable(value);
    // The encoder throws V8's message.
    encodeValue(value);
    throw createNotSerializableError('Object');
  }

  #handOver(value: object, stub: object): object {
    const disposable = stub as Partial<Disposable>;
    if (disposable[Symbol.dispose] !== undefined) this.#options.onStub?.(stub as Disposable);
    return this.#remember(value, stub);
  }
}

function measureString(value: string, at: number): number {
  const { length } = value;
  // Short strings are not scanned: only a message of many megabytes comes near the limit.
  if (length <= 1024 || !/[\u0100-\uffff]/.test(value)) return 1 + measureVarint(length) + length;
  const head = 1 + measureVarint(length * 2);
  // Wide characters begin at an even position.
  return head + ((at + head) % 2) + length * 2;
}

function measureVarint(value: number): number {
  return value < 0x80 ? 1 : Math.ceil(Math.log2(value + 1) / 7);
}

function createNotSerializableError(type: string): DOMException {
  return dataCloneError(
    `Could not serialize object of type "${type}". This type does not support serialization.`,
  );
}

const handedOver = ['Request', 'Response', 'Blob', 'AbortSignal', 'DOMException'];

function passPlatformObject(value: object): object {
  // Node treats it as a Blob, workerd does not.
  if (value instanceof File) throw typeNotSerializable(value);
  if (value instanceof Headers) return new Headers(value);
  if (value instanceof ReadableStream) return toByteStream(value);
  if (value instanceof WritableStream) return toByteSink(value);
  for (const name of handedOver) {
    const constructor = Reflect.get(globalThis, name) as abstract new () => object;
    if (value instanceof constructor) return value;
  }
  throw typeNotSerializable(value);
}
