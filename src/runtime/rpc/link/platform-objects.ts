/**
 * Streams, requests, responses and signals across a link. Their data is sent; their later behaviour is a target that
 * stays in its process and is called by the copy at the other end. A read is sent when the consumer reads, and a write
 * is answered when it was accepted, so back-pressure is that of the stream itself.
 */
import { setImmediate } from 'node:timers';
import { createUpgradeResponse, socketOf } from '#sockets';
import { createByteSink, createByteStream, toReadBytes } from '../byte-stream.ts';
import { Capability, createStub } from '../capability.ts';
import { outside } from '../side.ts';
import { RpcTarget } from '../target.ts';
import { streamChunkBytesMin, streamPieceBytes, streamReadBytes } from './limits.ts';
import type { RemoteCapability } from './remote-capability.ts';
import { LinkedTransport, SocketTarget } from './socket-target.ts';

type Headings = readonly (readonly [name: string, value: string])[];

/** Targets are identified by the number under which they were exported. */
export type PlatformRecord =
  | { readonly kind: 'readable'; readonly source: number }
  | { readonly kind: 'writable'; readonly sink: number }
  | { readonly kind: 'signal'; readonly source?: number; readonly reason?: unknown }
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly url: string;
      readonly headers: Headings;
      readonly redirect: Request['redirect'];
      readonly body?: PlatformRecord;
      readonly signal?: PlatformRecord;
    }
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly statusText: string;
      readonly headers: Headings;
      readonly body?: PlatformRecord;
      /** The end of a WebSocket that the response passes on. */
      readonly socket?: number;
    };

type ExportStub = (stub: object) => number;

/** The end of a link at which copies are made. */
export interface Importer {
  readonly importTarget: (number: number) => RemoteCapability;
  /** Called with each import that is released at the end of the call that passed it. */
  readonly onImport: (imported: Disposable) => void;
}

/** The record to send for an object of the platform; undefined for an object that cannot be sent. */
export function toPlatformRecord(value: object, exportStub: ExportStub): PlatformRecord | undefined {
  const exported = (target: RpcTarget & Disposable): number =>
    exportStub(
      createStub(
        new Capability({
          owner: outside,
          target: () => target,
          onRelease: () => target[Symbol.dispose](),
        }),
        outside,
      ) as object,
    );
  if (value instanceof ReadableStream) return readableRecord(value, exported);
  if (value instanceof WritableStream)
    return { kind: 'writable', sink: exported(new WritableSink(value.getWriter())) };
  if (value instanceof AbortSignal) return signalRecord(value, exported);
  if (value instanceof Request) {
    const { method, url, redirect, body, signal } = value;
    return {
      kind: 'request',
      method,
      url,
      redirect,
      headers: [...value.headers],
      ...(body === null ? {} : { body: readableRecord(body, exported) }),
      signal: signalRecord(signal, exported),
    };
  }
  if (!(value instanceof Response)) return undefined;
  const { status, statusText, body } = value;
  const socket = socketOf(value);
  return {
    kind: 'response',
    status,
    statusText,
    headers: [...value.headers],
    ...(socket === undefined ? {} : { socket: exported(new SocketTarget(socket)) }),
    ...(body === null ? {} : { body: readableRecord(body, exported) }),
  };
}

export function fromPlatformRecord(record: PlatformRecord, importer: Importer): object {
  const { importTarget } = importer;
  switch (record.kind) {
    case 'readable':
      return createReadable(importTarget(record.source));
    case 'writable':
      return createWritable(importTarget(record.sink));
    case 'signal':
      return createSignal(record, importer);
    case 'request': {
      const { method, url, headers, redirect, body, signal } = record;
      return new Request(url, {
        method,
        headers: headers as [string, string][],
        redirect,
        ...(body === undefined
          ? {}
          : { body: fromPlatformRecord(body, importer) as ReadableStream<Uint8Array>, duplex: 'half' }),
        ...(signal === undefined ? {} : { signal: fromPlatformRecord(signal, importer) as AbortSignal }),
      });
    }
    case 'response': {
      const { status, statusText, headers, body, socket } = record;
      if (socket !== undefined) {
        const transport = new LinkedTransport(importTarget(socket));
        return createUpgradeResponse(transport, { headers: new Headers(headers as [string, string][]) });
      }
      // Only the platform makes a response with this status.
      if (status === 0) return Response.error();
      return new Response(
        body === undefined ? null : (fromPlatformRecord(body, importer) as ReadableStream<Uint8Array>),
        { status, statusText, headers: headers as [string, string][] },
      );
    }
  }
}

function readableRecord(
  stream: ReadableStream,
  exported: (target: RpcTarget & Disposable) => number,
): PlatformRecord {
  return { kind: 'readable', source: exported(new ReadableSource(stream.getReader())) };
}

interface ReadResult {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  readonly isDone: boolean;
}

class ReadableSource extends RpcTarget implements Disposable {
  readonly #reader: ReadableStreamDefaultReader<unknown>;
  #next: ReturnType<ReadableStreamDefaultReader<unknown>['read']> | undefined;
  /** The rest of the last chunk. */
  #pieces: Iterator<Uint8Array<ArrayBuffer>> = [].values();
  #isDone = false;

