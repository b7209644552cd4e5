/**
 * The logs of zones that are stored separately in the database of a cluster. Each is opened on first use, which takes
 * it from the host that used it before. They share their cache.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, RecentMap } from '#base';
import type { EventStore } from '../../event-store.ts';
import { openDatabaseEventStore } from '../../open-stores.ts';
import { EventMemory } from '../blocks/event-memory.ts';
import { openLogsMax, pendingBytesMax } from '../limits.ts';
import type { DatabaseLog } from './database-log.ts';

export interface DatabaseLogsOptions {
  /** From then on, no host that took the log before can write to it. */
  readonly take: (zoneId: string) => Promise<DatabaseLog>;
  readonly clock: Clock;
  /** Events are kept at most this long, whatever `append` says. */
  readonly retentionMsMax?: number;
  readonly log: (message: string, error?: unknown) => void;
}

interface Opened {
  readonly store: Promise<EventStore>;
  /** Set once it is open. */
  open?: EventStore;
}

export class DatabaseLogs implements Disposable {
  readonly #options: DatabaseLogsOptions;
  readonly #memory = new EventMemory();
  readonly #logs = new RecentMap<string, Opened>({ sizeMax: openLogsMax, onDropped: abandon });
  #isClosed = false;
  /** Objects use logs, but the later work of a log must not run in their async context. */
  readonly #apart = AsyncLocalStorage.snapshot();

  constructor(options: DatabaseLogsOptions) {
    this.#options = options;
  }

  /** `work` is repeated if the log must be reopened: events that it appends twice are stored once. */
  use<Result>(zoneId: string, work: (store: EventStore) => Promise<Result>): Promise<Result> {
    return this.#apart(async () => {
      const log = this.#find(zoneId);
      const store = await log.store;
      try {
        return await work(store);
      } catch (error) {
        if (!store.isOver) throw error;
        if (this.#logs.peek(zoneId) === log) this.forget(zoneId);
        return await work(await this.#find(zoneId).store);
      } finally {
        this.#relieve();
      }
    });
  }

  /** Closes a log. It is reopened on its next use: another host may have written to it by then. */
  forget(zoneId: string): void {
    const log = this.#logs.peek(zoneId);
    if (log === undefined) return;
    this.#logs.delete(zoneId);
    abandon(log);
  }

  /** Logs used after this schedule no later work. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const zoneId of [...this.#logs.keys()]) this.forget(zoneId);
  }

  #find(zoneId: string): Opened {
    const present = this.#logs.get(zoneId);
    if (present !== undefined) return present;
    const { take, ...options } = this.#options;
    const open = async (): Promise<EventStore> =>
      openDatabaseEventStore({ ...options, rows: await take(zoneId), memory: this.#memory });
    const log: Opened = { store: open() };
    log.store.then(
      (store) => {
        log.open = store;
        if (this.#isClosed) store.abandon();
      },
      () => {
        if (this.#logs.peek(zoneId) === log) this.#logs.delete(zoneId);
      },
    );
    return this.#logs.set(zoneId, log);
  }

  /** When memory is full of events that are not in a block, the log with most of them writes its own to one. */
  #relieve(): void {
    let held = 0;
    let largest: EventStore | undefined;
    for (const { open } of this.#logs.values()) {
      if (open === undefined) continue;
      held += open.heldBytes;
      if (open.heldBytes > (largest?.heldBytes ?? 0)) largest = open;
    }
    if (held > pendingBytesMax) largest!.relieve();
  }
}

function abandon({ store }: Opened): void {
  store.then(
    (each) => each.abandon(),
    () => {},
  );
}
