/** The processes of all hosts: starts them, keeps them running, and stops them. */
import { extname, join } from 'node:path';
import type { Log } from '#base';
import type { RuntimeStats } from '#objects';
import {
  ChildProcess,
  type EndReason,
  SupervisedProcess,
  type SupervisedState,
  describeEnd,
} from '#processes';
import { type Address, toCallerError } from '#rpc';
import type { HostSetup } from './host.ts';
import { type Layout, folderOf } from './layout.ts';
import {
  closeMs,
  cpuMsDefault,
  heapBytesDefault,
  messageBytesMax,
  residentBytesDefault,
  semiSpaceBytesMax,
  silentMsMax,
  statementMsDefault,
} from './limits.ts';
import { ObjectPauses, findCulprit } from './faults/object-pauses.ts';
import { HostStats } from './runtime/host-stats.ts';
import { readCounts, readReady } from './runtime/read-reports.ts';
import { type ObjectHostsOptions, pickHostOptions, toUrl } from './options.ts';
import type { HostedClass } from './host-router.ts';

export interface HostProcessesOptions extends ObjectHostsOptions {
  readonly log: Log;
  readonly sockets: string;
  readonly layout: Layout;
}

export class HostProcesses {
  #data: unknown;
  readonly #options: HostProcessesOptions;
  readonly #stats: readonly HostStats[];
  #processes: readonly SupervisedProcess[] = [];
  readonly #pauses = new ObjectPauses();
  /** Why the process of each host is being ended; undefined while it is not being ended. */
  readonly #faults = new Map<number, EndReason>();

  constructor(options: HostProcessesOptions) {
    this.#options = options;
    this.#data = options.data;
    this.#stats = Array.from({ length: options.layout.hosts }, () => new HostStats());
  }

  get isStarted(): boolean {
    return this.#processes.length > 0;
  }

  /**
   * Resolves to the classes when all hosts serve. With `isFirstNeeded`, a host whose first process fails is dropped.
   */
  async start({ isFirstNeeded }: { readonly isFirstNeeded: boolean }): Promise<readonly HostedClass[]> {
    this.#processes = this.#stats.map((_, host) => this.#supervise(host, isFirstNeeded));
    return await Promise.all(this.#processes.map(({ firstReady }) => firstReady)).then(
      ([first]) => readReady(first).classes,
    );
  }

  get states(): readonly SupervisedState[] {
    return this.#processes.map(({ state }) => state);
  }

  /** Sets the data for the module in processes that start from now on: the code changes, so pauses of objects end. */
  useData(data: unknown): void {
    this.#data = data;
    this.#pauses.clear();
  }

  /** The error for a caller of the object when the connection to its host has broken; undefined for the default. */
  explainLoss(host: number, address: Address): Error | undefined {
    const fault = this.#faults.get(host);
    return fault === undefined ? undefined : explainLoss(fault, address);
  }

  statsOf(host: number): RuntimeStats {
    return this.#stats[host]!.now;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((each) => each.stop({ graceMs: closeMs })));
  }

  #supervise(host: number, isFirstNeeded: boolean): SupervisedProcess {
    const stats = this.#stats[host]!;
    return new SupervisedProcess({
      log: this.#options.log,
      isFirstNeeded,
      start: () => this.#start(host),
      onEnd: (_child, reason) => this.#options.onEnd?.(reason),
      onReady: (child, value) => {
        this.#faults.delete(host);
        stats.take(child.pid, readReady(value).stats);
      },
    });
  }

  #start(host: number): ChildProcess {
    const { log, output = 'log', cpuMsMax, statementMsMax, heapBytesMax, residentBytesMax } = this.#options;
    const child = new ChildProcess({
      name: `object host ${host}`,
      module: new URL(`./host-process${extname(import.meta.filename)}`, import.meta.url),
      setup: this.#setupOf(host),
      log,
      output,
      stuckMs: cpuMsMax ?? cpuMsDefault,
      statementMs: statementMsMax ?? statementMsDefault,
      silentMs: silentMsMax,
      heapBytesMax: heapBytesMax ?? heapBytesDefault,
      semiSpaceBytesMax,
      residentBytesMax: residentBytesMax ?? residentBytesDefault,
      onKill: (reason) => this.#blame(host, reason),
      messageBytesMax,
      checkReady: readReady,
      onMessage: (body) => this.#stats[host]!.take(child.pid, readCounts(body)),
    });
    return child;
  }

  #blame(host: number, reason: EndReason): void {
    this.#faults.set(host, reason);
    const paused = this.#pauses.note(reason);
    if (paused === undefined) return;
    const { className, id, forMs } = paused;
    this.#options.log.error('an object is paused, because its process had to be ended', {
      class: className,
      id,
      forMs,
      reason: `calls to ${className} ${id} are refused for ${forMs / 1_000} s`,
    });
  }

  #setupOf(host: number): Omit<HostSetup, 'log'> {
    const { directory, layout, module, sockets, clock } = this.#options;
    return {
      directory: join(directory, folderOf(layout, host)),
      sockets,
      host,
      hosts: layout.hosts,
      module: toUrl(module),
      data: this.#data,
      options: pickHostOptions(this.#options),
      paused: this.#pauses.list(),
      virtualTime: clock?.now(),
    };
  }
}

/** Undefined if another object was the cause, or it is unknown: then callers get the error of a lost connection. */
function explainLoss(reason: EndReason, { className, id }: Address): Error | undefined {
  const culprit = findCulprit(reason);
  if (culprit === undefined || culprit.className !== className || culprit.id !== id) return undefined;
  const what =
    reason.kind === 'statement'
      ? 'Durable Object storage operation exceeded timeout which caused object to be reset.'
      : 'Durable Object exceeded its CPU time limit and was reset.';
  return toCallerError(new Error(`${what} Its process was ended: ${describeEnd(reason)}`), {
    durableObjectReset: true,
  });
}
