/**
 * Identities. An id is 32 bytes: 16 that name the object (random, or derived from a name) and 16 that
 * prove they were made for this namespace. Both derivations are workerd's, so ids computed there
 * and here for the same unique key are the same.
 */
import { createHash, createHmac, randomBytes as randomBytesOf, timingSafeEqual } from 'node:crypto';
import { markAsUncloneable } from 'node:worker_threads';
import { BoundedMap, wrongType } from '#base';
import { makeEnumerable } from './storage/arguments.ts';

const halfBytes = 16;
/** A longer name is not passed on to the object: the object can still be addressed, but does not know its name. */
const nameBytesMax = 1024;
const idsKeptMax = 1_000;
/** Follows the unique key of a class whose objects were moved here; the label after it makes the key distinct. */
const keyMark = '\u0001';

/** A key under which objects of a class can be stored beside others, with their existing ids. */
export function createKeyBeside(uniqueKey: string, label: string): string {
  return idKeyOf(uniqueKey) + keyMark + label;
}

/** The part of a unique key that ids are derived from. */
function idKeyOf(uniqueKey: string): string {
  return uniqueKey.split(keyMark, 1)[0]!;
}

export class DurableObjectId {
  readonly #hex: string;
  /** Always undefined: jurisdictions are out of scope. */
  readonly jurisdiction: string | undefined = undefined;
  /** The name it was derived from, if it was derived from a name here. */
  readonly name: string | undefined;
  readonly #className: string;

  /** @internal Only a namespace makes ids. */
  constructor(hex: string, className: string, name?: string) {
    this.#hex = hex;
    this.#className = className;
    this.name = name;
    // Flattened to a plain object it would not identify anything.
    markAsUncloneable(this);
    // All callers that ask for the same name get the same id object: none of them may change it for the others.
    Object.freeze(this);
  }

  toString(): string {
    return this.#hex;
  }

  equals(other: DurableObjectId): boolean {
    if (!isDurableObjectId(other)) {
      throw wrongType({ method: 'equals', face: 'DurableObjectId' }, 1, 'DurableObjectId');
    }
    return this.#hex === other.#hex;
  }

  /** @internal The class whose namespace made this id. */
  static classOf(id: DurableObjectId): string {
    return id.#className;
  }

  static is(value: unknown): value is DurableObjectId {
    return typeof value === 'object' && value !== null && #hex in value;
  }

  get [Symbol.toStringTag](): string {
    return 'DurableObjectId';
  }
}
makeEnumerable(DurableObjectId.prototype, ['toString', 'equals']);

export const isDurableObjectId = DurableObjectId.is;
export const classNameOf = DurableObjectId.classOf;

/** Makes and checks the ids of one namespace. */
export class IdFactory {
  readonly #className: string;
  readonly #key: Buffer;
  readonly #randomBytes: (count: number) => Buffer;
  /** Ids of recently requested names: deriving one costs as much as a short call. */
  readonly #byName = new BoundedMap<string, DurableObjectId>(idsKeptMax);

  constructor(className: string, uniqueKey: string, randomBytes: (count: number) => Buffer = randomBytesOf) {
    this.#className = className;
    this.#randomBytes = randomBytes;
    this.#key = createHash('sha256').update(idKeyOf(uniqueKey)).digest();
  }

  fromName(name: string): DurableObjectId {
    let id = this.#byName.get(name);
    if (id === undefined) {
      id = new DurableObjectId(this.#complete(this.#hmac(Buffer.from(name, 'utf8'))), this.#className, name);
      if (name.length <= nameBytesMax) this.#byName.set(name, id);
    }
    return id;
  }

  unique(): DurableObjectId {
    return new DurableObjectId(this.#complete(this.#randomBytes(halfBytes)), this.#className);
  }

  fromString(text: string): DurableObjectId {
    if (!/^[0-9a-f]{64}$/i.test(text)) {
      throw new TypeError('Invalid Durable Object ID: must be 64 hex digits');
    }
    const bytes = Buffer.from(text, 'hex');
    const proof = this.#hmac(bytes.subarray(0, halfBytes));
    if (!timingSafeEqual(proof, bytes.subarray(halfBytes))) {
      throw new TypeError('Durable Object ID is not valid for this namespace.');
    }
    return new DurableObjectId(bytes.toString('hex'), this.#className);
  }

  /** The id that another process of the same runtime sent, together with its name. */
  fromAddress(hex: string, name: string | undefined): DurableObjectId {
    return new DurableObjectId(hex, this.#className, name);
  }

  /** A short proof that `parts` were combined by this namespace. */
  seal(parts: string): string {
    return this.#hmac(Buffer.from(parts)).toString('hex');
  }

  #complete(half: Buffer): string {
    return half.toString('hex') + this.#hmac(half).toString('hex');
  }

  #hmac(bytes: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(bytes).digest().subarray(0, halfBytes);
  }
}

/** The name as the object itself knows it, and as it is stored. */
export function nameInsideObject(name: string | undefined): string | undefined {
  return name !== undefined && Buffer.byteLength(name) <= nameBytesMax ? name : undefined;
}
