/**
 * Calls between two processes over one socket. Both ends are equal: each may call what the other has passed to it, and
 * the entry points of the other by their address.
 *
 * Promises:
 * - every value that can be passed in one process can be passed here, with the same meaning;
 * - calls arrive in the order in which they leave; those made before there is a socket wait for it;
 * - when the link breaks, every call that has no result yet is rejected as one to an object that was reset, and so is
 *   every later one: to continue, make another link;
 * - a frame that no correct process sends breaks the link, and nothing else does.
 */
import type { Socket } from 'node:net';
import type { Callable, Transport } from '../capability.ts';
import { toCallerError, isReference } from '../caller-error.ts';
import { invokeMethod } from '../invoke.ts';
import { needsDisposal } from '../passed-value.ts';
import { type Address, type RemoteCall, findReference } from '../reference.ts';
import { type Side, outside } from '../side.ts';
import { ValueFormatError, decodeValue, encodeValue } from '#values';
import { encodeError, fromErrorRecord } from './error-record.ts';
import {
  frameType,
  resultFlag,
  type LinkFrame,
  LinkReader,
  LinkWriter,
  LinkProtocolError,
} from './frames.ts';
import { numbersMax, queuedBytesMax } from './limits.ts';
import { createLostError, createOverloadedError, type ExplainLoss, Losses } from './link-errors.ts';
import { Payload } from './payload.ts';
import {
  type CallSender,
  type LinkMessage,
  RemoteCapability,
  type RemoteTarget,
  operation,
  space,
} from './remote-capability.ts';
import { PackedResult, copyingTransport, plainTransport } from './transport.ts';

/** Answers calls to an entry point. */
export interface LinkEntry extends Callable {
  fetch(holder: Side, request: Request): Promise<Response>;
}

export interface LinkOptions {
  /** An entry point of this process. */
  readonly openEntry: (address: Address) => LinkEntry;
  /** Creates the stub of an entry point that the other process passes, in whichever process it is. */
  readonly createEntryStub: (address: Address, holder: Side) => object;
  readonly explainLoss?: ExplainLoss;
  /** Converts the address of a passed entry point to the one that the other process uses; by default unchanged. */
  readonly qualify?: (address: Address) => Address;
}

interface PendingCall extends PromiseWithResolvers<unknown> {
  readonly target: RemoteTarget;
  readonly holder: Side;
  readonly onResult: ((value: unknown) => void) | undefined;
}

