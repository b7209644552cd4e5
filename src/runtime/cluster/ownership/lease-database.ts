/**
 * What leases, claims and commits need of a database. Each function is one statement, and reports by a `DatabaseError`
 * whether it is certain that nothing was done.
 */
import type { LogDay } from '#objects';

/** Bytes as a binary string: a class and an id. */
export type ObjectKey = string;

export interface HostSeen {
  readonly id: string;
  readonly beat: number;
  readonly leaseMs: number;
  /** Whether its lease has expired by the clock of the database. */
  readonly isOver: boolean;
  readonly address: string;
  /** How many objects it has. */
  readonly load: number;
  /** Whether it is handing over its objects, and accepts no others. */
  readonly isLeaving: boolean;
  /** How long it has been computing without processing events, as of its last beat. */
  readonly busyMs: number;
}

/** What a host reports with each beat. */
export interface HostReport extends Pick<HostSeen, 'leaseMs' | 'load' | 'isLeaving'> {
  /** Whether it requests the list of the other hosts. */
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
  /** A host that is not declared dead has it. */
  | { readonly result: 'elsewhere'; readonly host: string; readonly beat: number; readonly leaseMs: number }
  /** The lease of this host has expired. */
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
  /** Whether the lease of the host was valid, by the clock of the database. */
  readonly isLeased: boolean;
  /** For each write, whether it was done. */
  readonly done: readonly boolean[];
}

export interface LeaseDatabase {
  join(host: NewHost): Promise<void>;
  /** Renews the lease. Returns the other hosts that are not declared dead, if requested. */
  beat(id: string, report: HostReport): Promise<HostSeen[] | 'renewed' | 'declared dead'>;
  /** Declares a host dead if its lease has expired and its beat is unchanged. */
  bury(id: string, beat: number): Promise<boolean>;
  /** Releases everything of the host. */
  leave(id: string): Promise<void>;
  claim(host: string, object: ObjectKey): Promise<ClaimAnswer>;
  /** Writes of different objects, in the order of their keys. Each is done only if its epoch and sequence fit. */
  commit(host: string, day: LogDay, writes: readonly Write[]): Promise<CommitAnswer>;
  createDay(day: LogDay): Promise<void>;
}
