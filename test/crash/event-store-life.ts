/**
 * One life of an event store, with an oracle: which events were appended, and at which event of the disk they were
 * acknowledged, refused or erased. This decides about a crash at any event: acknowledged events exist once, as
 * recorded; refused or erased ones do not.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { VirtualClock } from '#base';
import { type EventStore, openEventStore } from '#events';
import { createEvent } from '../../src/traffic/events/testing.ts';
import type { CrashState } from '../faults/crash-explorer.ts';
import { FaultyFileSystem } from '../faults/faulty-file-system.ts';
import type { Random } from '../faults/random.ts';
import type { SimulatedDisk } from '../faults/simulated-disk.ts';

const directory = '/disk/events';
const zones = ['a', 'b', 'c'];
const startMs = Date.UTC(2026, 0, 1);
const retentionMs = 30 * 86_400_000;
const all = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

/** Events of the disk are counted in its log; infinity means that it has not happened. */
interface Witnessed {
  readonly zoneId: string;
  readonly id: string;
  readonly userAgent: string;
  readonly appendedAt: number;
  acknowledgedAt: number;
  refusedAt: number;
  /** When an erasure that covers it was requested, and when it was done. */
  erasingAt: number;
  erasedAt: number;
}

export class EventStoreLife {
  readonly disk: SimulatedDisk;
  readonly #fs: FaultyFileSystem;
  readonly #random: Random;
  readonly #witnessed: Witnessed[];
  readonly #clock: VirtualClock;
  #store: EventStore | undefined;
  #number: number;

  constructor(disk: SimulatedDisk, random: Random, before: { witnessed: Witnessed[]; number: number }) {
    this.disk = disk;
    this.#fs = new FaultyFileSystem(disk);
    this.#random = random;
    this.#witnessed = before.witnessed;
    this.#number = before.number;
    this.#clock = new VirtualClock({ start: startMs });
  }

  /** Checks the data after a crash in this life, and returns the life that continues from there. */
  async next({ disk, events, random }: CrashState): Promise<EventStoreLife> {
    const store = await openStore(disk, new VirtualClock({ start: startMs }));
    const openedAt = disk.log.length;
    const possible = this.#witnessed.filter(({ appendedAt }) => appendedAt <= events);
    const kept: Witnessed[] = [];
    for (const zoneId of zones) {
      const found = await store.find(zoneId, all, { limit: 10_000, order: 'oldest' });
      const known = new Map(possible.filter((one) => one.zoneId === zoneId).map((one) => [one.id, one]));
      const seen = new Set<string>();
      for (const { id, userAgent } of found.events) {
        const one = known.get(id);
        ok(one !== undefined, `zone ${zoneId} has an event that nobody appended: ${id}`);
        equal(userAgent, one.userAgent, `event ${id} is not what was appended`);
        ok(!seen.has(id), `event ${id} is there twice`);
        ok(one.refusedAt > events, `event ${id} was refused`);
        ok(one.erasedAt > events, `event ${id} was erased`);
        seen.add(id);
      }
      const lost = [...known.values()].filter(
        ({ id, acknowledgedAt, erasingAt }) =>
          acknowledgedAt <= events && erasingAt > events && !seen.has(id),
      );
      deepEqual(
        lost.map(({ id }) => id),
        [],
        `acknowledged events of zone ${zoneId} are lost`,
      );
      for (const one of known.values()) {
        // Everything is settled only when the store is open. Before that, another crash may still decide otherwise.
        const isThere = seen.has(one.id);
        kept.push({
          ...one,
          appendedAt: 0,
          acknowledgedAt: one.acknowledgedAt <= events ? 0 : isThere ? openedAt : Infinity,
          refusedAt: isThere ? Infinity : openedAt,
          erasingAt: one.erasingAt <= events ? 0 : Infinity,
          erasedAt: one.erasedAt <= events ? 0 : Infinity,
        });
      }
    }
    await store.close();
    return new EventStoreLife(disk, random, { witnessed: kept, number: this.#number + 1_000_000 });
  }

  /** Random work; the store stays open, as in a crash. */
  async run({ steps, faults }: { steps: number; faults: boolean }): Promise<void> {
    this.#store = await openStore(this.#fs, this.#clock);
    const random = this.#random;
    for (let step = 0; step < steps; step++) {
      const appended: Promise<void>[] = [];
      for (let count = random.below(4); count >= 0; count--) appended.push(this.#append());
      if (faults && random.chance(0.05)) {
        this.#fs.fail(random.pick(['sync', 'write', 'syncDirectory']), { code: 'EIO' });
      }
      if (random.chance(0.6)) await random.pick(appended);
      if (random.chance(0.1)) await this.#clock.advance(11 * 60_000);
      if (random.chance(0.04)) await this.#erase(random.pick(zones));
      if (random.chance(0.03)) await this.#reopen();
    }
    await this.#store.housekeep().catch(() => {});
  }

  async #append(): Promise<void> {
    const random = this.#random;
    const zoneId = random.pick(zones);
    const appendedAt = this.disk.log.length;
    const batch = Array.from({ length: 1 + random.below(4) }, (): Witnessed => {
      const id = `${(this.#number++).toString(16).padStart(16, '0')}-T-0`;
      const userAgent = random.bytes(random.chance(0.05) ? 3_000 : 40).toString('base64');
      const never = {
        acknowledgedAt: Infinity,
        refusedAt: Infinity,
        erasingAt: Infinity,
        erasedAt: Infinity,
      };
      return { zoneId, id, userAgent, appendedAt, ...never };
    });
    this.#witnessed.push(...batch);
    const datetime = new Date(this.#clock.now() + random.below(1_000)).toISOString();
    const events = batch.map(({ id, userAgent }) => ({ event: createEvent(id, { datetime, userAgent }) }));
    await this.#store!.append(zoneId, events, retentionMs).then(
      () => batch.forEach((one) => (one.acknowledgedAt = this.disk.log.length)),
      () => batch.forEach((one) => (one.refusedAt = this.disk.log.length)),
    );
  }

  async #erase(zoneId: string): Promise<void> {
    // As in the control plane: nothing is appended to a zone that is being erased.
    await this.#store!.flush().catch(() => {});
    const covered = this.#witnessed.filter((one) => one.zoneId === zoneId && one.erasingAt === Infinity);
    for (const one of covered) one.erasingAt = this.disk.log.length;
    await this.#store!.erase(zoneId).then(
      () => covered.forEach((one) => (one.erasedAt = this.disk.log.length)),
      () => {},
    );
  }

  async #reopen(): Promise<void> {
    await this.#store!.close();
    this.#fs.heal();
    this.#store = await openStore(this.#fs, this.#clock);
  }
}

function openStore(fs: SimulatedDisk | FaultyFileSystem, clock: VirtualClock): Promise<EventStore> {
  return openEventStore({ directory, fs, clock, log: () => {} });
}