export class Link implements CallSender {
  readonly #closed = Promise.withResolvers<Error | undefined>();
  readonly #options: LinkOptions;
  readonly #writer = new LinkWriter(() => this.#sendSettled());
  /** Calls whose results have arrived, until the other process is notified. */
  #settled: number[] = [];
  readonly #payload: Payload;
  readonly #pending = new Map<number, PendingCall>();
  /** Calls of the other process, while it may call their results. */
  readonly #running = new Map<number, RemoteCall>();
  /** Results of calls of the other process that it must dispose of. */
  readonly #results = new Map<number, Disposable>();
  readonly #entries = new Map<number, LinkEntry>();
  readonly #losses: Losses;
  /** Releases what this process has garbage-collected without disposing of it. */
  readonly #forgotten = new FinalizationRegistry<readonly [type: number, numbers: readonly number[]]>(
    ([type, numbers]) => this.#tell(type, numbers),
  );
  #socket: Socket | undefined;
  #lastCall = 0;
  #lastEntry = 0;
  #isBroken = false;
  #fault: Error | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#losses = new Losses(options.explainLoss);
    this.#payload = new Payload({
      link: this,
      createEntryStub: options.createEntryStub,
      qualify: options.qualify,
      onImport: (capability) => this.#watch(capability, capability.target),
    });
  }

  /** Attaches the socket to the other process. Frames sent earlier have waited for it. */
  attach(socket: Socket): void {
    if (this.#isBroken) {
      socket.destroy();
      return;
    }
    this.#socket = socket;
    const reader = new LinkReader((frame) => this.#receive(frame));
    socket.on('data', (chunk: Buffer) => {
      try {
        if (!this.#isBroken) reader.push(chunk);
      } catch (error) {
        this.#fault = error as Error;
        socket.destroy();
      }
    });
    // The socket's `close` event also reports its errors.
    socket.on('error', () => {});
    socket.on('close', () => this.#break());
    this.#writer.attach(socket);
  }

  /**
   * Resolves when the link is broken or has been closed: with the error in a frame of the other process, if that broke
   * it.
   */
  get closed(): Promise<Error | undefined> {
    return this.#closed.promise;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** The references that the other process holds to this one, for monitoring and tests. */
  get exportsOpen(): number {
    return this.#payload.exportsOpen;
  }

  /** An entry point of the other process. It need not be disposed of. */
  entry(address: Address): RemoteCapability {
    const target = { space: space.entry, number: ++this.#lastEntry };
    this.#losses.note(target, address);
    const capability = new RemoteCapability(this, target, address);
    this.#tell(frameType.entry, [target.number], [encodeValue(address)]);
    this.#watch(capability, target);
    return capability;
  }

  send({ target, operation: kind, path, args, bytes, holder, onResult }: LinkMessage): {
    readonly number: number;
    readonly result: Promise<unknown>;
  } {
    if (this.#isBroken) throw createLostError();
    if (this.#writer.queuedBytes > queuedBytesMax) throw createOverloadedError();
    const number = ++this.#lastCall;
    const value = bytes !== undefined ? [bytes] : args === undefined ? [] : this.#payload.encode(args);
    const numbers = [number, target.space, target.number, kind, path.length];
    this.#writer.send(frameType.call, numbers, [...path, ...value]);
    const pending = { ...Promise.withResolvers<unknown>(), target, holder, onResult };
    this.#pending.set(number, pending);
    return { number, result: pending.promise };
  }

  release(capability: RemoteCapability): void {
    this.#forgotten.unregister(capability);
    this.#tell(frameType.release, [capability.target.space, capability.target.number]);
  }

  /** Sends queued frames, then closes the link. */
  close(): void {
    this.#writer.flush();
    this.#socket?.end();
    this.#break();
  }

  #tell(type: number, numbers: readonly number[], parts: readonly Uint8Array[] = []): void {
    if (!this.#isBroken) this.#writer.send(type, numbers, parts);
  }

  #watch(capability: RemoteCapability, target: RemoteTarget): void {
    this.#forgotten.register(capability, [frameType.release, [target.space, target.number]], capability);
  }

  #receive({ type, numbers, parts }: LinkFrame): void {
    const [first = 0, second = 0] = numbers;
    switch (type) {
      case frameType.call:
        return this.#serve(numbers, parts);
      case frameType.result:
        return this.#settle(first, (pending) => this.#takeResult(pending, first, second, parts));
      case frameType.failure:
        this.#noteSettled(first);
        return this.#settle(first, ({ reject }) => reject(fromErrorRecord(decodeValue(partOf(parts)))));
      case frameType.settled:
        for (const number of numbers) this.#running.delete(number);
        return;
      case frameType.disposal:
        this.#results.get(first)?.[Symbol.dispose]();
        this.#results.delete(first);
        return;
      case frameType.release:
        if (first === space.entry) this.#entries.delete(second);
        else this.#payload.release(second);
        return;
      case frameType.entry:
        this.#entries.set(first, this.#options.openEntry(decodeValue(partOf(parts)) as Address));
        return;
      default:
        throw new LinkProtocolError(`a frame of the unknown type ${type} arrived`);
    }
  }

  /** A call stays pending until it is settled: breaking the link here rejects it with all others. */
  #settle(number: number, settle: (pending: PendingCall) => void): void {
    const pending = this.#pending.get(number);
    if (pending === undefined) throw new LinkProtocolError('a result arrived that was not requested');
    try {
      settle(pending);
    } catch (error) {
      if (isWrongFrame(error)) throw error;
      pending.reject(error);
    }
    this.#pending.delete(number);
  }

  #takeResult(pending: PendingCall, number: number, flags: number, parts: readonly Buffer[]): void {
    const isDisposedThere = (flags & resultFlag.disposed) !== 0;
    if ((flags & resultFlag.kept) !== 0) this.#noteSettled(number);
    const stubs: Disposable[] = [];
    try {
      const value = this.#payload.decode(parts, {
        holder: pending.holder,
        onStub: (stub) => stubs.push(stub),
      });
      if ((flags & resultFlag.disposable) !== 0) this.#makeDisposable(value, number, isDisposedThere, stubs);
      pending.onResult?.(value);
      pending.resolve(value);
    } catch (error) {
      for (const stub of stubs) stub[Symbol.dispose]();
      if (isDisposedThere) this.#tell(frameType.disposal, [number]);
      throw error;
    }
  }

  #makeDisposable(value: unknown, number: number, isDisposedThere: boolean, stubs: Disposable[]): void {
    if (!isReference(value)) throw new LinkProtocolError('a result that is not an object has a disposer');
    if (!isDisposedThere && stubs.length === 0) {
      Object.defineProperty(value, Symbol.dispose, emptyDisposer);
      return;
    }
    let isOpen = true;
    const dispose = (): void => {
      if (isOpen && isDisposedThere) this.#tell(frameType.disposal, [number]);
      isOpen = false;
      for (const stub of stubs.splice(0)) stub[Symbol.dispose]();
      this.#forgotten.unregister(value);
    };
    Object.defineProperty(value, Symbol.dispose, { value: dispose, writable: true, configurable: true });
    if (isDisposedThere) this.#forgotten.register(value, [frameType.disposal, [number]], value);
  }

  #noteSettled(number: number): void {
    if (this.#settled.push(number) === numbersMax) this.#sendSettled();
    else this.#writer.flushLater();
  }

  #sendSettled(): void {
    if (this.#settled.length === 0) return;
    const numbers = this.#settled;
    this.#settled = [];
    this.#tell(frameType.settled, numbers);
  }

  #serve(numbers: readonly number[], parts: readonly Buffer[]): void {
    const [number = 0, targetSpace = 0, target = 0, kind = 0, names = 0] = numbers;
    const path = parts.slice(0, names).map((part) => part.toString());
    const imported: Disposable[] = [];
    let call: RemoteCall;
    try {
      const args = kind === operation.read ? undefined : this.#decodeArguments(parts.slice(names), imported);
      // Without records the message contains only plain data.
      const transport = parts.length - names < 2 ? plainTransport : copyingTransport;
      call =
        targetSpace === space.entry
          ? this.#callEntry(target, { kind, path, args, transport })
          : targetSpace === space.call
            ? this.#callResult(target, path, args)
            : findReference(this.#payload.exported(target))!.call(path, args);
    } catch (error) {
      if (isWrongFrame(error)) throw error;
      call = failedCall(error);
    }
    this.#running.set(number, call);
    const release = (): void => {
      for (const each of imported) each[Symbol.dispose]();
    };
    call.result.then(
      (value) => {
        this.#sendResult(number, value);
        release();
      },
      (error: unknown) => {
        this.#sendFailure(number, error);
        release();
      },
    );
  }

  #decodeArguments(parts: readonly Buffer[], imported: Disposable[]): unknown[] {
    const args = this.#payload.decode(parts, {
      holder: outside,
      onStub: (stub) => imported.push(stub),
    });
    if (!Array.isArray(args)) throw new LinkProtocolError('a call has no list of arguments');
    return args;
  }

  #callEntry(
    number: number,
    {
      kind,
      path,
      args,
      transport,
    }: Pick<LinkMessage, 'path' | 'args'> & { kind: number; transport: Transport },
  ): RemoteCall {
    const entry = this.#entries.get(number);
    if (entry === undefined)
      throw new LinkProtocolError(`a call came for the entry ${number}, which is not open`);
    if (kind !== operation.fetch) return entry.call(outside, path, args, transport);
    const [request] = args ?? [];
    if (!(request instanceof Request)) throw new LinkProtocolError('a fetch has no request');
    return settledCall(entry.fetch(outside, request));
  }

  /** A result that is not kept has nothing to call. */
  #callResult(number: number, path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    const call = this.#running.get(number);
    if (call !== undefined) return call.pipeline(path, args);
    return settledCall(
      invokeMethod(undefined, path, args).catch((error: unknown) => {
        throw toCallerError(error);
      }),
    );
  }

  #sendResult(number: number, value: unknown): void {
    if (this.#isBroken) return disposeOf(value);
    try {
      if (value instanceof PackedResult) {
        const flags = this.#keepPacked(number, value);
        return this.#writer.send(frameType.result, [number, flags], [value.bytes]);
      }
      const parts = this.#payload.encode(value);
      this.#writer.send(frameType.result, [number, this.#keep(number, value)], parts);
    } catch (error) {
      this.#sendFailure(number, toCallerError(error));
    }
  }

  #keepPacked(number: number, { isObject }: PackedResult): number {
    if (isObject) return resultFlag.kept | resultFlag.disposable;
    this.#running.delete(number);
    return 0;
  }

  /** Keeps the parts of a result that the other process may still request; returns its flags. */
  #keep(number: number, value: unknown): number {
    if (!isReference(value)) {
      this.#running.delete(number);
      return 0;
    }
    const isBorrowed = findReference(value) !== undefined;
    // The table of exports has a stub of its own.
    if (isBorrowed) disposeOf(value);
    if (isBorrowed || !Object.hasOwn(value, Symbol.dispose)) return resultFlag.kept;
    if (!needsDisposal(value)) return resultFlag.kept | resultFlag.disposable;
    this.#results.set(number, value as Disposable);
    return resultFlag.kept | resultFlag.disposable | resultFlag.disposed;
  }

  #sendFailure(number: number, error: unknown): void {
    this.#tell(frameType.failure, [number], [encodeError(error)]);
  }

  #break(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    for (const { target, reject } of this.#pending.values()) reject(this.#losses.errorFor(target));
    this.#pending.clear();
    this.#running.clear();
    this.#entries.clear();
    this.#payload.releaseAll();
    for (const result of this.#results.values()) result[Symbol.dispose]();
    this.#results.clear();
    this.#closed.resolve(this.#fault);
  }
}

/** For a result without references. */
const emptyDisposer: PropertyDescriptor = { value: () => {}, writable: true, configurable: true };

function partOf([part]: readonly Buffer[]): Buffer {
  if (part === undefined) throw new LinkProtocolError('a frame lacks its part');
  return part;
}

/** A frame that no correct process sends breaks the link; any other error in a message affects only its call. */
function isWrongFrame(error: unknown): boolean {
  return error instanceof LinkProtocolError || error instanceof ValueFormatError;
}

function disposeOf(value: unknown): void {
  if (isReference(value)) (value as Partial<Disposable>)[Symbol.dispose]?.();
}

/** Calls whose outcome is known when they are made, or that have no callable result. */
function settledCall(result: Promise<unknown>): RemoteCall {
  return {
    result,
    pipeline: () => settledCall(Promise.reject(new TypeError('the result of fetch() cannot be called'))),
  };
}

/** Calls on its result fail with the same error. */
function failedCall(reason: unknown): RemoteCall {
  return { result: Promise.reject(reason), pipeline: () => failedCall(reason) };
}
