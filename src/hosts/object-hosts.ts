/**
 * A runtime whose objects live in several processes.
 *
 * Promises:
 * - an object is in one host, by its id, and everything of one runtime is true of it there;
 * - a host that is held by an event beyond its CPU time, that needs too much memory or that ends by itself is replaced;
 *   its objects start again from its journal, whoever waited for them gets the error of a reset, and the others go on;
 * - no host outlives this process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Log, createLog } from '#base';
import type { DurableObjectNamespace, RuntimeOptions } from '#objects';
import { ChildProcess, SupervisedProcess } from '#processes';
import type { HostSetup } from './host.ts';
import { claimDirectory, hostDirectory } from './layout.ts';
import { closeMs, cpuMsDefault, heapBytesDefault, hostsMax, silentMsMax } from './limits.ts';
import { type HostedClass, Router } from './router.ts';

export interface ObjectHostsOptions extends Pick<
  RuntimeOptions,
  'directory' | 'durability' | 'limits' | 'retentionMs' | 'idleMs'
> {
  /** How many processes. A directory keeps the number it was made with. */
  readonly hosts: number;
  /** The path or `file:` URL of a module that exports `classes`, and `createEnv` if objects need an `env` of their own. */
  readonly module: string | URL;
  /** Passed to the functions of the module; anything that can be cloned. */
  readonly data?: unknown;
  /** CPU time that one event may take without a pause, 30 seconds by default. */
  readonly cpuMsMax?: number;
  /** What JavaScript may hold in each host, 1 GiB by default. */
  readonly heapBytesMax?: number;
  /** Where warnings and the ends of hosts go; `console.error` by default. */
  readonly log?: Log;
}

/** Starts the hosts; resolves when all of them serve. */
export async function createHosts(options: ObjectHostsOptions): Promise<ObjectHosts> {
  checkOptions(options);
  return await ObjectHosts.open(options);
}

export class ObjectHosts implements AsyncDisposable {
  readonly #sockets: string;
  readonly #processes: readonly SupervisedProcess[];
  #router!: Router;
  #closing: Promise<void> | undefined;

  private constructor(sockets: string, processes: readonly SupervisedProcess[]) {
    this.#sockets = sockets;
    this.#processes = processes;
  }

  /** @internal */
  static async open(options: ObjectHostsOptions): Promise<ObjectHosts> {
    const { directory, hosts: count, log = defaultLog() } = options;
    claimDirectory(directory, count);
    // In a folder that only this user can enter, and whose path is short enough for a socket.
    const sockets = mkdtempSync(join(tmpdir(), 'gatehouse-'));
    const processes = Array.from({ length: count }, (_, host) =>
      startHost({ ...options, log, sockets }, host),
    );
    const hosts = new ObjectHosts(sockets, processes);
    try {
      const [classes] = (await Promise.all(processes.map(({ firstReady }) => firstReady))) as [
        readonly HostedClass[],
      ];
      hosts.#router = new Router({ sockets, hosts: count, classes });
      return hosts;
    } catch (error) {
      await hosts.close();
      throw error;
    }
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  namespace<T = any>(className: string): DurableObjectNamespace<T> {
    return this.#router.namespace<T>(className);
  }

  get classNames(): string[] {
    return this.#router.classNames;
  }

  /** The process of each host, as far as it runs. */
  get pids(): readonly (number | undefined)[] {
    return this.#processes.map(({ child }) => child?.pid);
  }

  /** Makes everything durable and ends the hosts. Calls in progress get an error. A host that does not stop is ended. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    await Promise.all(this.#processes.map((each) => each.stop({ graceMs: closeMs })));
    this.#router?.[Symbol.dispose]();
    rmSync(this.#sockets, { recursive: true, force: true });
  }
}

function startHost(
  options: ObjectHostsOptions & { readonly log: Log; readonly sockets: string },
  host: number,
): SupervisedProcess {
  const { directory, hosts, module, data, sockets, log } = options;
  const { durability, limits, retentionMs, idleMs } = options;
  const setup: Omit<HostSetup, 'log'> = {
    directory: hostDirectory(directory, host),
    sockets,
    host,
    hosts,
    module: toUrl(module),
    data,
    options: {
      ...(durability === undefined ? {} : { durability }),
      ...(limits === undefined ? {} : { limits }),
      ...(retentionMs === undefined ? {} : { retentionMs }),
      ...(idleMs === undefined ? {} : { idleMs }),
    },
  };
  return new SupervisedProcess({
    log,
    start: () =>
      new ChildProcess({
        name: `object host ${host}`,
        module: new URL(`./host-process${extname(import.meta.filename)}`, import.meta.url),
        setup,
        log,
        stuckMs: options.cpuMsMax ?? cpuMsDefault,
        silentMs: silentMsMax,
        heapBytesMax: options.heapBytesMax ?? heapBytesDefault,
      }),
  });
}

function checkOptions({ directory, hosts, module, cpuMsMax, heapBytesMax }: ObjectHostsOptions): void {
  if (typeof directory !== 'string' || directory === '')
    throw new TypeError(`directory must be a path: ${String(directory)}`);
  if (!Number.isInteger(hosts) || hosts < 1 || hosts > hostsMax)
    throw new RangeError(`hosts must be a whole number from 1 to ${hostsMax}: ${String(hosts)}`);
  toUrl(module);
  for (const [name, value] of Object.entries({ cpuMsMax, heapBytesMax })) {
    if (value !== undefined && !(value > 0))
      throw new RangeError(`${name} must be more than 0: ${String(value)}`);
  }
}

function toUrl(module: string | URL): string {
  const text = String(module);
  if (text.startsWith('file:')) return text;
  if (isAbsolute(text)) return pathToFileURL(text).href;
  throw new TypeError(
    `module must be an absolute path or a file: URL, such as new URL('./objects.js', import.meta.url): ${text}`,
  );
}

function defaultLog(): Log {
  return createLog({ level: 'warn', format: 'text', write: (line) => process.stderr.write(line) });
}
