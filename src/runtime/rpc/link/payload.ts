/**
 * Values as a link carries them: the bytes of room `values`, and a record for each thing that stays where it is or
 * belongs to the platform. What is passed on gets a number in the table of what the other process may call.
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
  /** Something of the sender. */
  | { readonly kind: 'stub'; readonly number: number }
  /** Something of the receiver that comes back. */
  | { readonly kind: 'home'; readonly number: number }
  | { readonly kind: 'entry'; readonly address: Address };

export interface PayloadParts {
  readonly link: CallSender;
  /** Creates the stub of an entry point, wherever that is. */
  readonly createEntryStub: (address: Address, holder: Side) => object;
  /** The address of an entry point as the other process knows it; as it is, unless given. */
  readonly qualify?: ((address: Address) => Address) | undefined;
  /** Called for what is taken in, which is given back when it is not referred to any more. */
  readonly onImport: (capability: RemoteCapability) => void;
}

export interface DecodeOptions {
  /** Who will hold the stubs. */
  readonly holder: Side;
  /** Called for each stub in the value. */
  readonly onStub: (stub: Disposable) => void;
}

export class Payload {
  readonly #parts: PayloadParts;
  /** What the other process may call: stubs that are held for it. */
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
      // The other side will not hear of what was exported for it.
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

  /** The other process needs it no more. */
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

  /** What cannot be built here need not be wrong: the error is of another kind than that of damaged bytes. */
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
