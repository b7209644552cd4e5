/**
 * Stateful objects: one instance per identity, each with private, transactional storage, an alarm, and a
 * history it can go back to. Write a class, name an object, call it.
 *
 * ```ts
 * class Counter extends DurableObject {
 *   async increment() {
 *     const value = ((await this.ctx.storage.get<number>('value')) ?? 0) + 1;
 *     await this.ctx.storage.put('value', value);
 *     return value; // leaves when the write is on disk
 *   }
 * }
 *
 * const runtime = await createRuntime({ directory: './data', classes: { Counter: { class: Counter } } });
 * const stub = runtime.namespace('Counter').getByName('visits');
 * await stub.increment(); // 1
 * await runtime.close();
 * ```
 *
 * The log is the database:
 *
 * ```
 *             calls, alarms, timers
 *                     │
 *               ┌─────▼──────┐   input gate: one event at a time enters
 *               │   actor    │   output gate: nothing leaves before its writes are on disk
 *               └─────┬──────┘
 *         ┌───────────┴───────────┐
 *    ┌────▼─────┐            ┌────▼─────┐
 *    │ KvStore  │            │ SqlStore │──── scratch SQLite file, live/
 *    └────┬─────┘            └────┬─────┘
 *    changed keys            changed pages (read from SQLite's own WAL)
 *         └───────────┬───────────┘
 *               ┌─────▼──────┐
 *               │   ledger   │  one commit = one record, chained to the last one of the object
 *               └─────┬──────┘
 *               ┌─────▼──────┐
 *               │  journal   │  append, fdatasync, resolve    ← the only data that must not be lost
 *               └─────┬──────┘
 *         ┌───────────┴───────────┐
 *    ┌────▼─────┐            ┌────▼─────┐
 *    │  tables  │            │  images  │
 *    └──────────┘            └──────────┘
 *    KV data, alarms,        snapshots of SQL databases,
 *    names, chain heads      restored and imported ones
 * ```
 *
 * Everything below the journal is derived from it. Tables hold what must be found without reading history: the data of
 * key-value objects, every alarm, the newest record of each SQL object. They are flushed now and then and record how far
 * they are; after a crash the rest is replayed. SQLite files are scratch: made when an object wakes, kept for a short time
 * after it is evicted, never read across a restart. Crash recovery, waking, point-in-time recovery, export and snapshots
 * are therefore one operation (`history/materialise.ts`): the database of this object after that record.
 *
 * Folders, from the top: `backup/` (copies of a directory in use, and rewinding one), `move/` (objects that move to other
 * directories), `inspection/` (damage, sizes), `homes/` (which storage a runtime opens), `live/` (which objects are in
 * memory; waking), `storage/` (the API that programs call), `history/` (snapshots, recovery, repair), `alarms/`, `actor/`
 * (one running object: turns, writes, the context of its code), `stores/` (key-value and SQL state), `clustered/` and
 * `memory/` (storage in a cluster, and in a simulation), `persistence/` (what every storage offers), `ledger/` (records
 * and chains), `gates/`, `pages/` and `files/` (images of pages, scratch files).
 */
export { VirtualClock } from '#base';
export { JournalDamageError, JournalWriteError } from '#journal';
export { RpcTarget } from '#rpc';
export { DirectoryLockedError, NotADatabaseError, sqliteDiskRefusal } from '#sqlite';
export { TablesDamageError } from '#tables';
export { type AlarmInfo, DurableObject, type DurableObjectClass } from './objects/durable-object.ts';
export type { HistoryPoint } from './objects/history/historian.ts';
export { ImageDamageError, ImageMissingError } from './objects/history/images.ts';
export { HistoryMissingError } from './objects/history/materialise.ts';
export { DatabaseCopy } from './objects/history/database-copy.ts';
export { ObjectHistory } from './objects/history/object-history.ts';
export { PastObject } from './objects/history/past-object.ts';
export { type OperatorAction, type OperatorResult, versionOfValue } from './objects/inspection/operate.ts';
export { showValue } from './objects/inspection/show-value.ts';
export { type ListedTable, listTables, quoteName, showRow } from './objects/inspection/table-rows.ts';
export { fromTypedJson, toTypedJson } from './objects/inspection/typed-json.ts';
export type { Damage } from './objects/inspection/scrub.ts';
export type { BackupFile, BackupPart, HeldFiles } from './objects/backup/backup-file.ts';
export { type HeldDirectory, type ListedDirectory, runtimeNames } from './objects/backup/hold-directory.ts';
export { type RewindOptions, type Rewound, rewindDirectory } from './objects/backup/rewind.ts';
export { ObjectChangedError } from './objects/errors.ts';
export type {
  Checkpoint,
  ClusterPort,
  ClusterRecord,
  ClusterService,
  ImagePlace,
  LogDay,
  NewRecord,
  ObjectClaim,
  ObjectFacts,
  RoutedObject,
} from './objects/clustered/cluster-port.ts';
export type { Owner } from './objects/ledger/records.ts';
export type { Fence } from './objects/persistence/fence.ts';
export type { OnProgress, Progress } from './objects/progress.ts';
export { type ClassOptions, Unwoken } from './objects/classes.ts';
export { hostsFile, isHostedDirectory } from './objects/files/refused-directories.ts';
export { Scratch } from './objects/files/scratch.ts';
export { classNameOf, createKeyBeside, DurableObjectId, IdFactory } from './objects/ids.ts';
export { type ObjectLimits, defaultLimits, relaxedLimits } from './objects/limits.ts';
export { MemoryHome } from './objects/memory/memory-home.ts';
export type { Simulation, StorageAccess } from './objects/memory/simulation.ts';
export { readContents, type StoredContents, type StoredPlace } from './objects/memory/stored-contents.ts';
export { type PausedObject, parseObject } from './objects/live/paused-objects.ts';
export {
  DurableObjectNamespace,
  type FetchArguments,
  addressOf,
  callingSide,
  createObjectStub,
  deferNamespace,
  fetchThrough,
} from './objects/namespace.ts';
export type { Repair } from './objects/history/repair-object.ts';
export { type RedistributeOptions, redistributeObjects } from './objects/move/redistribute.ts';
export { type RepairOptions, repairDirectory } from './objects/repair.ts';
export { runOutside } from './objects/actor/actor.ts';
export { currentClock, isInsideObject, runAtClock } from './objects/actor/patched-globals.ts';
export type {
  HistoryAccess,
  MeasuredObject,
  ObjectRuntime,
  RepairRequest,
  RuntimeStats,
  SetAlarm,
  StoredObject,
} from './objects/object-runtime.ts';
export { Runtime, createRuntime } from './objects/runtime.ts';
export type { RuntimeOptions } from './objects/runtime-options.ts';
export type { DurableObjectStub } from './objects/stub-types.ts';
export { DurableObjectState } from './objects/state.ts';
export { DurableObjectStorage, keepTables } from './objects/storage/storage.ts';
export { DurableObjectTransaction } from './objects/storage/transaction.ts';
export { DirectoryMismatchError } from './objects/ledger/replay.ts';
