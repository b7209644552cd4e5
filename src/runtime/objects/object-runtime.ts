/**
 * What a program asks of its objects, wherever they run: in its own process (`createRuntime`) or in several others
 * (`createHosts`). Who only needs this can be given either.
 */
import type { HeldDirectory } from './backup/hold-directory.ts';
import type { AlarmOutcome } from './alarms/alarm-scheduler.ts';
import type { DiskStats } from './persistence/disk-stats.ts';
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

/** An object that has stored something, with the name it was reached by, if any. */
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
  /** Images that are there are taken to be whole. */
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
  /** How the objects of a class store. */
  storageOf(className: string): 'kv' | 'sql';

  /** An object's past, for operators: look at it, go back to it, take it out and put it in. */
  history(target: DurableObjectId | { readonly id: DurableObjectId }): HistoryAccess;
  objects(className: string): AsyncGenerator<StoredObject>;
  /** The name that an object was reached by when it stored something, if it was by name. */
  nameOf(id: DurableObjectId): Promise<string | undefined>;
  /** The stored values of an object with key-value storage, in the order of their keys, as they are on disk. */
  storedValues(id: DurableObjectId): AsyncGenerator<[key: string, value: Uint8Array]>;
  /** Changes an object as an operator does: by an event of the object, durable when it resolves. Resets the object. */
  operate(id: DurableObjectId, action: OperatorAction): Promise<OperatorResult>;

  /** When the alarm of an object is due; undefined if it has none. */
  alarmTime(id: DurableObjectId): Promise<number | undefined>;
  /** Every alarm that is set, of the classes that there are, in no order. */
  alarms(): AsyncGenerator<SetAlarm>;
  /** Fires the alarm of an object now, as if its time had come. */
  runAlarm(id: DurableObjectId): Promise<AlarmOutcome | 'none' | 'running'>;

  /** For monitoring; of objects in other processes, about a second old. */
  stats(): RuntimeStats;
  /** Every object with what it takes on disk. Reads the whole journal first. */
  sizes(): AsyncGenerator<MeasuredObject>;
  /** Resolves if the disk takes writes; otherwise it rejects with what the disk says. */
  checkWritable(): Promise<void>;
  /** Gives back history beyond the retention now, or beyond a shorter time. Answers how many files went. */
  giveBackHistory(options?: { readonly retentionMs?: number }): Promise<number>;
  /** Reads everything on disk and reports what is damaged or missing, with file and place. */
  scrub(options?: { readonly onProgress?: OnProgress }): AsyncGenerator<Damage>;
  /** Rebuilds what is missing or damaged and can be rebuilt from the log, and says what cannot. Deletes nothing. */
  repair(request?: RepairRequest): AsyncGenerator<Repair>;
  /** Everything on disk, to be copied while the objects go on. Dispose of it when the copy is done. */
  holdForBackup(): Promise<HeldDirectory>;
  /** An unused path, for a file of this size that is needed for a while only. */
  scratchPath(name: string, bytes: number): string;

  /** Makes everything durable and lets the directory go. Calls in progress get an error. */
  close(): Promise<void>;
}
