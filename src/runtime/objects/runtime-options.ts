/** The options of a runtime, checked before anything is opened or made on disk: not every caller has a type checker. */
import type { Clock, FileSystem } from '#base';
import type { ClassOptions } from './classes.ts';
import type { ClusterPort } from './clustered/cluster-port.ts';
import type { ObjectLimits } from './limits.ts';
import type { PausedObject } from './live/paused-objects.ts';
import type { Simulation } from './memory/simulation.ts';

export interface RuntimeOptions {
  /**
   * Where everything is kept. Made if missing; one runtime at a time. With a cluster it holds only files that the runtime
   * needs while it is open.
   */
  readonly directory: string;
  /** Keeps the objects in a cluster: what `joinCluster` answers. The runtime leaves it when it is closed. */
  readonly cluster?: ClusterPort;
  /** The classes of the objects, or `recorded` to open a directory without their code: nothing wakes, no alarm fires. */
  readonly classes: Readonly<Record<string, ClassOptions>> | 'recorded';
  /** @internal Opens the classes without waking anything, as `recorded` does: their code only stands for it. */
  readonly isAsleep?: boolean;
  /** What objects get as `env`. Read when an object is constructed, so it may be filled later. */
  readonly env?: unknown;
  /** What objects get as `ctx.exports`: the entry points of their module. */
  readonly exports?: object;
  /** A `VirtualClock` lets tests hold time in their hand. */
  readonly clock?: Clock;
  /** `disk` (default): what was acknowledged survives a power cut. `os`: it survives a crash of the process only. */
  readonly durability?: 'disk' | 'os';
  readonly limits?: Partial<ObjectLimits>;
  /** Objects that are not woken before their time, though they are called. Other code (`replaceClasses`) ends that. */
  readonly paused?: readonly PausedObject[];
  /** How far back recovery reaches, 30 days by default. */
  readonly retentionMs?: number;
  /** How long an object with nothing to do stays in memory, 10 seconds by default. */
  readonly idleMs?: number;
  /** Where warnings go; `console.error` by default. */
  readonly log?: (message: string, error?: unknown) => void;
  /**
   * Opens a directory although older files of its log are damaged or missing, to look at what is left and to take it
   * out: for `classes: 'recorded'`. What cannot be read fails when it is asked for.
   */
  readonly salvage?: boolean;
  /** @internal Keeps the objects in memory, with everything that happens in the hands of a simulator. */
  readonly simulation?: Simulation;
  /** @internal Tests replace the disk. */
  readonly fs?: FileSystem;
  /** @internal Tests make the files of the journal small, to see many of them. */
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
