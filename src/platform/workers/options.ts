import type { Clock } from '#base';
import type { HostsPlace, ObjectHostsOptions } from '#hosts';
import type { ClusterPort, PausedObject } from '#objects';
import type { WorkerExports } from './entry.ts';
import type { BuiltProject, ProjectSource } from './project.ts';

export interface WorkerOptions extends ProjectSource {
  /** Where the objects live; by default `.gatehouse/state` beside the configuration. */
  readonly directory?: string | undefined;
  readonly durability?: 'disk' | 'os' | undefined;
  /** How far back recovery reaches. */
  readonly retentionMs?: number;
  /** What was built before; the project is not read then. */
  readonly built?: readonly BuiltProject[];
  /** How long the modules may take to run for the first time; by default `loadMsMaxDefault`. */
  readonly loadMsMax?: number;
  /** Called when the modules begin to run for the first time, and disposed of when they have run. */
  readonly limitLoad?: () => Disposable;
  /** Called when the code is loaded; the objects are opened when it resolves. */
  readonly onLoaded?: (exports: WorkerExports) => Promise<void>;
  /** Where `Date`, alarms and the timers of objects take their time from; the real one by default. */
  readonly clock?: Clock | undefined;
  /** Whether to load the code again when one of its files changes. */
  readonly watch?: boolean;
  /** Joins the cluster that keeps the objects; without it they are in the directory. */
  readonly joinCluster?: (() => Promise<ClusterPort>) | undefined;
  /**
   * Whether `scheduled()` is called when the time of a cron expression has come. By default only if the clock is virtual: as
   * under Wrangler, a developer fires such events by hand.
   */
  readonly firesCrons?: boolean | undefined;
  /** When a process before this one, whose crons these were, has ended: what was due since then is due at once. */
  readonly cronsSince?: () => number | undefined;
  /** The processes in which the objects live; in this one by default. */
  readonly hosts?: WorkerHosts | undefined;
  /** The stores of the account that the Worker belongs to; without it, its bindings have objects of their own. */
  readonly stores?: HostsPlace | undefined;
  /** Where the other Workers of the account are reached, and this one by them; without it, there are none. */
  readonly neighbours?: { readonly folder: string } | undefined;
  /** Objects that ended the process before this one, if they live in this one. */
  readonly paused?: readonly PausedObject[];
  /** The name of the socket for operators in the directory. */
  readonly operatorSocket?: string;
  readonly log: WorkerLog;
}

export interface WorkerHosts extends Pick<
  ObjectHostsOptions,
  'module' | 'cpuMsMax' | 'statementMsMax' | 'heapBytesMax' | 'log'
> {
  /** Its module exports what `exportWorkerObjects` returns. */
  readonly count: number;
  /** Passed to the module, with the modules of the Workers. */
  readonly data: object;
}

/** Who wants to know what happens to a Worker. */
export interface WorkerLog {
  info(text: string): void;
  warn(text: string): void;
  /** `during` says what failed, if the error itself does not. */
  error(error: unknown, during?: string): void;
}
