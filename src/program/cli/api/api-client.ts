/**
 * The API client of commands: it trusts the certificate that a connection names, and finds zones by name or id.
 *
 * ```ts
 * using api = new ApiClient(readConnection(args, 'zones list'));
 * const zone = await api.findZone('shop.example');
 * for await (const rule of api.list('/zones/{zone_id}/firewall/rules', { zone_id: zone.id })) …
 * ```
 */
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, Client, findZone, type Result } from '#client';
import { createFetch, KeptConnections, operatorRules } from '#outbound';
import { CommandError } from '../command.ts';
import type { Connection } from './connection.ts';

export type ZoneSummary = Result<'zones.get'>;

/** A file to upload. */
export interface SentFile {
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The longest single wait for a server that is rate-limiting. */
const patienceMsMax = 600_000;

export class ApiClient extends Client implements Disposable {
  readonly #connections: KeptConnections;
  readonly #credentials: Connection['headers'];

  constructor({ url, headers, ca }: Connection) {
    const connections = new KeptConnections({ connectionsMax: 4 });
    super({
      url,
      headers,
      fetch: createFetch({ rules: operatorRules, connections, trusted: ca, isPinned: true }),
    });
    this.#connections = connections;
    this.#credentials = headers;
  }

  /** By PUT: to a path of the API, or to a URL from one of its answers, which needs no credentials. */
  async sendFile(target: string, { headers = {}, bytes }: SentFile): Promise<void> {
    const own = target.startsWith('/') ? this.#credentials : {};
    const fields = { ...own, ...headers, 'content-length': String(bytes.length) };
    await this.#insist('PUT', target, { headers: fields, body: bytes });
  }

  /** The content at a URL from an answer of the API. */
  async readFile(target: string): Promise<Buffer> {
    return Buffer.from(await (await this.#insist('GET', target, {})).arrayBuffer());
  }

  /** Waits while the server is rate-limiting: many files are many requests. */
  async #insist(method: string, target: string, init: RequestInit): Promise<Response> {
    const url = target.startsWith('/') ? `${this.url}${target}` : target;
    const call = `${method} ${new URL(url).pathname}`;
    while (true) {
      try {
        return await this.sendTo(url, { ...init, method }, { call, isApi: false });
      } catch (error) {
        const waitMs = error instanceof ApiError && error.status === 429 ? error.retryAfterMs : undefined;
        if (waitMs === undefined || waitMs > patienceMsMax) throw error;
        await delay(waitMs);
      }
    }
  }

  /** Finds a zone by id or name. */
  async findZone(name: string): Promise<ZoneSummary> {
    const zone = await findZone(this, name);
    if (zone !== undefined) return zone;
    throw new CommandError(
      `${this.url} has no zone ${name} that this token may read: GET /zones lists those it may`,
    );
  }

  [Symbol.dispose](): void {
    this.#connections[Symbol.dispose]();
  }
}
