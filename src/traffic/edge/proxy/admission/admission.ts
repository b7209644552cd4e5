/**
 * Decides whether there is room for a connection or a request, so that slow clients do not crowd out others.
 *
 * - Slots are counted in total, per client address and, for requests, per zone. `shares-by-key.ts` says how much one of
 *   them may take.
 * - Where a limit is reached, the connection or request that has waited longest for its client is evicted. If none
 *   waits for its client, the newcomer is refused.
 * - Where many of one address or zone wait for their clients, each gets less time: clients that do not read large
 *   responses cost the kernel megabytes each.
 * - A trusted proxy connects for many clients: its connections count only in total, and its requests for the clients
 *   that it reports.
 */
import type { Peer } from '../../wire/client-address.ts';
import type { WireLimits } from '../../wire/limits.ts';
import { Refusal } from '../../wire/refusal.ts';
import { Share } from './share.ts';
import { SharesByKey } from './shares-by-key.ts';
import { Slot } from './slot.ts';

export class Admission {
  readonly #connections: Share;
  readonly #connectionsOfAddress: SharesByKey;
  readonly #requests: Share;
  readonly #requestsOfAddress: SharesByKey;
  readonly #requestsOfZone: SharesByKey;
  /** True while a connection is admitted that requires the eviction of another. */
  #isCrowded = false;

  constructor(limits: WireLimits) {
    const { connectionsMax, requestsMax } = limits;
    this.#connections = new Share({
      max: connectionsMax,
      limit: () => (this.#isCrowded ? 0 : connectionsMax),
    });
    this.#requests = new Share({ max: requestsMax, limit: () => requestsMax });
    const ofConnections = { total: this.#connections, totalMax: connectionsMax };
    const ofRequests = { total: this.#requests, totalMax: requestsMax };
    this.#connectionsOfAddress = new SharesByKey({
      ...ofConnections,
      shareMax: limits.connectionsPerAddressMax,
    });
    this.#requestsOfAddress = new SharesByKey({ ...ofRequests, shareMax: limits.requestsPerAddressMax });
    this.#requestsOfZone = new SharesByKey({ ...ofRequests, shareMax: limits.requestsPerZoneMax });
  }

  get requests(): number {
    return this.#requests.held;
  }

  get connections(): number {
    return this.#connections.held;
  }

  /** Undefined if there is no room. If the process runs short of descriptors, another connection is evicted. */
  admitConnection(
    { network, isTrusted }: Peer,
    onEvicted: () => void,
    { isCrowded = false }: { readonly isCrowded?: boolean } = {},
  ): Slot | undefined {
    const slot = new Slot(onEvicted);
    this.#isCrowded = isCrowded;
    const hasRoom =
      (isTrusted || slot.enter(this.#connectionsOfAddress.get(network))) && slot.enter(this.#connections);
    this.#isCrowded = false;
    if (hasRoom) return slot;
    slot.release();
    return undefined;
  }

  /** Counts an admitted connection for the client that a load balancer names. */
  admitToAddress(slot: Slot, { network, isTrusted }: Peer): boolean {
    return isTrusted || slot.enter(this.#connectionsOfAddress.get(network));
  }

  /** `network` is that of the client; undefined if a trusted proxy reports none. */
  admitRequest(network: string | undefined, onEvicted: () => void): Slot | Refusal {
    const slot = new Slot(onEvicted);
    if (network !== undefined && !slot.enter(this.#requestsOfAddress.get(network))) return addressTooBusy;
    if (slot.enter(this.#requests)) return slot;
    slot.release();
    return tooBusy;
  }

  /** Counts an admitted request for its zone, before it waits for its body or its origin. */
  admitToZone(slot: Slot, zone: string): Refusal | undefined {
    return slot.enter(this.#requestsOfZone.get(zone)) ? undefined : zoneTooBusy;
  }
}

const tooBusy = new Refusal('too_busy', 'Too many requests are in progress.');
const zoneTooBusy = new Refusal('zone_too_busy', 'Too many requests to this zone are in progress.');
const addressTooBusy = new Refusal(
  'address_too_busy',
  'Too many requests from the address of the client are in progress.',
);
