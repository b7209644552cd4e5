/**
 * The client of commands: it trusts the certificate that a connection names, and finds zones by name or id.
 *
 * ```ts
 * using api = new ApiClient(readConnection(args, 'zones list'));
 * const zone = await api.findZone('shop.example');
 * for await (const rule of api.list('/zones/{zone_id}/firewall/rules', { zone_id: zone.id })) …
 * ```
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { Client, findZone, type Result } from '#client';
import { CommandError } from '../command.ts';
import type { Connection } from './connection.ts';

export type ZoneSummary = Result<'zones.get'>;

export class ApiClient extends Client implements Disposable {
  readonly #agent: HttpAgent;

  constructor({ url, headers, ca }: Connection) {
    const isSecure = url.startsWith('https:');
    const options = { keepAlive: true, maxSockets: 4 };
    const agent = isSecure
      ? new HttpsAgent({ ...options, ...(ca === undefined ? {} : { ca }) })
      : new HttpAgent(options);
    super({
      url,
      headers,
      fetch: (target, init) => send(isSecure ? requestHttps : requestHttp, agent, target, init),
    });
    this.#agent = agent;
  }

  /** By its id or its name. */
  async findZone(name: string): Promise<ZoneSummary> {
    const zone = await findZone(this, name);
    if (zone !== undefined) return zone;
    throw new CommandError(
      `${this.url} has no zone ${name} that this token may read: GET /zones lists those it may`,
    );
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** `fetch` of Node cannot be told which certificates to trust. */
async function send(
  request: typeof requestHttp,
  agent: HttpAgent,
  target: string,
  { method, headers, body, signal }: RequestInit,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(target, {
    method: method ?? 'GET',
    agent,
    headers: headers as Record<string, string>,
    ...(signal ? { signal } : {}),
  })
    .on('response', resolve)
    .on('error', reject)
    .end(body);
  const incoming = await promise;
  const fields = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value) => [name, value] as [string, string]),
  );
  const content = incoming.statusCode === 204 ? null : (Readable.toWeb(incoming) as ReadableStream);
  return new Response(content, { status: incoming.statusCode ?? 0, headers: fields });
}
