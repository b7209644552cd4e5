/** Counts what is in progress, and decides whether there is room for more. */
import type { Peer } from '../wire/client-address.ts';
import type { WireLimits } from '../wire/limits.ts';
import { Refusal } from '../wire/refusal.ts';

export class Admission {
  readonly #limits: WireLimits;
  #requests = 0;
  #connections = 0;
  readonly #requestsOfZone = new Map<string, number>();
  readonly #connectionsOfAddress = new Map<string, number>();

  constructor(limits: WireLimits) {
    this.#limits = limits;
  }

  get requests(): number {
    return this.#requests;
  }

  get connections(): number {
    return this.#connections;
  }

  /** A trusted proxy connects for many clients: only the total limits it. */
  admitConnection({ address, isTrusted }: Peer): boolean {
    const ofAddress = this.#connectionsOfAddress.get(address) ?? 0;
    if (this.#connections >= this.#limits.connectionsMax) return false;
    if (!isTrusted && ofAddress >= this.#limits.connectionsPerAddressMax) return false;
    this.#connections++;
    this.#connectionsOfAddress.set(address, ofAddress + 1);
    return true;
  }

  releaseConnection({ address }: Peer): void {
    this.#connections--;
    decrement(this.#connectionsOfAddress, address);
  }

  admitRequest(): Refusal | undefined {
    if (this.#requests >= this.#limits.requestsMax) return tooBusy;
    this.#requests++;
    return undefined;
  }

  releaseRequest(): void {
    this.#requests--;
  }

  admitToZone(zone: string): Refusal | undefined {
    const ofZone = this.#requestsOfZone.get(zone) ?? 0;
    if (ofZone >= this.#limits.requestsPerZoneMax) return zoneTooBusy;
    this.#requestsOfZone.set(zone, ofZone + 1);
    return undefined;
  }

  releaseFromZone(zone: string): void {
    decrement(this.#requestsOfZone, zone);
  }
}

const tooBusy = new Refusal('too_busy', 'Too many requests are under way.');
const zoneTooBusy = new Refusal('zone_too_busy', 'Too many requests to this zone are under way.');

function decrement(counts: Map<string, number>, key: string): void {
  const count = counts.get(key)! - 1;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
