/**
 * A proxy to a server with faults: connections are cut, so that both ends notice; packets are dropped, so that neither
 * does; a connection is lost around one message, so that its sender cannot know the outcome; or responses are
 * reordered.
 */
import { once } from 'node:events';
import {
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
  connect,
  createServer,
} from 'node:net';

/** What happens to the message at which a connection is lost. */
export type Loss = 'delivered' | 'dropped' | 'delivered late';

interface Trap {
  readonly markers: readonly string[];
  readonly loss: Loss;
  readonly sprung: PromiseWithResolvers<void>;
}

/** How long a late message is still in transit after its sender has given up on it. */
const lateMs = 150;

/** How long a response waits for another to be sent first, when all possible pairs are swapped. */
const reorderMs = 30;

export class FaultProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [near: Socket, far: Socket]>();
  #target: NetConnectOpts | undefined;
  #state: 'open' | 'cut' | 'swallowing' = 'open';
  #trap: Trap | undefined;
  #delayMs = 0;
  #exchanges: 'none' | 'all' | 'next' = 'none';
  /** How often two responses were swapped. */
  reordered = 0;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (near) => this.#join(near));
  }

  static async start(target?: NetConnectOpts): Promise<FaultProxy> {
    const server = createServer();
    server.listen({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const proxy = new FaultProxy(server);
    proxy.#target = target;
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** New connections go there, and existing ones are closed. */
  retarget(target: NetConnectOpts): void {
    this.#target = target;
    this.#endAll();
  }

  /** Closes every connection; new ones are closed at once. */
  cut(): void {
    this.#state = 'cut';
    this.#endAll();
  }

  /** Drops all data in both directions, without closing connections. */
  swallow(): void {
    this.#state = 'swallowing';
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** Delays all data by this time, in both directions. */
  slowBy(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Swaps two responses of PostgreSQL that are in transit at the same time. For connections made from now on. */
  reorder(): void {
    this.#exchanges = 'all';
    this.#endAll();
  }

  /** Swaps the next two responses of PostgreSQL, however long the second takes. No response may be in transit. */
  exchangeNext(): void {
    this.#exchanges = 'next';
  }

  /** Dropped data stays lost: its connections are closed. */
  heal(): void {
    if (this.#state === 'swallowing') this.#endAll();
    this.#state = 'open';
  }

  /**
   * Loses a connection around the next message to the server that contains one of the texts; resolves when it is lost.
   */
  loseAt(markers: readonly string[], loss: Loss): Promise<void> {
    const sprung = Promise.withResolvers<void>();
    this.#trap = { markers, loss, sprung };
    return sprung.promise;
  }

  /** Cancels a pending loss of a connection. */
  disarm(): void {
    this.#trap = undefined;
  }

  async stop(): Promise<void> {
    this.cut();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #endAll(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    this.#pairs.clear();
  }

  #join(near: Socket): void {
    near.on('error', () => {});
    if (this.#state === 'cut' || this.#target === undefined) return void near.destroy();
    const far = connect(this.#target);
    far.on('error', () => {});
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    near.on('data', (bytes: Buffer) => {
      const trap = this.#trap;
      if (trap?.markers.some((marker) => bytes.includes(marker)) === true) this.#spring(trap, pair, bytes);
      else this.#pass(bytes, far);
    });
    const answers = new Answers((bytes) => this.#pass(bytes, near));
    answers.onExchanged = () => {
      this.reordered++;
      if (this.#exchanges === 'next') this.#exchanges = 'none';
    };
    far.on('data', (bytes: Buffer) => {
      if (this.#exchanges === 'none') this.#pass(bytes, near);
      else answers.take(bytes, this.#exchanges === 'all' ? reorderMs : undefined);
    });
    for (const socket of pair) {
      socket.setNoDelay(true);
      socket.on('close', () => {
        this.#pairs.delete(pair);
        near.destroy();
        far.end();
      });
    }
    if (this.#state === 'swallowing') for (const socket of pair) socket.pause();
  }

  #pass(bytes: Buffer, to: Socket): void {
    if (this.#delayMs === 0) to.write(bytes);
    else setTimeout(() => to.writable && to.write(bytes), this.#delayMs);
  }

  #spring({ loss, sprung }: Trap, [near, far]: readonly [near: Socket, far: Socket], bytes: Buffer): void {
    this.#trap = undefined;
    near.removeAllListeners('data');
    far.removeAllListeners('data');
    far.resume();
    if (loss === 'delivered late') setTimeout(() => far.end(bytes), lateMs);
    else if (loss === 'delivered') far.end(bytes);
    // The server learns that it has lost its client only after it has received the message.
    near.removeAllListeners('close');
    near.destroy();
    if (loss === 'dropped') far.destroy();
    sprung.resolve();
  }
}

/**
 * The output of a PostgreSQL server, split into responses: each ends with the message that it is ready for the next
 * query.
 */
class Answers {
  onExchanged = (): void => {};
  readonly #pass: (bytes: Buffer) => void;
  #rest = Buffer.alloc(0);
  #answer: Buffer[] = [];
  #held: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass;
  }

  /** A response is held for at most this long; undefined: until there is another. */
  take(bytes: Buffer, heldMsMax: number | undefined): void {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const length = this.#rest.length < 5 ? Infinity : 1 + this.#rest.readUInt32BE(1);
      if (length > this.#rest.length) return;
      const message = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      this.#answer.push(message);
      if (message.toString('latin1', 0, 1) === 'Z')
        this.#end(Buffer.concat(this.#answer.splice(0)), heldMsMax);
    }
  }

  #end(answer: Buffer, heldMsMax?: number): void {
    clearTimeout(this.#timer);
    const held = this.#held;
    this.#held = held === undefined ? answer : undefined;
    if (held === undefined) {
      if (heldMsMax !== undefined) this.#timer = setTimeout(() => this.#end(Buffer.alloc(0)), heldMsMax);
      return;
    }
    if (answer.length > 0) this.onExchanged();
    this.#pass(Buffer.concat([answer, held]));
  }
}
