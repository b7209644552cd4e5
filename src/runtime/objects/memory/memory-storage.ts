/** The objects of a runtime that stores them in memory, for a simulation. */
import type { Clock } from '#base';
import { type CommitQueue, JournalStats } from '#journal';
import type { ClassEntry } from '../classes.ts';
import { Housekeeping } from '../files/housekeeping.ts';
import { Historian } from '../history/historian.ts';
import type { DurableObjectId } from '../ids.ts';
import type { ClassRegistry } from '../ledger/class-registry.ts';
import { Ledger, readEntry } from '../ledger/ledger.ts';
import { listAlarms, listObjects } from '../ledger/list-objects.ts';
import { OpenLedgers } from '../ledger/open-ledgers.ts';
import type { Owner } from '../ledger/records.ts';
import type { Fence } from '../persistence/fence.ts';
import type { DiskStats, ObjectStorage } from '../persistence/object-storage.ts';
import type { MemoryHome } from './memory-home.ts';
import type { MemoryTables } from './memory-tables.ts';

export interface MemoryStorageOptions {
  readonly home: MemoryHome;
  readonly clock: Clock;
  readonly retentionMs: number;
  readonly onAlarm: (owner: Owner, time: number | undefined) => void;
  readonly onStopped: (cause: Error) => void;
}

export class MemoryStorage implements ObjectStorage {
  readonly tables: MemoryTables;
  readonly ledgers: OpenLedgers;
  readonly classes: ClassRegistry;
  readonly #options: MemoryStorageOptions;
  readonly #home: MemoryHome;
  readonly #housekeeping = new Housekeeping();

  constructor(options: MemoryStorageOptions) {
    const { home, onAlarm, onStopped } = options;
    this.#options = options;
    this.#home = home;
    this.tables = home.tables;
    this.ledgers = new OpenLedgers({
      load: async (owner) => {
        const parts = { journal: home.logOf(owner), tables: home.tables, onAlarm };
        return new Ledger(owner, await readEntry(home.tables, owner), parts);
      },
    });
    this.classes = {
      recorded: async () => new Map(home.classes),
      record: async (key, name) => {
        const number = home.classes.get(key)?.number ?? home.classes.size + 1;
        home.classes.set(key, { number, name });
        return number;
      },
    };
    home.enter({ onAlarm, onStopped });
  }

  get scratch(): MemoryHome['scratch'] {
    return this.#home.scratch;
  }

  get commits(): Pick<CommitQueue, 'flush' | 'probe'> {
    return { flush: () => this.#home.flush(), probe: () => Promise.resolve() };
  }

  commitsOf(owner: Owner): CommitQueue {
    return this.#home.logOf(owner);
  }

  fenceOf(): Fence | undefined {
    return this.#home.fence;
  }

  historianOf(owner: Owner): Historian {
    const { clock, retentionMs } = this.#options;
    const { images } = this.#home;
    return new Historian({ journal: this.#home.logOf(owner), images, clock, retentionMs });
  }

  stats(): DiskStats {
    const failedWrites = { journal: 0, tables: 0, snapshots: 0 };
    return { journalBytes: 0, journal: new JournalStats(), failedWrites, lastScrub: undefined };
  }

  list(entry: ClassEntry): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }> {
    return listObjects(this.tables, entry);
  }

  async nameOf(owner: Owner): Promise<string | undefined> {
    return (await readEntry(this.tables, owner)).name;
  }

  async alarmOf(owner: Owner): Promise<number | undefined> {
    return this.#home.alarmOf(owner);
  }

  alarms(): AsyncGenerator<readonly [owner: Owner, time: number]> {
    return listAlarms(this.tables);
  }

  storedValues(owner: Owner): AsyncGenerator<readonly [key: string, value: Uint8Array]> {
    return this.tables.iterate(owner);
  }

  async beginAlarms(): Promise<void> {
    for await (const [owner, time] of this.alarms()) this.#options.onAlarm(owner, time);
  }

  /** Everything is in memory. */
  flushIfNeeded(): void {}

  /** A life is too short for its log to need a snapshot. */
  snapshot(): void {}

  async giveBackHistory(): Promise<number> {
    return 0;
  }

  holdHistory(): Promise<Disposable> {
    return this.#housekeeping.hold();
  }

  async atRest(): Promise<void> {
    await this.#home.flush().catch(() => {});
  }

  async handOver(): Promise<void> {}

  measure(): never {
    throw refuse('sizes()');
  }

  // oxlint-disable-next-line require-yield -- nothing can be reported
  async *scrub(): AsyncGenerator<never> {
    throw refuse('scrub()');
  }

  holdForBackup(): Promise<never> {
    return Promise.reject(refuse('a backup'));
  }

  repair(): Promise<never> {
    return Promise.reject(refuse('repair()'));
  }

  async close(): Promise<void> {
    await this.atRest();
    this.scratch.clear();
  }
}

function refuse(what: string): Error {
  return new Error(`${what} is not there in a simulation: its objects are in memory`);
}
