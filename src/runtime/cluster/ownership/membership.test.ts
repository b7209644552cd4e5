import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { LeaseClock } from '../lease-clock.ts';
import type { HostSeen, LeaseDatabase } from './lease-database.ts';
import type { KeptLease } from '../leases/lease-keeper.ts';
import { Membership } from './membership.ts';

const leaseMs = 1_000;

/** A manual clock, and a database whose answers the test controls. */
class Bench {
  nowMs = 0;
  hosts: HostSeen[] | 'declared dead' = [];
  looks = 0;
  /** How long a renewal takes. */
  delayMs = 0;
  /** The ids whose leases are kept, and the deadline of the last one. */
  readonly kept: string[] = [];
  keptUntil = Number.NEGATIVE_INFINITY;
  readonly buried: string[] = [];
  readonly lost: Error[] = [];
  /** The database gets the request to release the lease, and answers. */
  readonly leaving = Promise.withResolvers<void>();
  readonly left = Promise.withResolvers<void>();
  readonly #timers: Array<{ readonly at: number; readonly callback: () => void }> = [];
  readonly clock: LeaseClock = {
    now: () => this.nowMs,
    setTimer: (delayMs, callback) => {
      this.#timers.push({ at: this.nowMs + delayMs, callback });
      return { cancel: () => {} };
    },
  };
  readonly membership = new Membership({
    database: {
      join: async () => {},
      beat: async (_id, { isLooking }) => {
        this.nowMs += this.delayMs;
        if (isLooking) this.looks++;
        return isLooking || this.hosts === 'declared dead' ? this.hosts : 'renewed';
      },
      leave: async () => {
        this.leaving.resolve();
        await this.left.promise;
      },
      bury: async (id: string) => {
        this.buried.push(id);
        return true;
      },
    } as Partial<LeaseDatabase> as LeaseDatabase,
    clock: this.clock,
    keeper: {
      keep: (id) => {
        this.kept.push(id);
        this.keptUntil = Number.NEGATIVE_INFINITY;
        const lease = { end: () => void this.kept.splice(this.kept.indexOf(id), 1) };
        return Object.defineProperty(lease, 'deadline', { get: () => this.keptUntil }) as KeptLease;
      },
    },
    leaseMs,
    waitMs: 15_000,
    address: () => '',
    load: () => 0,
    onLost: (cause) => this.lost.push(cause),
    log: () => {},
  });

  other(beat: number, isOver: boolean): HostSeen {
    return { id: 'other', beat, isOver, leaseMs, address: '', load: 0, isLeaving: false, busyMs: 0 };
  }
}

test('Membership counts its lease from before a renewal was sent, and uses nine tenths of it', async () => {
  const bench = new Bench();
  await bench.membership.join();
  bench.nowMs = 899;
  equal(bench.membership.holds, true);
  bench.nowMs = 901;
  equal(bench.membership.holds, false);
  bench.delayMs = 800;
  await bench.membership.renew();
  // Sent at 901, answered at 1701: it holds until 1801.
  bench.nowMs = 1_800;
  equal(bench.membership.holds, true);
  bench.nowMs = 1_802;
  equal(bench.membership.holds, false);
});

test('Membership holds as long as its keeper renews the lease, and not by what was kept under another id', async () => {
  const bench = new Bench();
  await bench.membership.join();
  bench.keptUntil = 5_000;
  bench.nowMs = 4_999;
  equal(bench.membership.holds, true);
  bench.nowMs = 5_001;
  equal(bench.membership.holds, false);
  bench.keptUntil = 9_000;
  bench.hosts = 'declared dead';
  await bench.membership.renew();
  // It has joined again, and that lease has not been renewed since.
  bench.nowMs = 5_902;
  equal(bench.membership.holds, false);
  deepEqual(bench.kept, [bench.membership.id]);
});

test('Membership that leaves answers nothing more, and is kept until the database has its lease back', async () => {
  const bench = new Bench();
  await bench.membership.join();
  bench.keptUntil = 5_000;
  const { id } = bench.membership;
  const leaving = bench.membership.leave();
  await bench.leaving.promise;
  equal(bench.membership.holds, false);
  deepEqual(bench.kept, [id]);
  bench.left.resolve();
  await leaving;
  deepEqual(bench.kept, []);
});

test('Membership lets waiting words go when the lease is renewed', async () => {
  const bench = new Bench();
  await bench.membership.join();
  bench.nowMs = 5_000;
  const regained = bench.membership.regained();
  await bench.membership.renew();
  await regained;
  equal(bench.membership.holds, true);
  deepEqual(bench.lost, []);
});

test('Membership declares a host dead only if both clocks say so', async () => {
  const bench = new Bench();
  await bench.membership.join();
  // The clock of the database has jumped: the lease is over by it, but the beat was just seen.
  bench.hosts = [bench.other(1, true)];
  await bench.membership.renew();
  bench.nowMs += leaseMs - 1;
  await bench.membership.renew();
  deepEqual(bench.buried, []);
  // The host renews its lease.
  bench.hosts = [bench.other(2, true)];
  bench.nowMs += 1;
  await bench.membership.renew();
  deepEqual(bench.buried, []);
  // By this host's clock the lease has expired, by that of the database it has not.
  bench.hosts = [bench.other(2, false)];
  bench.nowMs += leaseMs;
  await bench.membership.renew();
  deepEqual(bench.buried, []);
  bench.hosts = [bench.other(2, true)];
  await bench.membership.renew();
  deepEqual(bench.buried, ['other']);
});

test('Membership that was declared dead says so, and joins under another id', async () => {
  const bench = new Bench();
  await bench.membership.join();
  const { id } = bench.membership;
  bench.hosts = 'declared dead';
  await bench.membership.renew();
  equal(bench.lost.length, 1);
  equal(bench.membership.id === id, false);
  equal(bench.membership.holds, true);
});

test('Membership of a large cluster looks at the others once in a lease, and notices one that is dead', async () => {
  const bench = new Bench();
  const others = (isOver: boolean): HostSeen[] =>
    Array.from({ length: 100 }, (_, index) => ({ ...bench.other(1, isOver), id: `other ${index}` }));
  await bench.membership.join();
  bench.hosts = others(false);
  await bench.membership.renew();
  bench.looks = 0;
  for (let beat = 0; beat < 8; beat++) {
    bench.nowMs += leaseMs / 4;
    await bench.membership.renew();
    equal(bench.membership.holds, true);
  }
  equal(bench.looks, 2);
  bench.hosts = others(true);
  for (let beat = 0; beat < 4; beat++) await bench.membership.renew();
  equal(bench.buried.length, 100);
});
