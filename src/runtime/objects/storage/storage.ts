/** `ctx.storage`: all operations of an object on its storage, of either kind. */
import { markAsUncloneable } from 'node:worker_threads';
import { wrongType } from '#base';
import type { Actor } from '../actor/actor.ts';
import type { AlarmRun } from '../alarms/alarm-run.ts';
import { illegalInvocation, tagAs, toOptions } from './arguments.ts';
import { KvStore } from '../stores/kv-store.ts';
import { KvTransaction } from '../stores/kv-transaction.ts';
import type { KeyValues } from '../stores/key-values.ts';
import type { ListOptions } from './list-range.ts';
import {
  type GetAlarmOptions,
  type GetOptions,
  StorageOperations,
  type PutOptions,
  type SetAlarmOptions,
} from './storage-operations.ts';
import { SqlStorage } from './sql-storage.ts';
import { SqlStore } from '../stores/sql-store.ts';
import { SyncKvStorage } from './sync-kv.ts';
import { DurableObjectTransaction, isRolledBack, settle } from './transaction.ts';

/** Point-in-time recovery, as the folder `history` implements it. */
export interface Recovery {
  currentBookmark(): Promise<string>;
  bookmarkForTime(time: number): Promise<string>;
  restoreAtNextStart(bookmark: string): Promise<string>;
}

export interface StorageParts {
  readonly actor: Actor;
  readonly alarms: AlarmRun;
  readonly store: KvStore | SqlStore;
  readonly recovery: Recovery;
  readonly deleteAllDeletesAlarm: boolean;
}

const face = 'DurableObjectStorage';

/** The operations of a storage; throws if a method was called without one. */
let operationsOf: (storage: DurableObjectStorage) => StorageOperations;

/** The database of a storage, which must be one with SQL. */
let sqlStoreOf: (storage: DurableObjectStorage) => SqlStore;

/**
 * Names tables that neither a restore nor an import replaces: their current content is put into the restored state. No
 * foreign key may lead to or from them. Returns whether the object has named any before.
 */
export function keepTables(storage: DurableObjectStorage, names: readonly string[]): boolean {
  return sqlStoreOf(storage).keepTables(names);
}

export class DurableObjectStorage {
  readonly sql: SqlStorage;
  readonly kv: SyncKvStorage;
  readonly #parts: StorageParts;
  readonly #operations: StorageOperations;
  /** Open transactions, outermost first. */
  readonly #transactions: DurableObjectTransaction[] = [];

