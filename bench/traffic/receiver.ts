/**
 * An external server for the program: it receives the batches of Logpush jobs and the calls of webhooks, publishes a
 * list of addresses, and can be made unavailable.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export class Receiver implements AsyncDisposable {
  /** Records of each dataset; a batch that comes again counts once. */
  readonly records = new Map<string, number>();
  /** Of notifications that arrived. */
  readonly alerts: string[] = [];
  refused = 0;
  dropped = 0;
  isAway = false;
  readonly #batches = new Set<string>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((incoming, response) => {
      void this.#take(incoming).then(
        ({ status, body = '' }) => response.writeHead(status).end(body),
        () => response.writeHead(500).end(),
      );
    });
  }

  static async listen(): Promise<Receiver> {
    const receiver = new Receiver();
    await once(receiver.#server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #take(incoming: IncomingMessage): Promise<{ readonly status: number; readonly body?: string }> {
    const body = await buffer(incoming);
    if (this.isAway) {
      this.refused++;
      return { status: 503 };
    }
    const path = incoming.url!;
    if (path === '/list') return { status: 200, body: '192.0.2.1\n198.51.100.0/24\n' };
    if (path === '/alerts') {
      this.alerts.push((JSON.parse(body.toString()) as { alert_type: string }).alert_type);
      return { status: 200 };
    }
    const batch = String(incoming.headers['gatehouse-batch']);
    // The first batch of a job tests the destination.
    if (batch === 'undefined' || this.#batches.has(batch)) return { status: 200 };
    this.#batches.add(batch);
    const text = (incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
    for (const line of text.split('\n').filter(Boolean)) {
      const record = JSON.parse(line) as { DroppedRecords?: number };
      if (record.DroppedRecords === undefined) this.records.set(path, (this.records.get(path) ?? 0) + 1);
      else this.dropped += record.DroppedRecords;
    }
    return { status: 200 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
