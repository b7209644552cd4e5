/** What a simulator gives to a runtime, so that everything that happens in it happens when the simulator says so. */
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
  /** What outlives the lives of the objects. */
  readonly home: MemoryHome;
  /** What the runtime itself draws at random. */
  readonly random?: () => number;
  /** Runs a callback in a macrotask of its own. */
  readonly defer: Defer;
  /** What `fetch` of objects reaches; without it, what the process reaches. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** What answers the calls of one stub of an object; who has the stub, if it is an object, by its name. */
  readonly route: (object: RoutedObject, caller: string | undefined) => LinkEntry;
  /** Makes the ids of a class; deriving one from a name costs as much as a short call, so lives share them. */
  readonly idsOf: (className: string, uniqueKey: string) => IdFactory;
  /** Told of every use of storage, if somebody wants to know. */
  readonly onAccess?: ((access: StorageAccess) => void) | undefined;
}
