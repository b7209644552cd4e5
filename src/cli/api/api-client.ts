/**
 * The client of commands: it trusts the certificate that a connection names, and finds zones by name or id.
 *
 * ```ts
 * using api = new ApiClient(readConnection(args, 'zones list'));
 * const zone = await api.findZone('shop.example');
 * for await (const rule of api.list('/zones/{zone_id}/firewall/rules', { zone_id: zone.id })) …
 * ```
 */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { fetchByAgent } from '#base';
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
    super({ url, headers, fetch: (target, init) => fetchByAgent(agent, target, init) });
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
