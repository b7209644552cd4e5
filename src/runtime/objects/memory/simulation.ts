/** What a simulator passes to a runtime, to control when everything in it happens. */
import type { LinkEntry } from '#rpc';
import type { RoutedObject } from '../clustered/cluster-port.ts';
import type { Defer } from '../gates/input-gate.ts';
import type { IdFactory } from '../ids.ts';
import type { Owner } from '../ledger/records.ts';
import type { KvStore } from '../stores/kv-store.ts';
import type { SqlStore } from '../stores/sql-store.ts';
import type { MemoryHome } from './memory-home.ts';

/** One use of the storage of an object. */
export interface StorageAccess {
  readonly owner: Owner;
  /** `get`, `put`, `delete`, `list`, `exec`, `setAlarm`, `deleteAll` …; `wake` when the object starts. */
  readonly method: string;
  readonly args: readonly unknown[];
  readonly result: unknown;
  readonly store: KvStore | SqlStore;
}

export interface Simulation {
  /** The storage that outlives the lives of the objects. */
  readonly home: MemoryHome;
  /** The source of the runtime's own random numbers. */
  readonly random?: () => number;
  /** Runs a callback in a macrotask of its own. */
  readonly defer: Defer;
  /** What `fetch` of objects reaches; without it, the process's own `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * Answers the calls of one stub of an object; `caller` is the name of the object that has the stub, if it is an
   * object.
   */
  readonly route: (object: RoutedObject, caller: string | undefined) => LinkEntry;
  /** Creates the ids of a class; deriving one from a name costs as much as a short call, so lives share them. */
  readonly idsOf: (className: string, uniqueKey: string) => IdFactory;
  /** Called on every use of storage. */
  readonly onAccess?: ((access: StorageAccess) => void) | undefined;
}
