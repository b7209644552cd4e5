/**
 * The edge of one process: a proxy, the zones it serves, and the events that come of it. It is given configurations and
 * never asks for them: while nobody gives it any, it goes on with what it has.
 */
import type { AddressInfo } from 'node:net';
import { EventRecorder, type RecorderCounts, type RecorderOptions } from '#events';
import { ManagedPrograms, type ZoneConfiguration } from '#firewall';
import { managedRulesets, previousPackages } from '#managed';
import { type ProxyOptions, type ProxyStats, type ServedProxy, serveProxy } from './proxy/serve-proxy.ts';
import { emptyGeoDatabase, type GeoDatabase } from './judgement/geo.ts';
import { RequestJudge } from './judgement/judge.ts';
import { ZoneTable } from './judgement/zone-table.ts';

export interface EdgeOptions extends Omit<ProxyOptions, 'judge'> {
  /** Signs challenges and clearances: at least 32 bytes, the same in all processes that serve a zone. */
  readonly secret: Uint8Array;
  readonly writeEvents: RecorderOptions['write'];
  readonly geo?: GeoDatabase;
}

export interface EdgeStats {
  readonly proxy: ProxyStats;
  readonly events: RecorderCounts;
  readonly zones: number;
}

export class Edge implements AsyncDisposable {
  readonly recorder: EventRecorder;
  readonly #zones: ZoneTable;
  readonly #proxy: ServedProxy;

  private constructor(zones: ZoneTable, recorder: EventRecorder, proxy: ServedProxy) {
    this.#zones = zones;
    this.recorder = recorder;
    this.#proxy = proxy;
  }

  static async start(options: EdgeOptions): Promise<Edge> {
    const { secret, writeEvents, geo = emptyGeoDatabase, onError, ...proxyOptions } = options;
    const reported = onError === undefined ? {} : { onError };
    const zones = newZoneTable();
    const recorder = new EventRecorder({ write: writeEvents, ...reported });
    const { judge } = new RequestJudge({ zones, recorder, geo, secret });
    return new Edge(zones, recorder, await serveProxy({ ...proxyOptions, ...reported, judge }));
  }

  get addresses(): readonly AddressInfo[] {
    return this.#proxy.addresses;
  }

  /** In force for every request whose head comes after this. Answers false to a configuration that is not newer. */
  update(configuration: ZoneConfiguration): boolean {
    return this.#zones.update(configuration);
  }

  remove(zoneId: string): void {
    this.#zones.remove(zoneId);
  }

  stats(): EdgeStats {
    return { proxy: this.#proxy.stats(), events: this.recorder.counts, zones: this.#zones.ids.length };
  }

  /** Stops accepting, lets requests under way end, and writes the events that wait. */
  async close(options?: { readonly graceMs?: number }): Promise<void> {
    await this.#proxy.close(options);
    await this.recorder.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Zones that share what is compiled of the managed rules. */
export function newZoneTable(): ZoneTable {
  return new ZoneTable({
    catalogue: { rulesets: managedRulesets, previousPackages },
    programs: new ManagedPrograms(),
  });
}
