/**
 * Clients that follow the logs of uploaded Workers. A tail is created over the API, which returns a URL with a secret;
 * it ends with its connection, when it is deleted, or if no client connects within a minute. A Worker that is not
 * followed records nothing.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TailFilters, TailHost } from '#control';
import { readFields, readText } from '#processes';
import { TailSocket } from './tail-socket.ts';

/** The path of tails on the server; the secret follows. */
const tailPath = '/worker-tails/';

const connectMsMax = 60_000;
/** Wrangler requests another one when it ends. */
const lifetimeMs = 6 * 60 * 60_000;

/** Tails of one Worker: Cloudflare's limit. */
const tailsOfWorkerMax = 10;

interface Tail {
  readonly id: string;
  readonly worker: string;
  readonly secret: string;
  readonly filters: TailFilters;
  /** Ends it if no client connects, and later when its lifetime is over. */
  timer: NodeJS.Timeout;
  socket: TailSocket | undefined;
}

/** The facts of a recorded call. */
interface CallFacts {
  readonly outcome: string;
  readonly scriptVersion: { readonly id: string };
  readonly event: {
    readonly request?: { readonly method: string; readonly headers: Readonly<Record<string, string>> };
  };
}

export interface WorkerTailsOptions {
  /** Called when the first client follows a Worker, and when the last one has left. */
  readonly onChange: (worker: string) => void;
}

export class WorkerTails implements TailHost {
  readonly #options: WorkerTailsOptions;
  readonly #tails = new Map<string, Tail>();

  constructor(options: WorkerTailsOptions) {
    this.#options = options;
  }

  isFollowed(worker: string): boolean {
    return this.#listOf(worker).length > 0;
  }

  /** Workers that are followed. */
  listFollowed(): string[] {
    return [...new Set(Array.from(this.#tails.values(), ({ worker }) => worker))];
  }

  create(worker: string, filters: TailFilters, nowMs: number) {
    if (this.#listOf(worker).length >= tailsOfWorkerMax) return undefined;
    const id = randomBytes(16).toString('hex');
    const secret = randomBytes(32).toString('hex');
    const timer = this.#endIn(id, connectMsMax);
    this.#tails.set(id, { id, worker, secret, filters, timer, socket: undefined });
    this.#options.onChange(worker);
    return { id, path: `${tailPath}${secret}`, expiresAtMs: nowMs + lifetimeMs };
  }

  list(worker: string): string[] {
    return this.#listOf(worker).map(({ id }) => id);
  }

  remove(id: string): void {
    const tail = this.#tails.get(id);
    if (tail === undefined) return;
    this.#tails.delete(id);
    clearTimeout(tail.timer);
    tail.socket?.close();
    this.#options.onChange(tail.worker);
  }

  /** Publishes a call of a Worker from its process; throws if it is invalid. */
  publish(worker: string, text: string): void {
    const followers = this.#listOf(worker);
    if (followers.length === 0) return;
    const facts = readCall(text);
    for (const { filters, socket } of followers)
      if (socket !== undefined && isWanted(filters, facts, text)) socket.send(text);
  }

  isFor(incoming: IncomingMessage): boolean {
    return incoming.url?.startsWith(tailPath) === true;
  }

  accept(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const secret = incoming.url!.slice(tailPath.length);
    const tail = [...this.#tails.values()].find(
      (each) => each.secret === secret && each.socket === undefined,
    );
    if (tail === undefined) {
      socket.on('error', () => {});
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    clearTimeout(tail.timer);
    tail.timer = this.#endIn(tail.id, lifetimeMs);
    tail.socket = new TailSocket(incoming, socket, head, () => this.remove(tail.id));
  }

  close(): void {
    for (const id of this.#tails.keys()) this.remove(id);
  }

  #endIn(id: string, delayMs: number): NodeJS.Timeout {
    return setTimeout(() => this.remove(id), delayMs).unref();
  }

  #listOf(worker: string): Tail[] {
    return [...this.#tails.values()].filter((tail) => tail.worker === worker);
  }
}

function readCall(text: string): CallFacts {
  const { outcome, scriptVersion, event } = readFields(JSON.parse(text), 'a recorded call');
  const { request } = readFields(event, 'the event of a call');
  return {
    outcome: readText(outcome, 'the outcome of a call', Infinity),
    scriptVersion: { id: readText(readFields(scriptVersion, 'a version')['id'], 'the id of a version', 100) },
    event: request === undefined ? {} : { request: readRequest(request) },
  };
}

function readRequest(value: unknown): NonNullable<CallFacts['event']['request']> {
  const { method, headers } = readFields(value, 'the request of a call');
  const fields = Object.entries(readFields(headers, 'the headers of a call'));
  return {
    method: readText(method, 'the method of a call', Infinity),
    headers: Object.fromEntries(
      fields.map(([name, text]) => [name, readText(text, 'a header of a call', Infinity)]),
    ),
  };
}

/** All filters must match. */
function isWanted(
  { samplingRate, outcomes, methods, headers, addresses, query, version }: TailFilters,
  { outcome, scriptVersion, event: { request } }: CallFacts,
  text: string,
): boolean {
  const fields = request?.headers ?? {};
  return (
    (samplingRate === undefined || Math.random() < samplingRate) &&
    (outcomes === undefined || outcomes.includes(outcome)) &&
    (methods === undefined || (request !== undefined && methods.includes(request.method))) &&
    headers.every(({ key, query: part = '' }) => fields[key.toLowerCase()]?.includes(part) === true) &&
    (addresses === undefined || addresses.includes(fields['cf-connecting-ip'] ?? '')) &&
    (query === undefined || text.includes(query)) &&
    (version === undefined || version === scriptVersion.id)
  );
}