  constructor(reader: ReadableStreamDefaultReader<unknown>) {
    super();
    this.#reader = reader;
  }

  /** Waits for one chunk, or a piece of a large one, and returns it with all that are available. */
  async read(): Promise<ReadResult> {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for (let bytes = 0; bytes < streamReadBytes;) {
      const piece = this.#pieces.next();
      if (piece.done !== true) {
        chunks.push(piece.value);
        bytes += Math.max(piece.value.length, streamChunkBytesMin);
        continue;
      }
      this.#next ??= this.#reader.read();
      const result = await (chunks.length === 0
        ? this.#next
        : Promise.race([this.#next, nextTurn()]).catch(() => undefined));
      if (result === undefined) break;
      this.#next = undefined;
      this.#isDone = result.done;
      if (result.done) break;
      this.#pieces = piecesOf(this.#toBytes(result.value));
    }
    return { chunks, isDone: this.#isDone };
  }

  #toBytes(chunk: unknown): Uint8Array<ArrayBuffer> {
    try {
      return toReadBytes(chunk);
    } catch (error) {
      void this.cancel(error).catch(() => {});
      throw error;
    }
  }

  async cancel(reason: unknown): Promise<void> {
    this.#isDone = true;
    await this.#reader.cancel(reason);
  }

  [Symbol.dispose](): void {
    // The rest will not be read.
    if (!this.#isDone) void this.#reader.cancel().catch(() => {});
  }
}

/** Splits a chunk into parts that fit into messages: chunk boundaries of bytes have no meaning. */
function* piecesOf(chunk: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>, void> {
  // Copies: for a view, its whole buffer would be sent.
  for (let at = 0; at < chunk.length; at += streamPieceBytes) yield chunk.slice(at, at + streamPieceBytes);
}

function nextTurn(): Promise<undefined> {
  return new Promise((resolve) => void setImmediate(() => resolve(undefined)));
}

function createReadable(source: RemoteCapability): ReadableStream {
  source.hold();
  let isDone = false;
  return createByteStream({
    async read() {
      if (isDone) return undefined;
      const result = (await source.call(outside, ['read'], []).result) as ReadResult;
      isDone = result.isDone;
      if (isDone) source.release();
      return isDone && result.chunks.length === 0 ? undefined : result.chunks;
    },
    async cancel(reason) {
      if (isDone) return;
      await source.call(outside, ['cancel'], [reason]).result;
      source.release();
    },
  });
}

class WritableSink extends RpcTarget implements Disposable {
  readonly #writer: WritableStreamDefaultWriter<unknown>;
  #isDone = false;

  constructor(writer: WritableStreamDefaultWriter<unknown>) {
    super();
    this.#writer = writer;
  }

  async write(chunk: unknown): Promise<void> {
    await this.#writer.write(chunk);
  }

  async close(): Promise<void> {
    this.#isDone = true;
    await this.#writer.close();
  }

  async abort(reason: unknown): Promise<void> {
    this.#isDone = true;
    await this.#writer.abort(reason);
  }

  [Symbol.dispose](): void {
    if (!this.#isDone) void this.#writer.abort(new Error('Network connection lost.')).catch(() => {});
  }
}

function createWritable(sink: RemoteCapability): WritableStream {
  sink.hold();
  const send = async (name: string, ...args: unknown[]): Promise<void> => {
    await sink.call(outside, [name], args).result;
    if (name !== 'write') sink.release();
  };
  return createByteSink({
    async write(bytes) {
      for (const piece of piecesOf(bytes)) await send('write', piece.buffer);
    },
    close: () => send('close'),
    abort: (reason) => send('abort', reason),
  });
}

function signalRecord(
  signal: AbortSignal,
  exported: (target: RpcTarget & Disposable) => number,
): PlatformRecord {
  return signal.aborted
    ? { kind: 'signal', reason: signal.reason }
    : { kind: 'signal', source: exported(new SignalSource(signal)) };
}

class SignalSource extends RpcTarget implements Disposable {
  readonly #released = Promise.withResolvers<{ readonly reason?: unknown }>();
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.#released.resolve({ reason: this.#signal.reason });

  constructor(signal: AbortSignal) {
    super();
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort);
  }

  /** The reason, once the signal aborts; an empty object if no listener is left. */
  async untilAborted(): Promise<{ readonly reason?: unknown }> {
    return await this.#released.promise;
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#released.resolve({});
  }
}

function createSignal(
  record: PlatformRecord & { readonly kind: 'signal' },
  { importTarget, onImport }: Importer,
): AbortSignal {
  if (record.source === undefined) return AbortSignal.abort(record.reason);
  const controller = new AbortController();
  const source = importTarget(record.source);
  source.hold();
  onImport({ [Symbol.dispose]: () => source.release() });
  source.call(outside, ['untilAborted'], []).result.then(
    (value) => {
      if ('reason' in (value as object)) controller.abort((value as { reason: unknown }).reason);
    },
    // The process of the signal has ended, and with it the code that could abort.
    (error: unknown) => controller.abort(error),
  );
  return controller.signal;
}
