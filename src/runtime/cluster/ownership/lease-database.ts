/**
 * What leases, claims and commits need of a database. Each function is one statement, and says by a `DatabaseError` whether
 * it is certain that nothing was done.
 */
import type { LogDay } from '#objects';

/** Bytes as a binary string: a class and an id. */
export type ObjectKey = string;

export interface HostSeen {
  readonly id: string;
  readonly beat: number;
  readonly leaseMs: number;
  /** Whether its lease is over by the clock of the database. */
  readonly isOver: boolean;
  readonly address: string;
  /** How many objects it has. */
  readonly load: number;
  /** Whether it hands over its objects, and takes no others. */
  readonly isLeaving: boolean;
  /** For how long it has computed without answering anybody, as of its last beat. */
  readonly busyMs: number;
}

/** What a host says of itself with each beat. */
export interface HostReport extends Pick<HostSeen, 'leaseMs' | 'load' | 'isLeaving'> {
  /** Whether it wants to hear of the others. */
  readonly isLooking: boolean;
}

export interface NewHost {
  readonly id: string;
  readonly leaseMs: number;
  readonly address: string;
}

export type ClaimAnswer =
  | {
      readonly result: 'claimed';
      readonly epoch: number;
      /** The newest record, and the epoch it was written in. */
      readonly sequence: number;
      readonly wrote: number;
      readonly checkpoint: StoredCheckpoint | undefined;
    }
  /** A host that was not declared dead has it. */
  | { readonly result: 'elsewhere'; readonly host: string; readonly beat: number; readonly leaseMs: number }
  /** The lease of this host is over. */
  | { readonly result: 'unleased' };

export interface StoredCheckpoint {
  readonly sequence: number;
  readonly floor: number;
  readonly time: number;
  readonly entry: Uint8Array;
}

/** One record of one object. */
export interface Write {
  readonly object: ObjectKey;
  readonly epoch: number;
  readonly sequence: number;
  readonly time: number;
  readonly payload: Uint8Array;
  readonly name: string | undefined;
  readonly alarm: number | null | undefined;
}

export interface CommitAnswer {
  /** Whether the lease of the host held, by the clock of the database. */
  readonly isLeased: boolean;
  /** For each write whether it was done. */
  readonly done: readonly boolean[];
}

export interface LeaseDatabase {
  join(host: NewHost): Promise<void>;
  /** Renews the lease. Answers the other hosts that were not declared dead, if it is asked to. */
  beat(id: string, report: HostReport): Promise<HostSeen[] | 'renewed' | 'declared dead'>;
  /** Declares a host dead whose lease is over and whose beat is still this one. */
  bury(id: string, beat: number): Promise<boolean>;
  /** The host lets go of everything. */
  leave(id: string): Promise<void>;
  claim(host: string, object: ObjectKey): Promise<ClaimAnswer>;
  /** Writes of different objects, in the order of their keys. Each is done only if its epoch and sequence are next. */
  commit(host: string, day: LogDay, writes: readonly Write[]): Promise<CommitAnswer>;
  createDay(day: LogDay): Promise<void>;
}
