/**
 * Values as a link transmits them: the bytes of the room `values`, and a record for each object that stays in its
 * process or belongs to the platform. Each exported object gets a number in the table of objects that the other process
 * may call.
 */
import { decodeReferring, decodeValue, encodeReferring, encodeValue } from '#values';
import { createStub } from '../capability.ts';
import { type Address, findReference } from '../reference.ts';
import { type Side, outside } from '../side.ts';
import { LinkProtocolError } from './frames.ts';
import { type PlatformRecord, fromPlatformRecord, toPlatformRecord } from './platform-objects.ts';
import { type CallSender, RemoteCapability, space } from './remote-capability.ts';

type Record =
  | PlatformRecord
  /** An object of the sender. */
  | { readonly kind: 'stub'; readonly number: number }
  /** An object of the receiver that returns to it. */
  | { readonly kind: 'home'; readonly number: number }
  | { readonly kind: 'entry'; readonly address: Address };

export interface PayloadParts {
  readonly link: CallSender;
  /** Creates the stub of an entry point, in whichever process it is. */
  readonly createEntryStub: (address: Address, holder: Side) => object;
  /** Converts the address of an entry point to the one that the other process uses; by default it is unchanged. */
  readonly qualify?: ((address: Address) => Address) | undefined;
  /** Called for each imported object, which is released when it is no longer referenced. */
  readonly onImport: (capability: RemoteCapability) => void;
}

export interface DecodeOptions {
  /** The side that will hold the stubs. */
  readonly holder: Side;
  /** Called for each stub in the value. */
  readonly onStub: (stub: Disposable) => void;
}

export class Payload {
  readonly #parts: PayloadParts;
  /** The objects that the other process may call: stubs held on its behalf. */
  readonly #exports = new Map<number, Partial<Disposable>>();
  #lastExport = 0;

  constructor(parts: PayloadParts) {
    this.#parts = parts;
  }

  encode(value: unknown): Uint8Array[] {
    const first = this.#lastExport;
    let records: Record[] | undefined;
    const referenceTo = (object: object): number | undefined => {
      const record = this.#toRecord(object);
      if (record === undefined) return undefined;
      records ??= [];
      return records.push(record) - 1;
    };
    try {
      const bytes = encodeReferring(value, referenceTo);
      return records === undefined ? [bytes] : [bytes, encodeValue(records)];
    } catch (error) {
      // The other side will not learn of these exports.
      for (let number = first + 1; number <= this.#lastExport; number++) this.release(number);
      throw error;
    }
  }

  decode([bytes, recordBytes]: readonly Uint8Array[], options: DecodeOptions): unknown {
    if (bytes === undefined) throw new LinkProtocolError('a frame has no value');
    const records = recordBytes === undefined ? [] : (decodeValue(recordBytes) as Record[]);
    const objects: object[] = [];
    return decodeReferring(bytes, (number) => {
      const record = records[number];
      if (record === undefined) throw new LinkProtocolError('a value refers to something that was not sent');
      return (objects[number] ??= this.#build(record, options));
    });
  }

  /** The stub that the other process knows by a number. */
  exported(number: number): object {
    const stub = this.#exports.get(number);
    if (stub === undefined)
      throw new LinkProtocolError(`a call came for the stub ${number}, which is not there`);
    return stub;
  }

  /** The other process no longer needs it. */
  release(number: number): void {
    const stub = this.#exports.get(number);
    this.#exports.delete(number);
    // The stub of an entry point without an address has no disposer.
    stub?.[Symbol.dispose]?.();
  }

  releaseAll(): void {
    for (const number of [...this.#exports.keys()]) this.release(number);
  }

  get exportsOpen(): number {
    return this.#exports.size;
  }

  #export(stub: object): number {
    this.#exports.set(++this.#lastExport, stub);
    return this.#lastExport;
  }

  #toRecord(object: object): Record | undefined {
    const reference = findReference(object);
    if (reference === undefined) return toPlatformRecord(object, (stub) => this.#export(stub));
    const { address, held } = reference;
    if (address !== undefined) return { kind: 'entry', address: this.#parts.qualify?.(address) ?? address };
    if (held instanceof RemoteCapability && held.link === this.#parts.link)
      return { kind: 'home', number: held.target.number };
    const stub = reference.handTo?.(outside);
    return stub === undefined ? undefined : { kind: 'stub', number: this.#export(stub) };
  }

  /** A failure to build it here does not mean that it is malformed: the error differs from that for damaged bytes. */
  #build(record: Record, options: DecodeOptions): object {
    try {
      return this.#fromRecord(record, options);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new TypeError(`a ${record.kind} that was passed cannot be made here: ${error.message}`, {
        cause: error,
      });
    }
  }

  #fromRecord(record: Record, { holder, onStub }: DecodeOptions): object {
    const remember = (stub: object): object => {
      onStub(stub as Disposable);
      return stub;
    };
    switch (record.kind) {
      case 'stub':
        return remember(createStub(this.#import(record.number), holder) as object);
      case 'home':
        return remember(findReference(this.exported(record.number))!.handTo!(holder));
      case 'entry':
        return this.#parts.createEntryStub(record.address, holder);
      default:
        return fromPlatformRecord(record, {
          importTarget: (number) => this.#import(number),
          onImport: onStub,
        });
    }
  }

  #import(number: number): RemoteCapability {
    const capability = new RemoteCapability(this.#parts.link, { space: space.exported, number });
    this.#parts.onImport(capability);
    return capability;
  }
}
