/** The options of a runtime, checked before anything is opened or made on disk: not every caller has a type checker. */
import type { Clock } from '#base';
import type { FileSystem } from '#files';
import type { ClassOptions } from './classes.ts';
import type { ClusterPort } from './clustered/cluster-port.ts';
import type { ObjectLimits } from './limits.ts';
import type { PausedObject } from './live/paused-objects.ts';
import type { Simulation } from './memory/simulation.ts';

export interface RuntimeOptions {
  /**
   * Where everything is stored. Created if missing; one runtime at a time. With a cluster it contains only files that
   * the runtime needs while it is open.
   */
  readonly directory: string;
  /** Stores the objects in a cluster: the result of `joinCluster`. The runtime leaves it when it is closed. */
  readonly cluster?: ClusterPort;
  /** The classes of the objects, or `recorded` to open a directory without their code: nothing wakes, no alarm fires. */
  readonly classes: Readonly<Record<string, ClassOptions>> | 'recorded';
  /** @internal Opens the classes without waking anything, as `recorded` does: their code is a placeholder. */
  readonly isAsleep?: boolean;
  /** What objects get as `env`. Read when an object is constructed, so it may be filled later. */
  readonly env?: unknown;
  /** What objects get as `ctx.exports`: the entry points of their module. */
  readonly exports?: object;
  /** A `VirtualClock` lets tests control time. */
  readonly clock?: Clock;
  /** `disk` (default): acknowledged writes survive a power cut. `os`: they survive only a crash of the process. */
  readonly durability?: 'disk' | 'os';
  readonly limits?: Partial<ObjectLimits>;
  /** Objects that are not woken during their pause, even if called. Other code (`replaceClasses`) ends the pauses. */
  readonly paused?: readonly PausedObject[];
  /** How far back recovery reaches, 30 days by default. */
  readonly retentionMs?: number;
  /** How long an object with nothing to do stays in memory, 10 seconds by default. */
  readonly idleMs?: number;
  /** Receives warnings; `console.error` by default. */
  readonly log?: (message: string, error?: unknown) => void;
  /**
   * Opens a directory although older files of its log are damaged or missing, to inspect and export what is left: for
   * `classes: 'recorded'`. Reading a damaged part fails.
   */
  readonly salvage?: boolean;
  /** @internal Stores the objects in memory, and lets a simulator control everything that happens. */
  readonly simulation?: Simulation;
  /** @internal Tests replace the disk. */
  readonly fs?: FileSystem;
  /** @internal Tests make the journal files small, to get many of them. */
  readonly segmentBytes?: number;
}

export function checkOptions(options: RuntimeOptions): void {
  if (!isObject(options)) throw wrong('options', 'an object such as { directory, classes }', options);
  const { directory, cluster, classes, clock, durability, limits, log } = options;
  if (typeof directory !== 'string' || directory === '') throw wrong('directory', 'a path', directory);
  if (cluster !== undefined && typeof cluster?.claim !== 'function')
    throw wrong('cluster', 'what joinCluster() answers', cluster);
  if (!isObject(classes) && classes !== 'recorded')
    throw wrong('classes', 'an object such as { Counter: { class: Counter } }', classes);
  if (clock !== undefined && typeof clock?.now !== 'function') throw wrong('clock', 'a VirtualClock', clock);
  if (durability !== undefined && durability !== 'disk' && durability !== 'os')
    throw wrong('durability', "'disk' or 'os'", durability);
  if (limits !== undefined && !isObject(limits)) throw wrong('limits', 'an object', limits);
  if (log !== undefined && typeof log !== 'function') throw wrong('log', 'a function', log);
  for (const name of ['retentionMs', 'idleMs'] as const) {
    const value = options[name] ?? 0;
    if (typeof value !== 'number' || !(value >= 0))
      throw new RangeError(`${name} must be a number of milliseconds, zero or more: ${String(value)}`);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function wrong(name: string, expected: string, given: unknown): TypeError {
  return new TypeError(`${name} must be ${expected}: ${isObject(given) ? 'an object' : String(given)}`);
}
