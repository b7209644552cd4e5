/**
 * How a call finds its object. An object of this host is called directly. Any other is looked up: the host that has it
 * is called through a link; an object that no host has is placed, on a host with few. The host of an object is
 * remembered until that host leaves or dies.
 *
 * A host that is called for an object which has moved meanwhile forwards the call.
 *
 * A host that leaves starts as few calls of its objects as possible: later calls wait until the object is handed over,
 * and follow it. Otherwise an object that is called continuously could never be handed over. An object may be busy
 * because it waits for such a call itself, so after a while the waiting calls are admitted, all at once.
 */
import { BackOff, BoundedMap } from '#base';
import type { RoutedObject } from '#objects';
import { type Address, type LinkEntry, LaterEntry, type RemoteCall, type Side } from '#rpc';
import { ObjectElsewhereError, ObjectUnreachableError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import {
  drainLookMs,
  drainRoundMs,
  hopsAtOnceMax,
  hopsMax,
  ownersRememberedMax,
  retryMsMax,
  retryMsMin,
} from '../limits.ts';
import type { Places } from '../databases/places.ts';
import type { HostSeen, ObjectKey } from '../ownership/lease-database.ts';
import type { Shard } from '../shard.ts';
import { chooseHost } from './choose-host.ts';
import type { Peers } from './peers.ts';

export interface ClusterRouterParts {
  readonly places: Places;
  readonly peers: Peers;
  readonly clock: LeaseClock;
  readonly waitMs: number;
  /** How many objects this host has. */
  readonly load: () => number;
}

/** The place where an object was found. */
interface ObjectLocation {
  readonly entry: LinkEntry;
  /** Whether the object has left that place in an orderly way. */
  readonly hasMoved: () => boolean;
}

export class ClusterRouter {
  readonly #parts: ClusterRouterParts;
  /** The known hosts of objects. */
  readonly #owners = new BoundedMap<ObjectKey, string>(ownersRememberedMax);
  /** Hosts that have announced that they leave. */
  readonly #leaving = new Set<string>();
  /** Open calls through this host, its own and those of others. */
  callsOpen = 0;
  /** When this host began to hand over its objects. */
  #drainingSince: number | undefined;

  constructor(parts: ClusterRouterParts) {
    this.#parts = parts;
  }

  /** The entry that answers the calls of one stub. `hops` is how often a call has been forwarded so far. */
  route(object: RoutedObject, hops = 0): LinkEntry {
    return new RoutedEntry(object, {
      find: () => this.#find(object, hops),
      findHere: () => {
        if (this.#drainingSince !== undefined) return undefined;
        const shard = this.#parts.places.findHeld(object.owner);
        return shard === undefined ? undefined : this.#here(object, shard);
      },
      count: (change) => (this.callsOpen += change),
    });
  }

  /** A host with these ids has announced that it leaves: from now on its objects are looked up again. */
  hostsLeave(ids: readonly string[]): void {
    for (const id of ids) this.#leaving.add(id);
  }

  /** Other hosts take over the objects of this one. */
  beginDraining(): void {
    this.#drainingSince ??= this.#parts.clock.now();
  }

  /** Each round is twice as long as the previous one. Always 0 if nothing is handed over. */
  get #drainRound(): number {
    if (this.#drainingSince === undefined) return 0;
    return Math.floor(Math.log2(1 + (this.#parts.clock.now() - this.#drainingSince) / drainRoundMs));
  }

  #here(object: RoutedObject, { claims }: Shard): ObjectLocation {
    const hasMoved = (): boolean => this.#drainingSince !== undefined || !claims.has(object.owner);
    return { entry: object.open(), hasMoved };
  }

  async #find(object: RoutedObject, hops: number): Promise<ObjectLocation> {
    const { clock, places, waitMs } = this.#parts;
    const begunAt = clock.now();
    const backOff = new BackOff({ msMin: retryMsMin, msMax: retryMsMax });
    const pause = (ms: number): Promise<void> =>
      new Promise((resolve) => void clock.setTimer(ms, () => resolve()));
    const shard = await places.locate(object.owner);
    // The object moves faster than calls do: the hosts that compete for it will soon settle.
    for (let hop = hopsAtOnceMax; hop < hops; hop++) await pause(backOff.next());
    const round = this.#drainRound;
    for (;;) {
      const isHandedOver = this.#drainingSince !== undefined && shard.claims.has(object.owner);
      if (isHandedOver && this.#drainRound === round) {
        await pause(drainLookMs);
        continue;
      }
      try {
        const host = await this.#locate(object.owner, shard, hops);
        if (host === 'here') return this.#here(object, shard);
        if (host !== undefined) return await this.#there(object, { shard, host, hops });
        if (clock.now() - begunAt > waitMs) throw new ObjectUnreachableError();
      } catch (error) {
        this.#owners.delete(object.owner);
        if (error instanceof ObjectElsewhereError || clock.now() - begunAt > waitMs) throw error;
        // The host that was tried may have died: the next placement of the object must take that into account.
        await shard.membership.renew();
      }
      // The object is being handed over, its host is about to be declared dead, or the database is unavailable.
      await pause(backOff.next());
    }
  }

  async #locate(object: ObjectKey, shard: Shard, hops: number): Promise<HostSeen | 'here' | undefined> {
    const { claims, membership, store } = shard;
    if (claims.has(object)) return 'here';
    const remembered = this.#hostOf(shard, this.#owners.get(object));
    if (remembered !== undefined && hops === 0 && !this.#isLeaving(remembered)) return remembered;
    const owner = (await store.ownerOf(object))?.host;
    // This host has given up its claim, and the database does not know yet.
    if (owner === membership.id && membership.isLeaving) return undefined;
    if (owner === membership.id) return await this.#take(object, shard, hops);
    if (owner !== undefined) {
      if (hops >= hopsMax) throw new ObjectElsewhereError(owner);
      return await this.#meet(shard, owner);
    }
    // A host that was called because the object was placed on it takes the object.
    const placed = hops > 0 && !membership.isLeaving ? 'here' : this.#place(shard);
    return placed === 'here' ? await this.#take(object, shard, hops) : placed;
  }

  /** Another host may have placed it meanwhile. */
  async #take(object: ObjectKey, shard: Shard, hops: number): Promise<HostSeen | 'here' | undefined> {
    const taken = await shard.claims.reserve(object);
    if (taken === 'here' || taken === undefined) return taken;
    if (hops >= hopsMax) throw new ObjectElsewhereError(taken.host);
    return await this.#meet(shard, taken.host);
  }

  /** The host may have joined since this host last read the list. */
  async #meet(shard: Shard, id: string): Promise<HostSeen | undefined> {
    const known = this.#hostOf(shard, id);
    if (known !== undefined) return known;
    await shard.membership.renew();
    return this.#hostOf(shard, id);
  }

  #hostOf({ membership }: Shard, id: string | undefined): HostSeen | undefined {
    return membership.hosts.find((host) => host.id === id && host.address !== '');
  }

  #place({ membership }: Shard): HostSeen | 'here' | undefined {
    const others = membership.hosts.filter(
      (host) => host.address !== '' && !host.isOver && !this.#isLeaving(host),
    );
    if (membership.isLeaving) return chooseHost(others);
    const here = { load: this.#parts.load() };
    const chosen = chooseHost([here, ...others]);
    return chosen === here ? 'here' : (chosen as HostSeen);
  }

  async #there(
    object: RoutedObject,
    { shard, host, hops }: { readonly shard: Shard; readonly host: HostSeen; readonly hops: number },
  ): Promise<ObjectLocation> {
    const { membership, name: database } = shard;
    const { id, address } = host;
    const link = await this.#parts.peers.linkTo({ id, address, database, secret: shard.secret! });
    this.#owners.set(object.owner, host.id);
    const hasMoved = (): boolean => {
      const seen = membership.hosts.find(({ id }) => id === host.id) ?? host;
      return this.#isLeaving(seen);
    };
    return { entry: link.entry({ ...object.address, hops: String(hops + 1) }), hasMoved };
  }

  #isLeaving({ id, isLeaving }: HostSeen): boolean {
    return isLeaving || this.#leaving.has(id);
  }
}

