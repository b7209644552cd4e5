/**
 * What a program needs of its objects, wherever they run: in its own process (`createRuntime`) or in several others
 * (`createHosts`). Code that needs only this works with either.
 */
import type { HeldDirectory } from './backup/hold-directory.ts';
import type { AlarmOutcome } from './alarms/alarm-scheduler.ts';
import type { DiskStats } from './persistence/object-storage.ts';
import type { ObjectHistory } from './history/object-history.ts';
import type { Repair } from './history/repair-object.ts';
import type { DurableObjectId } from './ids.ts';
import type { OperatorAction, OperatorResult } from './inspection/operate.ts';
import type { Damage } from './inspection/scrub.ts';
import type { ObjectSize } from './inspection/sizes.ts';
import type { DurableObjectNamespace } from './namespace.ts';
import type { OnProgress } from './progress.ts';

export interface RuntimeStats extends DiskStats {
  /** By class. */
  readonly objectsAwake: ReadonlyMap<string, number>;
}

/** An object that has stored something, with the name it was addressed by, if any. */
export interface StoredObject {
  readonly id: DurableObjectId;
  readonly name: string | undefined;
}

/** An alarm that is set. */
export interface SetAlarm {
  readonly className: string;
  readonly id: DurableObjectId;
  readonly time: number;
}

export interface MeasuredObject extends StoredObject, ObjectSize {
  readonly className: string;
}

export interface RepairRequest {
  readonly dryRun?: boolean;
  /** Existing images are assumed to be intact. */
  readonly onlyMissing?: boolean;
  readonly onProgress?: OnProgress | undefined;
}

/** The public part of `ObjectHistory`. */
export type HistoryAccess = Pick<ObjectHistory, keyof ObjectHistory>;

export interface ObjectRuntime extends AsyncDisposable {
  /** The names of the classes. */
  readonly classNames: string[];
  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  namespace<T = any>(className: string): DurableObjectNamespace<T>;
  /** The storage kind of the objects of a class. */
  storageOf(className: string): 'kv' | 'sql';

  /** An object's past, for operators: read it, restore it, export it, import into it. */
  history(target: DurableObjectId | { readonly id: DurableObjectId }): HistoryAccess;
  objects(className: string): AsyncGenerator<StoredObject>;
  /** The name that an object was addressed by when it stored something, if it was addressed by name. */
  nameOf(id: DurableObjectId): Promise<string | undefined>;
  /** The stored values of an object with key-value storage, in the order of their keys, encoded as on disk. */
  storedValues(id: DurableObjectId): AsyncGenerator<[key: string, value: Uint8Array]>;
  /** Changes an object as an operator: by an event of the object, durable when it resolves. Resets the object. */
  operate(id: DurableObjectId, action: OperatorAction): Promise<OperatorResult>;

  /** When the alarm of an object is due; undefined if it has none. */
  alarmTime(id: DurableObjectId): Promise<number | undefined>;
  /** Every alarm that is set, of the runtime's classes, in no order. */
  alarms(): AsyncGenerator<SetAlarm>;
  /** Fires the alarm of an object now, as if its time had come. */
  runAlarm(id: DurableObjectId): Promise<AlarmOutcome | 'none' | 'running'>;

  /** For monitoring; values of objects in other processes are about a second old. */
  stats(): RuntimeStats;
  /** Every object with its size on disk. Reads the whole journal first. */
  sizes(): AsyncGenerator<MeasuredObject>;
  /** Resolves if the disk accepts writes; otherwise rejects with the disk's error. */
  checkWritable(): Promise<void>;
  /** Drops history beyond the retention now, or beyond a shorter time. Returns how many files were removed. */
  giveBackHistory(options?: { readonly retentionMs?: number }): Promise<number>;
  /** Reads everything on disk and reports what is damaged or missing, with file and place. */
  scrub(options?: { readonly onProgress?: OnProgress }): AsyncGenerator<Damage>;
  /** Rebuilds what is missing or damaged and can be rebuilt from the log, and reports what cannot. Deletes nothing. */
  repair(request?: RepairRequest): AsyncGenerator<Repair>;
  /** Keeps everything on disk, to be copied while the objects continue. Dispose of it when the copy is done. */
  holdForBackup(): Promise<HeldDirectory>;
  /** An unused path for a temporary file of this size. */
  scratchPath(name: string, bytes: number): string;

  /** Makes everything durable and releases the directory. Calls in progress get an error. */
  close(): Promise<void>;
}
