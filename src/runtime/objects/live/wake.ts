/** Wakes an object: completes a requested recovery, creates its storage, and builds its `ctx`. */
import type { ObjectSockets } from '#sockets';
import type { Actor } from '../actor/actor.ts';
import type { AlarmRun } from '../alarms/alarm-run.ts';
import type { ClassEntry } from '../classes.ts';
import type { DatabasePool } from '../files/database-pool.ts';
import { ownerText } from '../history/images.ts';
import { completeRestore } from '../history/restore.ts';
import { DurableObjectId, nameInsideObject } from '../ids.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { StorageAccess } from '../memory/simulation.ts';
import { watchStore } from '../memory/watch-store.ts';
import { decodeOwner } from '../ledger/records.ts';
import type { ObjectStorage } from '../persistence/object-storage.ts';
import { DurableObjectState } from '../state.ts';
import { KvStore } from '../stores/kv-store.ts';
import { SqlStore } from '../stores/sql-store.ts';
import { DurableObjectStorage, type Recovery } from '../storage/storage.ts';
import type { ValueCache } from '../stores/value-cache.ts';

export interface WakeParts {
  readonly actor: Actor;
  readonly entry: ClassEntry;
  readonly ledger: Ledger;
  /** The name it was addressed by; undefined if by id or by its alarm. */
  readonly name: string | undefined;
  readonly run: AlarmRun;
  readonly disk: ObjectStorage;
  readonly cache: ValueCache;
  readonly pool: DatabasePool;
  readonly giveUpAlarm: () => void;
  readonly exports: object;
  /** Opens the hibernating sockets of the object with this name. */
  readonly openSockets: (name: string | undefined) => ObjectSockets;
  /** The object's log has outgrown its database: a snapshot would shorten it. */
  readonly onGrown: () => void;
  /** Called on every use of its storage. */
  readonly onAccess?: ((access: StorageAccess) => void) | undefined;
  /** The storage is closed: the ledger is no longer needed. */
  readonly release: () => void;
}

export interface Awake {
  readonly store: KvStore | SqlStore;
  readonly state: DurableObjectState;
}

export async function wake(parts: WakeParts): Promise<Awake> {
  const { actor, entry, ledger, run } = parts;
  const name = nameInsideObject(parts.name) ?? ledger.entry.name;
  const own = entry.storage === 'sql' ? await wakeSql(parts, name) : wakeKv(parts, name);
  const store = parts.onAccess === undefined ? own : watchStore(own, ledger.owner, parts.onAccess);
  const { idHex } = decodeOwner(ledger.owner);
  const { deleteAllDeletesAlarm } = entry;
  const storage = new DurableObjectStorage({
    actor,
    alarms: run,
    store,
    recovery: recoveryOf(parts),
    deleteAllDeletesAlarm,
  });
  const id = new DurableObjectId(idHex, entry.name, name);
  const { giveUpAlarm, openSockets, exports } = parts;
  const sockets = (): ObjectSockets => openSockets(name);
  const state = new DurableObjectState({
    actor,
    id,
    storage,
    giveUpAlarm,
    sockets,
    exports,
    container: entry.container,
  });
  return { store, state };
}

function wakeKv({ actor, ledger, disk, cache, release }: WakeParts, name: string | undefined): KvStore {
  const beforeWrite = (): void => actor.writes.before({ confirmed: false });
  return new KvStore({ ledger, tables: disk.tables, cache, name, beforeWrite, onClose: release });
}

async function wakeSql(parts: WakeParts, name: string | undefined): Promise<SqlStore> {
  const { actor, disk, ledger, pool, release, onGrown } = parts;
  const { scratch } = disk;
  const historian = disk.historianOf(ledger.owner);
  // A life that broke while waking may still be removing its file: each life has a path of its own.
  const { path, position } = await ledger.exclusively(async () => {
    await completeRestore(historian, ledger, { scratch });
    const object = await ledger.settled();
    const { head } = object.entry;
    const pathFor = (bytes: number): string => scratch.pathFor(ownerText(ledger.owner), bytes);
    const kept = scratch.kept.take(ledger.owner, head);
    return { path: kept ?? (await historian.writeDatabase(object, head, pathFor)), position: head };
  });
  return new SqlStore({
    ledger,
    path,
    position,
    name,
    work: actor.parts.work,
    pool,
    cache: parts.cache,
    beforeWrite: (options) => actor.writes.before(options),
    onGrown,
    onClose: (file) => {
      if (file !== undefined) scratch.kept.keep(ledger.owner, file, ledger.settled());
      release();
    },
  });
}

function recoveryOf({ actor, disk, entry, ledger }: WakeParts): Recovery {
  const historian = disk.historianOf(ledger.owner);
  return {
    async currentBookmark() {
      await actor.writes.recorded();
      return historian.currentBookmark(ledger, entry.ids);
    },
    async bookmarkForTime(time) {
      await actor.writes.recorded();
      return await historian.bookmarkForTime(await ledger.settled(), entry.ids, time);
    },
    async restoreAtNextStart(bookmark) {
      await actor.writes.recorded();
      const position = await historian.resolve(await ledger.settled(), entry.ids, bookmark);
      return await historian.request(ledger, entry.ids, position);
    },
  };
}
