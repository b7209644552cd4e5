/**
 * The capacity of one host and one database, and the consequences for many. Times are seconds of one processor core.
 * The source of a figure is noted beside it; docs/operate/cluster.md shows the results.
 */

import { hostsSeenEachBeatMax } from '../../../src/runtime/cluster/limits.ts';

export interface Machine {
  /** A call that writes, at its host. `npm run bench -- --only cluster`, and docs/operate/cluster.md. */
  readonly hostCall: number;
  /** A call that only reads, at its host. */
  readonly hostRead: number;
  /** A commit in a statement with many others, at the database. */
  readonly databaseCommit: number;
  /** Claiming an object and reading it. */
  readonly databaseClaim: number;
  readonly hostClaim: number;
  /**
   * Renewing a lease, and each host that the response lists; the same for the host that reads them, for all databases.
   */
  readonly databaseBeat: number;
  readonly databaseBeatRow: number;
  readonly hostBeat: number;
  readonly hostBeatRow: number;
  readonly databaseCores: number;
  /** There and back, with the sync to disk and to the standby. */
  readonly commitTrip: number;
  readonly leaseSeconds: number;
  readonly beatsPerLease: number;
  /** Of a host, for each database. */
  readonly connections: number;
}

export const measured: Machine = {
  hostCall: 110e-6,
  hostRead: 15e-6,
  databaseCommit: 50e-6,
  databaseClaim: 300e-6,
  hostClaim: 300e-6,
  databaseBeat: 130e-6,
  databaseBeatRow: 1.7e-6,
  hostBeat: 165e-6,
  hostBeatRow: 3.5e-6,
  databaseCores: 4,
  commitTrip: 1.5e-3,
  leaseSeconds: 2,
  beatsPerLease: 4,
  connections: 6,
};

/** How much of its time a database spends on leases; beyond 1 it cannot keep up. */
export function beatShare(machine: Machine, hosts: number): number {
  const { beatsPerLease, databaseBeat, databaseBeatRow, databaseCores, leaseSeconds } = machine;
  const beats = (hosts * beatsPerLease) / leaseSeconds;
  const looks = hosts <= hostsSeenEachBeatMax ? beats : hosts / leaseSeconds;
  return (beats * databaseBeat + looks * hosts * databaseBeatRow) / databaseCores;
}

/** Commits a second that a database can do beside its leases. */
export function commitsOf(machine: Machine, hosts: number): number {
  const { databaseCommit, databaseCores } = machine;
  return Math.max(0, ((1 - beatShare(machine, hosts)) * databaseCores) / databaseCommit);
}

/** The most hosts that leave a database a share of its time. */
export function hostsWithin(machine: Machine, share: number): number {
  let hosts = 1;
  while (beatShare(machine, hosts + 1) <= share) hosts++;
  return hosts;
}
