/**
 * Zones by the names they serve: a zone has its own name and everything below it that no other zone has. An update
 * replaces one zone in one assignment; requests that have begun keep the zone they were given.
 */
import type { CompileParts, ZoneConfiguration } from '#firewall';
import { type EdgeZone, edgeZoneOf } from './edge-zone.ts';

export class ZoneTable {
  readonly #parts: CompileParts;
  readonly #byId = new Map<string, EdgeZone>();
  readonly #byName = new Map<string, EdgeZone>();

  constructor(parts: CompileParts) {
    this.#parts = parts;
  }

  /** Takes a configuration unless it has one that is as new. Answers whether it did. */
  update(configuration: ZoneConfiguration): boolean {
    const { id, name } = configuration.zone;
    const before = this.#byId.get(id);
    if (before !== undefined && before.rules.configuration.version >= configuration.version) return false;
    const zone = edgeZoneOf(configuration, this.#parts, before);
    if (before !== undefined) this.#byName.delete(before.rules.configuration.zone.name);
    this.#byId.set(id, zone);
    this.#byName.set(name, zone);
    return true;
  }

  remove(id: string): void {
    const zone = this.#byId.get(id);
    if (zone === undefined) return;
    this.#byId.delete(id);
    this.#byName.delete(zone.rules.configuration.zone.name);
  }

  get(id: string): EdgeZone | undefined {
    return this.#byId.get(id);
  }

  get ids(): readonly string[] {
    return [...this.#byId.keys()];
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
