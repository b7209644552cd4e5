/** What the control plane asks of the cluster that its objects are in. */
import type { Timer } from '#base';
import type { DatabaseLog } from '#events';
import type { ClusterPort } from '#objects';

/** A clock that never goes back, and that goes on while this process is stopped or the machine sleeps. */
export interface SteadyClock {
  now(): number;
  setTimer(delayMs: number, callback: () => void): Timer;
}

export interface ControlCluster extends ClusterPort {
  /** This host; another id after it was taken for dead. */
  readonly hostId: string;
  /** The other hosts, as they were seen last. */
  readonly otherHosts: readonly string[];
  /** Looks which there are. */
  lookForHosts(): Promise<void>;
  readonly clock: SteadyClock;
  /** Lets other hosts call something of this process by a name. */
  offer(name: string, target: object): void;
  /** A stub of what another host offers under this name. */
  findOffer(host: string, name: string): Promise<unknown>;
  /** The log of a zone. From now on, no host that took it before can write to it. */
  takeLog(name: string): Promise<DatabaseLog>;
  /** A key that every host of this cluster derives. */
  deriveKey(purpose: string): Buffer;
}
