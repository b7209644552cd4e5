/** A Worker on a real port, with objects whose time is virtual, and clients that connect to it. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type ClientOptions, WebSocket } from 'ws';
import { VirtualClock } from '#base';
import { serveHttp, useLightFetch, Worker } from '#workers';
import { findTestCluster } from '../cluster/test-cluster.ts';

export interface Site {
  readonly url: string;
  readonly clock: VirtualClock;
  readonly worker: Worker;
  readonly said: string[];
  /** Rewrites the module. */
  write(module: string): void;
  connect(path?: string, options?: ClientOptions & { protocols?: string[] }): Client;
  /** Sends raw bytes. */
  connectRaw(path?: string): Promise<RawClient>;
  text(path: string): Promise<string>;
  /** Without raw clients, which do not answer a close frame, unless they are kept. */
  close(options?: { readonly keepsRaw?: boolean }): Promise<void>;
}

export async function startSite(
  t: TestContext,
  module: string,
  { date = '2026-11-01', className = 'Room' }: { readonly date?: string; readonly className?: string } = {},
): Promise<Site> {
  useLightFetch();
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-sockets-'));
  const write = (text: string): void => writeFileSync(join(directory, 'index.js'), text);
  const config = {
    main: 'index.js',
    compatibility_date: date,
    durable_objects: { bindings: [{ name: 'ROOMS', class_name: className }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: [className] }],
  };
  writeFileSync(join(directory, 'wrangler.json'), JSON.stringify(config));
  // Modules may import packages that are installed here.
  symlinkSync(join(import.meta.dirname, '..', '..', 'node_modules'), join(directory, 'node_modules'));
  write(module);
  const said: string[] = [];
  const say = (text: unknown): void => void said.push(String(text));
  const clock = new VirtualClock({ start: Date.UTC(2030, 0, 1) });
  const log = { info: say, warn: say, error: say };
  const cluster = await findTestCluster();
  const joinCluster = cluster && (async () => (await cluster.join()).cluster);
  const worker = await Worker.start({ path: directory, log, clock, durability: 'os', joinCluster });
  const server = await serveHttp({ fetch: (request) => worker.fetch(request), port: 0, onError: say });
  const clients = new Set<Client | RawClient>();
  const close = async ({ keepsRaw = false } = {}): Promise<void> => {
    // Longer than a test may take.
    const closed = server.close({ graceMs: keepsRaw ? 600_000 : 1_000 });
    for (const client of clients) if (client instanceof RawClient && !keepsRaw) client.end();
    await closed;
    for (const client of clients) client.end();
    await worker.close();
  };
  let closing: Promise<void> | undefined;
  t.after(async () => {
    await (closing ??= close());
    await cluster?.remove();
    rmSync(directory, { recursive: true });
  });
  return {
    url: server.url,
    clock,
    worker,
    said,
    write,
    connect(path = '/', { protocols = [], ...options } = {}) {
      const client = new Client(server.url.replace('http', 'ws') + path, protocols, options);
      clients.add(client);
      return client;
    },
    async connectRaw(path = '/') {
      const client = await RawClient.open(server.url, path);
      clients.add(client);
      return client;
    },
    text: async (path) => (await fetch(server.url + path)).text(),
    async close(options) {
      closing ??= close(options);
      await closing;
    },
  };
}

/** A client that records received messages. */
export class Client {
  readonly socket: WebSocket;
  readonly closed: Promise<[code: number, reason: string]>;
  readonly #heard: (string | Buffer)[] = [];
  readonly #waiting: ((heard: string | Buffer) => void)[] = [];

  constructor(url: string, protocols: string[], options: ClientOptions) {
    this.socket = new WebSocket(url, protocols, options);
    this.socket.on('error', () => {});
    this.socket.on('message', (data: Buffer, isBinary) => {
      const heard = isBinary ? data : data.toString();
      const next = this.#waiting.shift();
      if (next === undefined) this.#heard.push(heard);
      else next(heard);
    });
    this.closed = new Promise((resolve) =>
      this.socket.on('close', (code, reason) => resolve([code, reason.toString()])),
    );
  }

  async opened(): Promise<this> {
    await once(this.socket, 'open');
    return this;
  }

  send(data: string | Buffer): void {
    this.socket.send(data);
  }

  next(): Promise<string | Buffer> {
    const heard = this.#heard.shift();
    return heard === undefined
      ? new Promise((resolve) => this.#waiting.push(resolve))
      : Promise.resolve(heard);
  }

  async ask(data: string | Buffer): Promise<string | Buffer> {
    this.send(data);
    return await this.next();
  }

  end(): void {
    this.socket.terminate();
  }
}

/** A client on a raw socket. */
class RawClient {
  readonly socket: Socket;
  readonly ended: Promise<Buffer>;

  private constructor(socket: Socket) {
    this.socket = socket;
    const chunks: Buffer[] = [];
    socket.on('error', () => {});
    socket.on('data', (chunk) => chunks.push(chunk as Buffer));
    this.ended = new Promise((resolve) => socket.on('close', () => resolve(Buffer.concat(chunks))));
  }

  static async open(url: string, path: string): Promise<RawClient> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13';
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`,
    );
    await once(socket, 'readable');
    // The head of the response.
    socket.read();
    return new RawClient(socket);
  }

  /** A masked frame; the mask is zero. */
  frame(first: number, payload: Buffer | string = ''): void {
    const body = Buffer.from(payload);
    const length =
      body.length < 126
        ? Buffer.from([0x80 | body.length])
        : Buffer.from([0xfe, body.length >> 8, body.length & 0xff]);
    this.socket.write(Buffer.concat([Buffer.from([first]), length, Buffer.alloc(4), body]));
  }

  end(): void {
    this.socket.destroy();
  }
}

/** The code and the reason of the close frame that ends what a client has received. */
export function closeFrameOf(received: Buffer): [code: number, reason: string] {
  const start = received.lastIndexOf(0x88);
  const body = received.subarray(start + 2, start + 2 + received[start + 1]!);
  return [body.readUInt16BE(), body.toString('utf8', 2)];
}
