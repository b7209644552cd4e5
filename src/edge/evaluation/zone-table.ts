/**
 * Zones by the names that they serve: a zone has its own name and all names below it that no other zone has. An update
 * replaces one zone in one assignment; requests in progress keep the zone that they started with.
 */
import { hash } from 'node:crypto';
import type { CompileParts, ZoneConfiguration } from '#firewall';
import { type EdgeZone, createEdgeZone } from './edge-zone.ts';

export class ZoneTable {
  /** Whether all zones are known. Before that, an unknown name may belong to a zone that follows. */
  isComplete = false;
  readonly #parts: CompileParts;
  readonly #byId = new Map<string, EdgeZone>();
  readonly #byName = new Map<string, EdgeZone>();

  constructor(parts: CompileParts) {
    this.#parts = parts;
  }

  /**
   * Replaces the configuration of a zone. Returns the zone, or undefined if nothing has changed: versions also grow with
   * changes that do not concern the edge, and compiling takes time.
   */
  update(configuration: ZoneConfiguration): EdgeZone | undefined {
    const { id, name } = configuration.zone;
    const before = this.#byId.get(id);
    const digest = computeDigest(configuration);
    if (before?.digest === digest) return undefined;
    const zone = createEdgeZone(configuration, { digest, parts: this.#parts, before });
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

/** The digest of everything except the version. */
function computeDigest(configuration: ZoneConfiguration): string {
  return hash('sha256', JSON.stringify({ ...configuration, version: 0 }));
}
