/**
 * The end of a WebSocket whose other end is in another process. The process that has the socket exports a target; the
 * other one has a transport that calls it. Calls arrive in the order in which they are made, and so do messages; a
 * message that does not fit into a call is sent in parts. A message that cannot be sent closes the socket: its receiver
 * must not wait for it.
 */
import { type Receiver, releaseTransport, type SocketData, type Transport, type WebSocket } from '#sockets';
import { outside } from '../side.ts';
import { RpcTarget } from '../target.ts';
import { socketPartBytes } from './limits.ts';
import type { RemoteCapability } from './remote-capability.ts';

type Word =
  /** All but the last part of a message. */
  | readonly [kind: 'part', data: SocketData]
  | readonly [kind: 'message', data: SocketData]
  | readonly [kind: 'closed', code: number, reason: string]
  | readonly [kind: 'lost']
  | readonly [kind: 'failed', message: string];

type Tell = (...word: Word) => Promise<void>;

export class SocketTarget extends RpcTarget implements Disposable {
  readonly #transport: Transport;
  readonly #sent = new PartedMessage();
  readonly #ended = Promise.withResolvers<void>();
  #isClosedHere = false;
  #isClosedThere = false;

  constructor(socket: WebSocket) {
    super();
    this.#transport = releaseTransport(socket);
  }

  /** Passes everything that arrives to the other process; resolves at the end, and holds `tell` until then. */
  async listen(tell: Tell): Promise<void> {
    const say = (...word: Word): void => {
      // The call failed: then there is no listener at the other end either.
      tell(...word).catch(() => this[Symbol.dispose]());
    };
    this.#transport.start({
      message: (data) => {
        for (const [part, isLast] of partsOf(data)) say(isLast ? 'message' : 'part', part);
      },
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

  sendPart(data: SocketData): void {
    this.#sent.add(data);
  }

  send(data: SocketData): void {
    this.#transport.send(this.#sent.end(data));
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

  /** The other process no longer uses it, or has ended. */
  [Symbol.dispose](): void {
    if (!(this.#isClosedHere && this.#isClosedThere)) this.#transport.cut();
    this.#ended.resolve();
  }

  #endIfDone(): void {
    if (this.#isClosedHere && this.#isClosedThere) this.#ended.resolve();
  }
}

/** Code gets the buffer of the bytes, which must contain nothing else. */
function ownBytes(data: SocketData): SocketData {
  return typeof data === 'string' || data.byteLength === data.buffer.byteLength ? data : data.slice();
}

function* partsOf(data: SocketData): Generator<readonly [part: SocketData, isLast: boolean]> {
  // A character has at most two bytes.
  const length = typeof data === 'string' ? socketPartBytes / 2 : socketPartBytes;
  let at = 0;
  for (; data.length - at > length; at += length) yield [data.slice(at, at + length), false];
  yield [at === 0 ? data : data.slice(at), true];
}

/** Assembles the parts of a message. */
class PartedMessage {
  #parts: SocketData[] = [];

  add(part: SocketData): void {
    this.#parts.push(part);
  }

  end(last: SocketData): SocketData {
    if (this.#parts.length === 0) return ownBytes(last);
    const parts = [...this.#parts, last];
    this.#parts = [];
    return typeof last === 'string' ? parts.join('') : ownBytes(Buffer.concat(parts as Uint8Array[]));
  }
}

/** The transport to a socket in another process. */
export class LinkedTransport implements Transport {
  readonly protocol = '';
  readonly extensions = '';
  readonly #target: RemoteCapability;
  readonly #heard = new PartedMessage();
  #receiver: Receiver | undefined;
  #isOver = false;

  constructor(target: RemoteCapability) {
    target.hold();
    this.#target = target;
  }

  start(receiver: Receiver): void {
    this.#receiver = receiver;
    let isClosed = false;
    const tell = (...word: Word): void => {
      if (this.#isOver) return;
      switch (word[0]) {
        case 'part':
          return this.#heard.add(word[1]);
        case 'message':
          return receiver.message(this.#heard.end(word[1]));
        case 'closed':
          isClosed = true;
          return receiver.closed(word[1], word[2]);
        case 'lost':
          return this.#end(() => receiver.lost());
        case 'failed':
          return this.#end(() => receiver.failed(new Error(word[1])));
      }
    };
    this.#call('listen', [tell]).then(
      // Without a close frame, some messages did not arrive.
      () => this.#end(() => (isClosed ? undefined : receiver.lost())),
      () => this.#end(() => receiver.lost()),
    );
  }

  send(data: SocketData): void {
    if (this.#isOver) return;
    for (const [part, isLast] of partsOf(data)) {
      this.#call(isLast ? 'send' : 'sendPart', [part]).catch(() => this.#end(() => this.#receiver?.lost()));
    }
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
    // A failed call also ends `listen`.
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
