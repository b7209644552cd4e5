import type { Clock } from '#base';
import type { HostsPlace, ObjectHostsOptions } from '#hosts';
import type { ClusterPort, PausedObject } from '#objects';
import type { WorkerExports } from './entry.ts';
import type { BuiltProject, ProjectSource } from './project.ts';

export interface WorkerOptions extends ProjectSource {
  /** The directory of the objects; by default `.gatehouse/state` beside the configuration. */
  readonly directory?: string | undefined;
  readonly durability?: 'disk' | 'os' | undefined;
  /** How far back recovery reaches. */
  readonly retentionMs?: number;
  /** The result of an earlier build; the project is then not read. */
  readonly built?: readonly BuiltProject[];
  /** How long the modules may take to run for the first time; by default `loadMsMaxDefault`. */
  readonly loadMsMax?: number;
  /** Called when the modules start to run for the first time, and disposed when they have run. */
  readonly limitLoad?: () => Disposable;
  /** Called when the code is loaded; the objects are opened once it resolves. */
  readonly onLoaded?: (exports: WorkerExports) => Promise<void>;
  /** The clock of `Date`, alarms and the timers of objects; the real one by default. */
  readonly clock?: Clock | undefined;
  /** Whether to reload the code when one of its files changes. */
  readonly watch?: boolean;
  /** Joins the cluster that stores the objects; without it they are in the directory. */
  readonly joinCluster?: (() => Promise<ClusterPort>) | undefined;
  /**
   * Whether `scheduled()` is called at the times of the cron expressions. By default only if the clock is virtual: as
   * under Wrangler, a developer fires such events by hand.
   */
  readonly firesCrons?: boolean | undefined;
  /** When the previous process with these crons ended: crons that were due since then are due at once. */
  readonly cronsSince?: () => number | undefined;
  /** The processes of the objects; by default, they live in this one. */
  readonly hosts?: WorkerHosts | undefined;
  /** The stores of the account that the Worker belongs to; without it, its bindings have their own objects. */
  readonly stores?: HostsPlace | undefined;
  /** The folder of the sockets between the Workers of the account; without it, there are no other Workers. */
  readonly neighbours?: { readonly folder: string } | undefined;
  /** Objects that crashed the previous process, if they live in this one. */
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

/** Receives the events of a Worker. */
export interface WorkerLog {
  info(text: string): void;
  warn(text: string): void;
  /** `during` describes the failed action, if the error itself does not. */
  error(error: unknown, during?: string): void;
}