interface Finder {
  find(): Promise<ObjectLocation>;
  findHere(): ObjectLocation | undefined;
  /** Counts open calls. */
  count(change: 1 | -1): void;
}

/** An object of the cluster for the calls of one stub, which stay with the place found until it moves in good order. */
class RoutedEntry implements LinkEntry {
  readonly address: Address;
  readonly #finder: Finder;
  #found: ObjectLocation | undefined;
  #later: LaterEntry | undefined;

  constructor({ address }: RoutedObject, finder: Finder) {
    this.address = address;
    this.#finder = finder;
  }

  /** The stub of an entry point does not keep its object awake. */
  hold(): void {}
  release(): void {}

  call(holder: Side, path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    const call = this.#target().call(holder, path, args);
    this.#follow(call.result);
    return call;
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    const response = this.#target().fetch(holder, request);
    this.#follow(response);
    return response;
  }

  #follow(result: Promise<unknown>): void {
    this.#finder.count(1);
    const end = (): void => this.#finder.count(-1);
    result.then(end, end);
  }

  #target(): LinkEntry {
    if (this.#later?.isWaiting === true) return this.#later;
    this.#later = undefined;
    if (this.#found?.hasMoved() === true) this.#found = undefined;
    this.#found ??= this.#finder.findHere();
    if (this.#found !== undefined) return this.#found.entry;
    const finding = this.#finder.find().then((found) => {
      this.#found = found;
      return found.entry;
    });
    this.#later = new LaterEntry(finding);
    return this.#later;
  }
}
