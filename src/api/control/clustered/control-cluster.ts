/** What the control plane needs from the cluster that its objects are in. */
import type { Timer } from '#base';
import type { DatabaseLog } from '#events';
import type { ClusterPort } from '#objects';

/** A monotonic clock that continues while this process is stopped or the machine sleeps. */
export interface SteadyClock {
  now(): number;
  setTimer(delayMs: number, callback: () => void): Timer;
}

export interface ControlCluster extends ClusterPort {
  /** This host; it gets another id after it was presumed dead. */
  readonly hostId: string;
  /** The other hosts, as of the last look. */
  readonly otherHosts: readonly string[];
  /** Updates the list of hosts. */
  lookForHosts(): Promise<void>;
  readonly clock: SteadyClock;
  /** Makes an object of this process callable by other hosts, under a name. */
  offer(name: string, target: object): void;
  /** A stub of the object that another host offers under this name. */
  findOffer(host: string, name: string): Promise<unknown>;
  /** The log of a zone. From now on, no host that opened it earlier can write to it. */
  takeLog(name: string): Promise<DatabaseLog>;
  /** A key that every host of this cluster derives. */
  deriveKey(purpose: string): Buffer;
}
