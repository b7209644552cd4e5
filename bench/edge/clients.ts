/**
 * Clients on plain sockets, one request in flight on each, for loads that the load generator of the API benchmark
 * cannot produce.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { SampleRequest } from './requests.ts';

export function textOf({ method, target, headers, body }: SampleRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`;
}

interface ClientAnswer {
  readonly status: number;
  readonly body: string;
}

type OnAnswer = (answer: ClientAnswer) => void;

export class Client {
  readonly #socket: Socket;
  #pending = '';
  #onAnswer: OnAnswer | undefined;

  constructor(port: number, onError: (error: Error) => void) {
    this.#socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1');
    this.#socket.on('error', onError);
    this.#socket.on('data', (chunk: string) => this.#take(chunk));
  }

  /** Call it as soon as it is created. */
  async waitUntilOpen(): Promise<void> {
    await once(this.#socket, 'connect');
  }

  get isIdle(): boolean {
    return this.#onAnswer === undefined;
  }

  send(text: string, onAnswer: OnAnswer): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(text);
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: string): void {
    this.#pending += chunk;
    const headEnd = this.#pending.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#pending)?.[1];
    if (length === undefined) throw new Error(`an answer without a length: ${this.#pending.slice(0, 300)}`);
    const end = headEnd + 4 + Number(length);
    if (this.#pending.length < end) return;
    const answer = {
      status: Number(this.#pending.slice(9, 12)),
      body: this.#pending.slice(headEnd + 4, end),
    };
    this.#pending = this.#pending.slice(end);
    const onAnswer = this.#onAnswer!;
    this.#onAnswer = undefined;
    onAnswer(answer);
  }
}

export interface Pace {
  readonly port: number;
  readonly text: string;
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

/**
 * Sends at a steady rate however long answers take, and counts their time from when a request was due: a server that
 * pauses for a moment is late for all requests that were due in it. Returns the sorted times in milliseconds.
 */
export async function sendPaced({
  port,
  text,
  perSecond,
  seconds,
  connections,
}: Pace): Promise<Float64Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Float64Array>();
  const clients = Array.from({ length: connections }, () => new Client(port, reject));
  // A tenth of a second for hundreds of them, which is not part of a steady rate.
  await Promise.all(clients.map((client) => client.waitUntilOpen()));
  const total = perSecond * seconds;
  const latencies = new Float64Array(total);
  const startedMs = performance.now();
  let sent = 0;
  let answered = 0;
  const dueMs = (index: number): number => startedMs + (index * 1000) / perSecond;
  const sendDue = (): void => {
    const nowMs = performance.now();
    for (const client of clients) {
      if (sent === total || dueMs(sent) > nowMs) return;
      if (client.isIdle) sendOne(client, sent++);
    }
  };
  const sendOne = (client: Client, index: number): void =>
    client.send(text, ({ status }) => {
      if (status !== 200) return reject(new Error(`not 200: ${status}`));
      latencies[answered++] = performance.now() - dueMs(index);
      if (answered === total) resolve(latencies);
      else sendDue();
    });
  const timer = setInterval(sendDue, 1);
  try {
    return (await promise).sort();
  } finally {
    clearInterval(timer);
    for (const client of clients) client.close();
  }
}

export function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
