/**
 * Calls the API for a command. Every failure is a `CommandError` that names the call and what the server said.
 *
 * ```ts
 * using api = new ApiClient(readConnection(args, 'zones list'));
 * const zone = await api.findZone('shop.example');                       // by name or id
 * const { result, messages } = await api.call('GET', `/zones/${zone.id}/waf_migration/config?phase_two=1`);
 * for await (const rule of api.list(`/zones/${zone.id}/firewall/rules`)) … // page after page
 * ```
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { CommandError, exitCodes } from '../command.ts';
import type { Connection } from './connection.ts';

export interface ApiMessage {
  readonly code: number;
  readonly message: string;
  readonly source?: { readonly pointer?: string };
}

export interface Envelope {
  readonly status: number;
  readonly success: boolean;
  readonly result: unknown;
  readonly errors: readonly ApiMessage[];
  readonly messages: readonly ApiMessage[];
  readonly result_info?: Readonly<Record<string, unknown>>;
}

export interface ZoneSummary {
  readonly id: string;
  readonly name: string;
  readonly paused: boolean;
  readonly plan: { readonly legacy_id: string };
  readonly account: { readonly id: string };
}

/** The server answered, and refused. */
export class ApiError extends CommandError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly errors: readonly ApiMessage[];

  constructor(call: string, { status, errors }: Pick<Envelope, 'status' | 'errors'>) {
    const reasons = errors.map(({ code, message, source }) =>
      source?.pointer === undefined ? `${message} (${code})` : `${source.pointer}: ${message} (${code})`,
    );
    super(`the server refused ${call}: ${reasons.join('; ') || `status ${status}`}`, {
      exitCode: exitCodes.refused,
    });
    this.status = status;
    this.errors = errors;
  }
}

const pageSize = 50;

export class ApiClient implements Disposable {
  readonly #connection: Connection;
  readonly #agent: HttpAgent;
  readonly #isSecure: boolean;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#isSecure = connection.url.startsWith('https:');
    const { ca } = connection;
    const options = { keepAlive: true, maxSockets: 4 };
    this.#agent = this.#isSecure
      ? new HttpsAgent({ ...options, ...(ca === undefined ? {} : { ca }) })
      : new HttpAgent(options);
  }

  get url(): string {
    return this.#connection.url;
  }

  /** The answer of a call that succeeded. The path is below the URL of the API. */
  async call(method: string, path: string, body?: unknown): Promise<Envelope> {
    const envelope = await this.ask(method, path, body);
    if (envelope.success) return envelope;
    throw new ApiError(`${method} ${path}`, envelope);
  }

  async get<Result>(path: string): Promise<Result> {
    return (await this.call('GET', path)).result as Result;
  }

  /** The answer, whether or not the call succeeded. */
  async ask(method: string, path: string, body?: unknown): Promise<Envelope> {
    return this.#readEnvelope(await this.#send(method, path, body));
  }

  /** The items of all pages. The path may have a query. */
  async *list<Item>(path: string): AsyncGenerator<Item, void> {
    const separator = path.includes('?') ? '&' : '?';
    for (let page = 1; ; page++) {
      const { result, result_info } = await this.call(
        'GET',
        `${path}${separator}per_page=${pageSize}&page=${page}`,
      );
      const items = result as readonly Item[];
      yield* items;
      const pages = Number(result_info?.['total_pages'] ?? 1);
      if (items.length === 0 || page >= pages) return;
    }
  }

  /** By its id or its name. */
  async findZone(zone: string): Promise<ZoneSummary> {
    if (/^[0-9a-f]{32}$/.test(zone)) return this.get<ZoneSummary>(`/zones/${zone}`);
    const [found] = await this.get<readonly ZoneSummary[]>(`/zones?name=${encodeURIComponent(zone)}`);
    if (found !== undefined) return found;
    throw new CommandError(
      `${this.url} has no zone ${zone} that this token may read: GET /zones lists those it may`,
    );
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** An answer that is not in the envelope, as it comes in. */
  async stream(path: string): Promise<IncomingMessage> {
    const incoming = await this.#send('GET', path);
    if (incoming.statusCode === 200) return incoming;
    throw new ApiError(`GET ${path}`, await this.#readEnvelope(incoming));
  }

  async #readEnvelope(incoming: IncomingMessage): Promise<Envelope> {
    const status = incoming.statusCode ?? 0;
    const content = await text(incoming).catch((error: Error) => {
      throw this.#createSilence(error);
    });
    if (status === 204) return { status, success: true, result: null, errors: [], messages: [] };
    try {
      const envelope = JSON.parse(content) as Omit<Envelope, 'status'>;
      if (!Array.isArray(envelope.errors)) throw new SyntaxError('there is no list of errors');
      return { ...envelope, messages: envelope.messages ?? [], status };
    } catch (error) {
      throw new CommandError(
        `${this.url} is not the API: status ${status} without its envelope; its URL ends in /client/v4`,
        { cause: error, exitCode: exitCodes.unreachable },
      );
    }
  }

  async #send(method: string, path: string, body?: unknown): Promise<IncomingMessage> {
    const { url, headers } = this.#connection;
    const content = body === undefined ? undefined : JSON.stringify(body);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const outgoing = (this.#isSecure ? requestHttps : requestHttp)(`${url}${path}`, {
      method,
      agent: this.#agent,
      headers: { ...headers, ...(content === undefined ? {} : { 'content-type': 'application/json' }) },
    });
    outgoing.on('response', resolve).on('error', reject).end(content);
    return promise.catch((error: Error) => {
      throw this.#createSilence(error);
    });
  }

  #createSilence(error: Error): CommandError {
    return new CommandError(`${this.url} does not answer: ${error.message || String(error)}`, {
      cause: error,
      exitCode: exitCodes.unreachable,
    });
  }
}
