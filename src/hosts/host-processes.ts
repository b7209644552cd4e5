/** The processes of all hosts: started, kept running, and asked to stop. */
import { extname, join } from 'node:path';
import type { Log } from '#base';
import type { RuntimeStats } from '#objects';
import { ChildProcess, SupervisedProcess, type SupervisedState } from '#processes';
import type { HostSetup } from './host.ts';
import { type Layout, folderOf } from './layout.ts';
import {
  closeMs,
  cpuMsDefault,
  heapBytesDefault,
  residentBytesDefault,
  semiSpaceBytesMax,
  silentMsMax,
} from './limits.ts';
import { HostStats } from './operator/host-stats.ts';
import { type ObjectHostsOptions, pickHostOptions, toUrl } from './options.ts';
import type { HostedClass } from './router.ts';

export interface HostProcessesOptions extends ObjectHostsOptions {
  readonly log: Log;
  readonly sockets: string;
  readonly layout: Layout;
}

interface ReadyValue {
  readonly classes: readonly HostedClass[];
  readonly stats: RuntimeStats;
}

export class HostProcesses {
  /** Passed to the module by the processes that start from now on. */
  data: unknown;
  readonly #options: HostProcessesOptions;
  readonly #stats: readonly HostStats[];
  readonly #processes: readonly SupervisedProcess[];

  constructor(options: HostProcessesOptions) {
    this.#options = options;
    this.data = options.data;
    const hosts = Array.from({ length: options.layout.hosts }, (_, host) => host);
    this.#stats = hosts.map(() => new HostStats());
    this.#processes = hosts.map((host) => this.#supervise(host));
  }

  /** Resolves to the classes when all hosts serve; rejects if the first process of one does not. */
  get ready(): Promise<readonly HostedClass[]> {
    return Promise.all(this.#processes.map(({ firstReady }) => firstReady)).then(
      ([first]) => (first as ReadyValue).classes,
    );
  }

  get states(): readonly SupervisedState[] {
    return this.#processes.map(({ state }) => state);
  }

  statsOf(host: number): RuntimeStats {
    return this.#stats[host]!.now;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((each) => each.stop({ graceMs: closeMs })));
  }

  #supervise(host: number): SupervisedProcess {
    const stats = this.#stats[host]!;
    return new SupervisedProcess({
      log: this.#options.log,
      isFirstNeeded: true,
      start: () => this.#start(host),
      onEnd: (_child, reason) => this.#options.onEnd?.(reason),
      onReady: (child, value) => stats.take(child.pid, (value as ReadyValue).stats),
    });
  }

  #start(host: number): ChildProcess {
    const { log, output = 'log', cpuMsMax, heapBytesMax, residentBytesMax } = this.#options;
    const child = new ChildProcess({
      name: `object host ${host}`,
      module: new URL(`./host-process${extname(import.meta.filename)}`, import.meta.url),
      setup: this.#setupOf(host),
      log,
      output,
      stuckMs: cpuMsMax ?? cpuMsDefault,
      silentMs: silentMsMax,
      heapBytesMax: heapBytesMax ?? heapBytesDefault,
      semiSpaceBytesMax,
      residentBytesMax: residentBytesMax ?? residentBytesDefault,
      onMessage: (body) => this.#stats[host]!.take(child.pid, (body as ReadyValue).stats),
    });
    return child;
  }

  #setupOf(host: number): Omit<HostSetup, 'log'> {
    const { directory, layout, module, sockets, clock } = this.#options;
    return {
      directory: join(directory, folderOf(layout, host)),
      sockets,
      host,
      hosts: layout.hosts,
      module: toUrl(module),
      data: this.data,
      options: pickHostOptions(this.#options),
      virtualTime: clock?.now(),
    };
  }
}
