/** The options of hosts, checked before anything is started: not every caller has a type checker. */
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log, VirtualClock } from '#base';
import type { EndReason } from '#processes';
import type { RpcTarget } from '#rpc';
import type { HostOptions } from './host.ts';
import { hostsMax } from './limits.ts';

export interface ObjectHostsOptions extends HostOptions {
  /** Where everything is stored. Created if missing; one runtime at a time. */
  readonly directory: string;
  /** The number of processes. */
  readonly hosts: number;
  /** The path or `file:` URL of a module that exports `classes`, and `createEnv` if objects need an `env` of their own. */
  readonly module: string | URL;
  /** Passed to the functions of the module; any cloneable value. */
  readonly data?: unknown;
  /**
   * Whether the module has classes. Without any, in a directory that never had an object, the hosts start only when
   * they are first needed.
   */
  readonly hasClasses?: boolean;
  /** The targets in this process that code in the hosts can call: `createEnv` gets stubs from `service(name)`. */
  readonly services?: Readonly<Record<string, RpcTarget>>;
  /** A clock that tests control: it also controls that of each host. */
  readonly clock?: VirtualClock;
  /** CPU time that one event may take without a pause, 30 seconds by default. */
  readonly cpuMsMax?: number;
  /**
   * CPU time that one statement of an object's SQL may take, a second by default; by the clock, three times as long.
   * Then its host is killed, because SQLite cannot be interrupted, and the object is paused.
   */
  readonly statementMsMax?: number;
  /** The JavaScript heap of each host, 1 GiB by default. */
  readonly heapBytesMax?: number;
  /** The total memory of each host, databases included; 2 GiB by default. */
  readonly residentBytesMax?: number;
  /** Receives warnings and the ends of hosts; `console.error` by default. */
  readonly log?: Log;
  /** Where the output of hosts goes: into the log (default), or to the output of this process. */
  readonly output?: 'log' | 'inherit';
  /** Called for each process of a host that has ended, whether requested or not. */
  readonly onEnd?: (reason: EndReason) => void;
}

export function checkOptions(options: ObjectHostsOptions): void {
  const { directory, hosts, module } = options;
  const { cpuMsMax, statementMsMax, heapBytesMax, residentBytesMax } = options;
  if (typeof directory !== 'string' || directory === '')
    throw new TypeError(`directory must be a path: ${String(directory)}`);
  if (!Number.isInteger(hosts) || hosts < 1 || hosts > hostsMax)
    throw new RangeError(`hosts must be a whole number from 1 to ${hostsMax}: ${String(hosts)}`);
  toUrl(module);
  for (const [name, value] of Object.entries({ cpuMsMax, statementMsMax, heapBytesMax, residentBytesMax })) {
    if (value !== undefined && !(value > 0))
      throw new RangeError(`${name} must be more than 0: ${String(value)}`);
  }
}

export function toUrl(module: string | URL): string {
  const text = String(module);
  if (text.startsWith('file:')) return text;
  if (isAbsolute(text)) return pathToFileURL(text).href;
  throw new TypeError(
    `module must be an absolute path or a file: URL, such as new URL('./objects.js', import.meta.url): ${text}`,
  );
}

/** The options passed to each host, without those that are not set. */
export function pickHostOptions(options: HostOptions): HostOptions {
  const { durability, limits, retentionMs, idleMs, segmentBytes } = options;
  return {
    ...(durability === undefined ? {} : { durability }),
    ...(limits === undefined ? {} : { limits }),
    ...(retentionMs === undefined ? {} : { retentionMs }),
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(segmentBytes === undefined ? {} : { segmentBytes }),
  };
}
