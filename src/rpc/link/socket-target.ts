/**
 * The end of a WebSocket whose other end is in another process. The process that has the socket exports a target; the other
 * one has a transport that calls it. Calls arrive in the order in which they are made, and so do messages.
 */
import { type Receiver, releaseTransport, type SocketData, type Transport, type WebSocket } from '#sockets';
import { outside } from '../side.ts';
import { RpcTarget } from '../target.ts';
import type { RemoteCapability } from './remote-capability.ts';

type Word =
  | readonly [kind: 'message', data: SocketData]
  | readonly [kind: 'closed', code: number, reason: string]
  | readonly [kind: 'lost']
  | readonly [kind: 'failed', message: string];

type Tell = (...word: Word) => Promise<void>;

export class SocketTarget extends RpcTarget implements Disposable {
  readonly #transport: Transport;
  readonly #ended = Promise.withResolvers<void>();
  #isClosedHere = false;
  #isClosedThere = false;

  constructor(socket: WebSocket) {
    super();
    this.#transport = releaseTransport(socket);
  }

  /** Tells the other process everything that arrives; resolves at the end, and holds `tell` until then. */
  async listen(tell: Tell): Promise<void> {
    const say = (...word: Word): void => {
      // It is not heard: then there is no listener at the other end either.
      tell(...word).catch(() => this[Symbol.dispose]());
    };
    this.#transport.start({
      message: (data) => say('message', data),
      closed: (code, reason) => {
        this.#isClosedThere = true;
        say('closed', code, reason);
        this.#endIfDone();
      },
      lost: () => {
        say('lost');
        this.#ended.resolve();
      },
      failed: (error) => {
        say('failed', error.message);
        this.#ended.resolve();
      },
    });
    await this.#ended.promise;
  }

  send(data: SocketData): void {
    this.#transport.send(ownBytes(data));
  }

  close(code: number | undefined, reason: string): void {
    this.#isClosedHere = true;
    this.#transport.close(code, reason);
    this.#endIfDone();
  }

  fail(message: string): void {
    this.#transport.fail(new Error(message));
    this.#ended.resolve();
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  /** The other process has nothing more to do with it, or is gone. */
  [Symbol.dispose](): void {
    if (!(this.#isClosedHere && this.#isClosedThere)) this.#transport.cut();
    this.#ended.resolve();
  }

  #endIfDone(): void {
    if (this.#isClosedHere && this.#isClosedThere) this.#ended.resolve();
  }
}

/** Code gets the buffer of the bytes, in which nothing else may be. */
function ownBytes(data: SocketData): SocketData {
  return typeof data === 'string' || data.byteLength === data.buffer.byteLength ? data : data.slice();
}

/** The transport to a socket of another process. */
export class LinkedTransport implements Transport {
  readonly protocol = '';
  readonly extensions = '';
  readonly #target: RemoteCapability;
  #isOver = false;

  constructor(target: RemoteCapability) {
    target.hold();
    this.#target = target;
  }

  start(receiver: Receiver): void {
    const tell = (...word: Word): void => {
      if (this.#isOver) return;
      switch (word[0]) {
        case 'message':
          return receiver.message(ownBytes(word[1]));
        case 'closed':
          return receiver.closed(word[1], word[2]);
        case 'lost':
          return this.#end(() => receiver.lost());
        case 'failed':
          return this.#end(() => receiver.failed(new Error(word[1])));
      }
    };
    this.#call('listen', [tell]).then(
      () => this.#end(() => {}),
      () => this.#end(() => receiver.lost()),
    );
  }

  send(data: SocketData): void {
    this.#say('send', data);
  }

  close(code: number | undefined, reason: string): void {
    this.#say('close', code, reason);
  }

  cut(): void {
    this.#end(() => {});
  }

  fail(error: Error): void {
    this.#say('fail', error.message);
  }

  pause(): void {
    this.#say('pause');
  }

  resume(): void {
    this.#say('resume');
  }

  #say(name: string, ...args: unknown[]): void {
    // A call that does not arrive ends `listen`, too.
    if (!this.#isOver) this.#call(name, args).catch(() => {});
  }

  #call(name: string, args: readonly unknown[]): Promise<unknown> {
    return this.#target.call(outside, [name], args).result;
  }

  #end(tell: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    tell();
    this.#target.release();
  }
}
