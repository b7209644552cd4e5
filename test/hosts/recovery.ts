/**
 * Point-in-time recovery of objects in hosts, compared with a model that records every state: random lives of several
 * objects, in which hosts are killed, restarted and changed in number, and then random restores, from inside and from
 * outside.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock, createLog } from '#base';
import { type ObjectHosts, createHosts } from '#hosts';
import { Random } from '../faults/random.ts';
import { type Dump, tablesOf } from '../objects/workload.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- any method of Patient
type Stub = any;

interface Moment {
  readonly bookmark: string;
  readonly time: number;
  readonly dump: Dump;
}

export interface RecoveryOptions {
  readonly seed: number;
  readonly hosts: number;
  readonly steps: number;
  readonly restores: number;
  /** How often the hosts are started again, some of the times with another number of them. */
  readonly reopens: number;
  /** How often a host is killed. */
  readonly kills: number;
}

const names = ['a', 'b', 'c'];
const log = createLog({ level: 'error', format: 'text', write: () => {} });

export async function recoverOnHosts(options: RecoveryOptions): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-recovery-'));
  const ward = new Ward(directory, options);
  try {
    await ward.open(options.hosts);
    await ward.live();
    await ward.checkTimes();
    await ward.restoreSome();
    deepEqual(await Array.fromAsync(ward.hosts.scrub()), []);
  } finally {
    await ward.close();
    rmSync(directory, { recursive: true });
  }
}

class Ward {
  hosts!: ObjectHosts;
  readonly #directory: string;
  readonly #options: RecoveryOptions;
  readonly #random: Random;
  readonly #clock = new VirtualClock();
  readonly #moments = new Map<string, Moment[]>(names.map((name) => [name, []]));

  constructor(directory: string, options: RecoveryOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#random = new Random(options.seed);
  }

  async open(hosts: number): Promise<void> {
    const module = new URL('./recovery-objects.ts', import.meta.url);
    const parts = { directory: this.#directory, clock: this.#clock, module, log, segmentBytes: 256 * 1024 };
    this.hosts = await createHosts({ ...parts, hosts });
  }

  async close(): Promise<void> {
    await this.hosts?.close();
  }

  async live(): Promise<void> {
    const { steps, reopens, kills, seed } = this.#options;
    for (const name of names) await this.#remember(name);
    for (let step = 1; step <= steps; step++) {
      const name = this.#random.pick(names);
      await this.#stub(name).change(seed, step);
      await this.#remember(name);
      await this.#clock.advance(this.#random.below(3) * 500);
      if (isEvery(step, steps, kills)) await this.#kill(step % this.hosts.pids.length);
      if (isEvery(step, steps, reopens)) await this.#reopen();
    }
  }

  async checkTimes(): Promise<void> {
    for (const name of names) {
      const moments = this.#moments.get(name)!;
      for (let count = 0; count < 10; count++) {
        const time = moments[0]!.time + this.#random.below(this.#clock.now() - moments[0]!.time + 1);
        const expected = moments.findLast((moment) => moment.time <= time)!;
        // A state has several bookmarks if the objects were moved: all restore the same state.
        const bookmark = await this.#history(name).bookmarkForTime(time);
        deepEqual(await this.#stateAt(name, bookmark), await this.#stateAt(name, expected.bookmark));
        equal(await this.#stub(name).bookmarkForTime(time), bookmark);
      }
    }
  }

  async restoreSome(): Promise<void> {
    for (let count = 0; count < this.#options.restores; count++) {
      const name = this.#random.pick(names);
      const before = await this.#observe(name);
      const { bookmark, dump } = this.#random.pick(this.#moments.get(name)!);
      const { entries, tables } = await this.#stateAt(name, bookmark);
      deepEqual([entries, tables], [dump.entries, dump.tables]);
      const undo = await this.#restore(name, bookmark);
      deepEqual((await this.#observe(name)).dump, dump, `restore ${count} of ${name} to ${bookmark}`);
      if (this.#random.chance(0.5)) continue;
      await this.#restore(name, undo);
      deepEqual((await this.#observe(name)).dump, before.dump, `undo of restore ${count} of ${name}`);
    }
  }

  #stub(name: string): Stub {
    return this.hosts.namespace('Patient').getByName(name);
  }

  #history(name: string): ReturnType<ObjectHosts['history']> {
    return this.hosts.history(this.#stub(name));
  }

  async #observe(name: string): Promise<Moment> {
    for (;;) {
      try {
        return { ...(await this.#stub(name).observe()), time: this.#clock.now() };
      } catch (error) {
        // Its host was killed during the call.
        if ((error as Error).message !== 'Network connection lost.') throw error;
      }
    }
  }

  async #remember(name: string): Promise<void> {
    this.#moments.get(name)!.push(await this.#observe(name));
  }

  async #stateAt(name: string, bookmark: string): Promise<Pick<Dump, 'entries' | 'tables'>> {
    using past = await this.#history(name).readAt(bookmark);
    return { entries: past.list(), tables: tablesOf(past) };
  }

  /** Restores from inside or from outside. Returns the bookmark that undoes it. */
  async #restore(name: string, bookmark: string): Promise<string> {
    if (this.#random.chance(0.5)) return await this.#history(name).restore(bookmark);
    const undo = (await this.#stub(name).restore(bookmark)) as string;
    await this.#stub(name)
      .abort()
      .catch(() => {});
    return undo;
  }

  /** Kills a host, and waits until its objects answer again: the clock of all hosts cannot be moved meanwhile. */
  async #kill(host: number): Promise<void> {
    const pid = this.hosts.pids[host]!;
    process.kill(pid, 'SIGKILL');
    while (this.hosts.pids[host] === pid) await new Promise((resolve) => void setImmediate(resolve));
    for (const name of names) await this.#observe(name);
    await this.#untilWritable();
  }

  async #untilWritable(): Promise<void> {
    for (let isBack = false; !isBack;) {
      isBack = await this.hosts.checkWritable().then(
        () => true,
        () => false,
      );
    }
  }

  async #reopen(): Promise<void> {
    await this.hosts.close();
    const { hosts } = this.#options;
    await this.open(this.#random.chance(0.7) ? 1 + this.#random.below(hosts + 1) : hosts);
  }
}

/** Whether this step is one of `times` steps, spread evenly. */
function isEvery(step: number, steps: number, times: number): boolean {
  return times > 0 && step % Math.ceil(steps / (times + 1)) === 0;
}
