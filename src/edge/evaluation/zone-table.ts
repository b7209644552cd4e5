/**
 * Zones by the names they serve: a zone has its own name and everything below it that no other zone has. An update
 * replaces one zone in one assignment; requests that have begun keep the zone they were given.
 */
import { hash } from 'node:crypto';
import type { CompileParts, ZoneConfiguration } from '#firewall';
import { type EdgeZone, edgeZoneOf } from './edge-zone.ts';

export class ZoneTable {
  /** Every zone there is has been told. Before that, a name that is not known may be one of a zone that is yet to come. */
  isComplete = false;
  readonly #parts: CompileParts;
  readonly #byId = new Map<string, EdgeZone>();
  readonly #byName = new Map<string, EdgeZone>();

  constructor(parts: CompileParts) {
    this.#parts = parts;
  }

  /**
   * Puts a configuration in the place of the one before. Answers the zone, or nothing if it says the same: versions also grow
   * with changes that are none for the edge, and compiling takes its time.
   */
  update(configuration: ZoneConfiguration): EdgeZone | undefined {
    const { id, name } = configuration.zone;
    const before = this.#byId.get(id);
    const digest = digestOf(configuration);
    if (before?.digest === digest) return undefined;
    const zone = edgeZoneOf(configuration, { digest, parts: this.#parts, before });
    if (before !== undefined) this.#forgetName(before);
    this.#byId.set(id, zone);
    this.#byName.set(name, zone);
    return zone;
  }

  remove(id: string): void {
    const zone = this.#byId.get(id);
    if (zone === undefined) return;
    this.#byId.delete(id);
    this.#forgetName(zone);
  }

  /** Another zone may have taken the name over. */
  #forgetName(zone: EdgeZone): void {
    const { name } = zone.rules.configuration.zone;
    if (this.#byName.get(name) === zone) this.#byName.delete(name);
  }

  get size(): number {
    return this.#byId.size;
  }

  /** `host` is in lower case, without a port. */
  find(host: string): EdgeZone | undefined {
    for (let name = host; ;) {
      const zone = this.#byName.get(name);
      if (zone !== undefined) return zone;
      const dot = name.indexOf('.');
      if (dot < 0) return undefined;
      name = name.slice(dot + 1);
    }
  }
}

/** Of everything but the version. */
function digestOf(configuration: ZoneConfiguration): string {
  return hash('sha256', JSON.stringify({ ...configuration, version: 0 }));
}
