/**
 * The interface of a cluster to a runtime. An object is claimed before it is woken: from then on this process alone
 * appends to its log, until the claim is lost. Losing it is losing the ability to append, whatever this process
 * believes.
 *
 * Positions are sequence numbers here: the first record of an object has 1, and each has one more than the one before.
 */
import type { CommitQueue, Position } from '#journal';
import type { Address, LinkEntry, Side } from '#rpc';
import type { RecordedClass } from '../ledger/class-registry.ts';
import type { Owner } from '../ledger/records.ts';
import type { Fence } from '../persistence/fence.ts';

type ClusterImageKind = 'snapshot' | 'base' | 'pairs';

/** The state of an object at one of its records, so that the records before need not be read to continue with it. */
export interface Checkpoint {
  readonly position: Position;
  /** The time of that record: later records are not older. */
  readonly time: number;
  /** The object's entry, as the tables of a directory hold it. */
  readonly entry: Uint8Array;
  /** Every record up to here may have been dropped. */
  readonly floor: Position;
}

export interface ClusterRecord {
  readonly position: Position;
  readonly time: number;
  readonly payload: Uint8Array;
}

export interface NewRecord {
  readonly position: Position;
  readonly time: number;
  readonly payload: readonly Uint8Array[];
  readonly name?: string | undefined;
  readonly alarm?: number | null | undefined;
}

export interface ImagePlace {
  readonly position: Position;
  readonly kind: ClusterImageKind;
}

/** The right to append to the log of one object. */
export interface ObjectClaim {
  /** The newest record when it was claimed; 0: none. */
  readonly position: Position;
  readonly checkpoint: Checkpoint | undefined;
  /** Whether nothing more can be appended by it. */
  readonly isLost: boolean;
  /** Resolves when the record is durable. Records are appended in order; if one cannot be, none of the later ones is. */
  append(record: NewRecord): Promise<void>;
  /** The records from one position to another, both included, oldest first. Throws if one of them is missing. */
  read(from: Position, to: Position): AsyncGenerator<ClusterRecord>;
  listImages(): Promise<ImagePlace[]>;
  readImage(place: ImagePlace): AsyncGenerator<Uint8Array>;
  /** Releases the object: none of its records is pending, and from now on any host may claim it. */
  release(): Promise<void>;
  /** Durable when it resolves; refused once the claim is lost. */
  writeImage(place: ImagePlace, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  removeImage(place: ImagePlace): Promise<void>;
  writeCheckpoint(checkpoint: Checkpoint): Promise<void>;
}

export interface ObjectFacts {
  readonly owner: Owner;
  readonly name: string | undefined;
  readonly alarm: number | undefined;
}

/** A table with the records of one day. */
export type LogDay = string & { readonly brand: 'LogDay' };

/** An object as the hosts of a cluster address it. */
export interface RoutedObject {
  readonly owner: Owner;
  readonly address: Address;
  /** The object in this process. */
  readonly open: () => LinkEntry;
}

/** Answers the calls of other hosts. */
export interface ClusterService {
  readonly resolve: (address: Address) => RoutedObject;
  readonly createStub: (address: Address, holder: Side) => object;
}

export interface ClusterPort {
  /** Where the cluster is, for messages; without credentials. */
  readonly label: string;
  /** How often commits have failed. */
  readonly failures: number;
  /**
   * Begins to serve. `onLost` is called whenever many claims of this process are lost at once: each of them also
   * reports it.
   */
  begin(events: { readonly onLost: (cause: Error) => void }): void;
  /** The commit queue for the records of an object. Objects in one database share one. */
  commitsOf(owner: Owner): CommitQueue;
  fenceOf(owner: Owner): Fence;
  /** Resolves when everything appended before is durable, rejects if it cannot be. */
  flush(): Promise<void>;
  /** Resolves if writes are accepted; rejects with the reason if they are not. */
  probe(): Promise<void>;
  /** Begins to answer calls of other hosts. */
  serve(service: ClusterService): void;
  /** Returns the entry that answers the calls of one stub of an object, in whichever process the object is. */
  route(object: RoutedObject): LinkEntry;
  /** Waits while another process that may be alive has the object; rejects if it is not released in time. */
  claim(owner: Owner): Promise<ObjectClaim>;

  recordedClasses(): Promise<Map<string, RecordedClass>>;
  recordClass(key: string, name: string): Promise<number>;
  /** The objects of a class that have stored something. */
  listObjects(classNumber: number): AsyncGenerator<ObjectFacts>;
  factsOf(owner: Owner): Promise<ObjectFacts | undefined>;
  listAlarms(): AsyncGenerator<readonly [owner: Owner, time: number]>;
  /** Alarms due by this time without a responsible living process, earliest first; of many, not all. */
  findOrphanAlarms(dueBy: number): Promise<Array<readonly [owner: Owner, time: number]>>;

  /** The earliest time among the clocks of the databases that respond. */
  readTime(): Promise<number>;
  /** The days whose records are all older than `time`, oldest first. */
  listDaysBefore(time: number): Promise<LogDay[]>;
  /** The objects that still need a day, with their last record of it. */
  listUnsettled(day: LogDay): AsyncGenerator<{ readonly owner: Owner; readonly last: Position }>;
  /** Drops a day that no object needs; returns whether it could. */
  dropDay(day: LogDay): Promise<boolean>;

  /** Claims no more objects if another host can take them. Returns whether one can. */
  beginLeaving(): Promise<boolean>;
  /** Resolves when no calls come through this host any more, or after a time limit. */
  endLeaving(): Promise<void>;
  /** Releases the objects, once everything appended is durable or has failed. */
  leave(): Promise<void>;
}
