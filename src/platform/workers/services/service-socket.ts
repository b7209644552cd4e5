/**
 * `connect()` of a service binding: a connection to an entry point of a Worker, which gets the other end as
 * `connect(socket)`. Both ends are in this process, without encryption. The connection ends when the handler has
 * returned or thrown, or when one side closes its socket.
 */
import { wrongType } from '#base';
import { currentOwner } from '#sockets';
import { IdentityTransformStream } from '../globals/identity-transform-stream.ts';
import {
  formatAddress,
  readAddress,
  readSecureTransport,
  type SocketAddress,
  type SocketInfo,
  type SocketOptions,
} from '../modules/cloudflare-sockets.ts';

type SecureTransport = NonNullable<SocketOptions['secureTransport']>;

/** Runs the handler; undefined if the Worker has none. */
export type AnswerConnection = (socket: ServiceSocket) => Promise<unknown> | undefined;

export function connectService(
  address: unknown,
  options: SocketOptions,
  answer: AnswerConnection,
): ServiceSocket {
  if (address === undefined)
    throw wrongType({ method: 'connect', face: 'Fetcher' }, 1, 'SocketAddress or string');
  const secureTransport = readSecureTransport(options);
  const name = formatAddress(readAddress(address as string | SocketAddress));
  const connection = new ServiceConnection();
  const caller = connection.callerEnd({ remoteAddress: name, localAddress: undefined }, secureTransport);
  // As in workerd: there is no peer for a handshake.
  if (secureTransport === 'on') connection.refuse();
  else connection.open(answer, { remoteAddress: undefined, localAddress: name });
  return caller;
}

class ServiceConnection {
  readonly #there = new IdentityTransformStream();
  readonly #back = new IdentityTransformStream();
  readonly #opened = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();

  callerEnd(info: SocketInfo, secureTransport: SecureTransport): ServiceSocket {
    const { readable } = this.#back;
    const writable = behindGate(this.#there.writable);
    return this.#end({ readable, writable, info, secureTransport });
  }

  open(answer: AnswerConnection, info: SocketInfo): void {
    const { readable } = this.#there;
    const { writable } = this.#back;
    const handled = answer(this.#end({ readable, writable, info, secureTransport: 'off' }));
    if (handled === undefined) return this.refuse();
    this.#opened.resolve();
    // The runner logs errors of the handler: a caller sees a closed connection.
    void handled.catch(() => {}).then(() => this.#finish());
  }

  refuse(): void {
    const error = new Error('proxy request failed, cannot connect to the specified address');
    this.#opened.reject(error);
    this.#closed.reject(error);
    for (const stream of [this.#there, this.#back]) stream.end();
  }

  #finish(): void {
    for (const { writable } of [this.#there, this.#back])
      if (!writable.locked) writable.close().catch(() => {});
    for (const stream of [this.#there, this.#back]) stream.end();
    this.#closed.resolve();
  }

  #end({
    info,
    ...parts
  }: Omit<SocketParts, 'opened' | 'closed' | 'finish'> & { readonly info: SocketInfo }) {
    const opened = this.#opened.promise.then(() => info);
    const closed = this.#closed.promise;
    for (const promise of [opened, closed]) promise.catch(() => {});
    return new ServiceSocket({ ...parts, opened, closed, finish: () => this.#finish() });
  }
}

interface SocketParts {
  readonly readable: ReadableStream;
  readonly writable: WritableStream<unknown>;
  readonly opened: Promise<SocketInfo>;
  readonly closed: Promise<void>;
  readonly secureTransport: SecureTransport;
  readonly finish: () => void;
}

/** An object's data is sent once its preceding writes are on disk. */
function behindGate(target: WritableStream<unknown>): WritableStream<unknown> {
  const owner = currentOwner();
  const writer = target.getWriter();
  writer.closed.catch(() => {});
  const say = (send: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => owner.say(() => void send().then(resolve, reject)));
  return new WritableStream({
    write: (chunk) => say(() => writer.write(chunk)),
    close: () => say(() => writer.close()),
    abort: (reason) => writer.abort(reason),
  });
}

export class ServiceSocket {
  readonly readable: ReadableStream;
  readonly writable: WritableStream<unknown>;
  readonly opened: Promise<SocketInfo>;
  readonly closed: Promise<void>;
  readonly secureTransport: SecureTransport;
  readonly upgraded = false;
  readonly #finish: () => void;

  constructor({ readable, writable, opened, closed, secureTransport, finish }: SocketParts) {
    this.readable = readable;
    this.writable = writable;
    this.opened = opened;
    this.closed = closed;
    this.secureTransport = secureTransport;
    this.#finish = finish;
  }

  close(): Promise<void> {
    this.#finish();
    return this.closed;
  }

  startTls(): never {
    throw new TypeError(
      'startTls() is not available on a connection to a Worker: both ends are in one process, and nothing is encrypted.',
    );
  }

  get [Symbol.toStringTag](): string {
    return 'Socket';
  }
}