  static {
    operationsOf = (storage) => {
      if (typeof storage !== 'object' || storage === null || !(#operations in storage))
        throw illegalInvocation();
      return storage.#operations;
    };
    sqlStoreOf = (storage) => storage.#sqlStore('Durable Object is not backed by SQL.', '');
  }

  /** @internal */
  constructor(parts: StorageParts) {
    const { actor, alarms, store } = parts;
    this.#parts = parts;
    this.#operations = new StorageOperations({ actor, alarms, face, target: () => this.#usable(store) });
    this.sql = new SqlStorage(() => this.#sqlStore('SQL is not enabled for this Durable Object class. '));
    this.kv = new SyncKvStorage(actor, () =>
      this.#sqlStore(
        "The storage.kv (synchronous KV) API is only available for SQLite-backed Durable Objects, but this object's namespace is not declared to use SQLite. ",
      ),
    );
    markAsUncloneable(this);
  }

  get<T = unknown>(key: string, options?: GetOptions): Promise<T | undefined>;
  get<T = unknown>(keys: string[], options?: GetOptions): Promise<Map<string, T>>;
  get(keyOrKeys?: unknown, options?: unknown): Promise<unknown> {
    return operationsOf(this).get(keyOrKeys, options, arguments.length);
  }

  put<T>(key: string, value: T, options?: PutOptions): Promise<void>;
  put<T>(entries: Record<string, T>, options?: PutOptions): Promise<void>;
  put(...args: unknown[]): Promise<void> {
    return operationsOf(this).put(...args);
  }

  delete(key: string, options?: PutOptions): Promise<boolean>;
  delete(keys: string[], options?: PutOptions): Promise<number>;
  delete(keyOrKeys?: unknown, options?: unknown): Promise<boolean | number> {
    return operationsOf(this).delete(keyOrKeys, options, arguments.length);
  }

  list<T = unknown>(options?: ListOptions & GetOptions): Promise<Map<string, T>> {
    return operationsOf(this).list(options) as Promise<Map<string, T>>;
  }

  getAlarm(options?: GetAlarmOptions): Promise<number | null> {
    return operationsOf(this).getAlarm(options);
  }

  setAlarm(time: number | Date, options?: SetAlarmOptions): Promise<void> {
    return operationsOf(this).setAlarm(time, options);
  }

  deleteAlarm(options?: SetAlarmOptions): Promise<void> {
    return operationsOf(this).deleteAlarm(options);
  }

  /** Deletes everything, the alarm only if the class is declared so. Output waits for the disk whatever the options. */
  async deleteAll(options?: PutOptions): Promise<void> {
    toOptions(options, { method: 'deleteAll', face }, 1, 'PutOptions');
    const { actor, alarms, deleteAllDeletesAlarm } = this.#parts;
    const store = this.#usable(this.#parts.store);
    if (store instanceof SqlStore && store.depth > 0)
      throw new Error('Cannot call deleteAll() within a transaction');
    // Ended turns are recorded before the files they are read from are removed.
    actor.writes.record();
    actor.writes.before();
    if (deleteAllDeletesAlarm) {
      alarms.replace();
      store.setAlarm(null);
    }
    store.deleteAll();
  }

  async transaction<T>(closure: (txn: DurableObjectTransaction) => T | Promise<T>): Promise<T> {
    if (typeof closure !== 'function') throw wrongType({ method: 'transaction', face }, 1, 'function');
    const { actor, store } = this.#parts;
    this.#usable(store);
    const run =
      store instanceof SqlStore
        ? this.#inSqlTransaction(store, closure)
        : this.#inKvTransaction(store, closure);
    return await actor.section(run, 'reject');
  }

  transactionSync<T>(closure: () => T): T {
    const store = this.#sqlStore('Durable Object is not backed by SQL.', '');
    if (typeof closure !== 'function') throw wrongType({ method: 'transactionSync', face }, 1, 'function');
    const { actor, alarms } = this.#parts;
    actor.writes.before();
    const alarmState = alarms.state;
    const depth = store.begin();
    let result: T;
    try {
      result = closure();
    } catch (error) {
      if (actor.broken !== undefined) throw error;
      store.rollback(depth);
      alarms.rewind(alarmState);
      throw error;
    }
    this.#usable(store).release(depth);
    return result;
  }

  async sync(): Promise<void> {
    const { actor } = this.#parts;
    await actor.receive(actor.writes.durable());
  }

  async getCurrentBookmark(): Promise<string> {
    return await this.#recover((recovery) => recovery.currentBookmark());
  }

  async getBookmarkForTime(time: number | Date): Promise<string> {
    if (typeof time !== 'number' && !((time as unknown) instanceof Date)) {
      throw wrongType({ method: 'getBookmarkForTime', face }, 1, 'date');
    }
    return await this.#recover((recovery) => recovery.bookmarkForTime(Number(time)));
  }

  async onNextSessionRestoreBookmark(bookmark: string): Promise<string> {
    return await this.#recover((recovery) => recovery.restoreAtNextStart(String(bookmark)));
  }

  async #recover(ask: (recovery: Recovery) => Promise<string>): Promise<string> {
    const { actor, recovery, store } = this.#parts;
    this.#usable(store);
    if (!(store instanceof SqlStore)) {
      throw new Error("This Durable Object's storage back-end does not implement point-in-time recovery.");
    }
    return await actor.receive(ask(recovery));
  }

  #inSqlTransaction<T>(store: SqlStore, closure: (txn: DurableObjectTransaction) => T | Promise<T>) {
    return async (): Promise<T> => {
      const { actor, alarms } = this.#parts;
      actor.writes.enterTransaction();
      const alarmState = alarms.state;
      const depth = store.begin();
      const rollback = (): void => {
        store.rollback(depth);
        alarms.rewind(alarmState);
      };
      const txn = this.#open(store, alarms, () => {
        if (this.#transactions.at(-1) !== txn) {
          throw new Error(
            'Cannot roll back an outer transaction while a nested transaction is still running.',
          );
        }
        rollback();
      });
      try {
        const result = await closure(txn);
        if (actor.broken === undefined && !isRolledBack(txn)) store.release(depth);
        settle(txn, 'committed');
        return result;
      } catch (error) {
        if (actor.broken === undefined && !isRolledBack(txn)) rollback();
        settle(txn, 'rolled back');
        throw error;
      } finally {
        this.#transactions.pop();
        actor.writes.leaveTransaction();
      }
    };
  }

  #inKvTransaction<T>(store: KvStore, closure: (txn: DurableObjectTransaction) => T | Promise<T>) {
    return async (): Promise<T> => {
      const { actor, alarms } = this.#parts;
      actor.writes.endTurn();
      const overlay = new KvTransaction(store);
      const ownAlarms = alarms.fork();
      const txn = this.#open(overlay, ownAlarms, () => {});
      try {
        const result = await closure(txn);
        if (actor.broken === undefined && !isRolledBack(txn)) {
          actor.writes.before();
          overlay.commit();
          alarms.join(ownAlarms);
          actor.writes.endTurn();
        }
        settle(txn, 'committed');
        return result;
      } catch (error) {
        settle(txn, 'rolled back');
        throw error;
      } finally {
        this.#transactions.pop();
      }
    };
  }

  #open(target: KeyValues, alarms: AlarmRun, rollback: () => void): DurableObjectTransaction {
    const { actor } = this.#parts;
    const makeOperations = (check: (operation: string) => void): StorageOperations =>
      new StorageOperations({
        actor,
        alarms,
        face: 'DurableObjectTransaction',
        target: (operation) => {
          check(operation);
          return this.#usable(target);
        },
      });
    const txn = new DurableObjectTransaction(makeOperations, { rollback });
    this.#transactions.push(txn);
    return txn;
  }

  #usable<S>(store: S): S {
    const { ended } = this.#parts.actor;
    if (ended !== undefined) throw ended;
    return store;
  }

  #sqlStore(text: string, hint: string = enableHint): SqlStore {
    const store = this.#usable(this.#parts.store);
    if (!(store instanceof SqlStore)) throw new Error(text + hint);
    return store;
  }
}
tagAs(DurableObjectStorage.prototype, face);

const enableHint =
  "Declare the class with storage: 'sql' in createRuntime(), or under new_sqlite_classes in the migrations of its configuration.";
