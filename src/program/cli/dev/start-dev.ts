/** Starts the Worker of `gatehouse dev` in this process. */
import { open as openInspector } from 'node:inspector';
import { extname } from 'node:path';
import { VirtualClock } from '#base';
import type { ClusterOptions } from '#cluster';
import { ObjectPauses } from '#hosts';
import type { PausedObject } from '#objects';
import type { EndReason, ParentLink } from '#processes';
import type { WorkerHosts } from '#workers';
import type { DevHostData } from './object-process.ts';
import { type ServedWorker, serveWorker } from '../serve-worker.ts';
import { debuggedMs } from './limits.ts';
import { createSupervisorLog, createTerminalLines } from '../terminal/lines.ts';

/** The settings of the command line, as they are passed between processes. */
export interface DevSetup {
  readonly host: string;
  readonly port: number;
  readonly readyFile: string | undefined;
  readonly durability: 'disk' | 'os' | undefined;
  /** The start of a virtual clock; undefined for the real one. */
  readonly clockStart: number | undefined;
  /** The port of the objects' page; undefined for no page. */
  readonly dashboardPort: number | undefined;
  readonly inspectPort: number | undefined;
  readonly format: 'json' | 'text';
  readonly requests: 'quiet' | 'shown';
  readonly path: string;
  readonly environment: string | undefined;
  /** Paths of Workers that run beside it. */
  readonly workers: readonly string[];
  readonly directory: string | undefined;
  readonly watch: boolean;
  /** The number of object processes; if 1, the objects live in that of the Worker. */
  readonly hosts: number;
  /** CPU time that an event may take in a host. */
  readonly cpuMs: number;
  /** CPU time that a SQL statement may take in an object. */
  readonly statementMs: number;
  /** The ends of earlier processes. */
  readonly ends: readonly { readonly reason: EndReason; readonly atMs: number }[];
  /** The JavaScript heap limit of a host. */
  readonly hostBytes: number;
  /**
   * The databases that store the objects, and the address at which other hosts reach those of this process; undefined
   * for none.
   */
  readonly cluster: { readonly url: string; readonly listen: Listen } | undefined;
}

type Listen = NonNullable<ClusterOptions['listen']>;

export async function startDev(parent: ParentLink, setup: DevSetup): Promise<ServedWorker> {
  const { host, port, readyFile, clockStart, inspectPort, format, requests } = setup;
  const { path, environment, workers, directory, watch, durability, dashboardPort, cluster, ends } = setup;
  const clock = clockStart === undefined ? undefined : new VirtualClock({ start: clockStart });
  // It prints its own address. A client that connects can run code, so it is never open to other machines.
  if (inspectPort !== undefined) openInspector(inspectPort, '127.0.0.1');
  const { warn } = createTerminalLines(format);
  // The code for databases is loaded only for a cluster, and before the Worker: the client library checks `navigator`,
  // and would treat this process as a Cloudflare Worker.
  const joinCluster = cluster && (await import('#cluster')).joinCluster;
  return await serveWorker({
    host,
    port,
    readyFile,
    dashboardPort,
    showErrors: true,
    log: { format, requests },
    clock,
    worker: {
      path,
      environment,
      workers,
      directory,
      watch,
      durability,
      paused: listPaused(ends),
      ...(inspectPort === undefined
        ? { loadMsMax: setup.cpuMs, limitLoad: () => parent.limitTurn(setup.cpuMs) }
        : { loadMsMax: debuggedMs }),
      hosts: describeObjectProcesses(setup),
      joinCluster: joinCluster && (() => joinCluster({ ...cluster, log: (message) => warn(message) })),
    },
    greeting: (url) =>
      clock === undefined
        ? `ready on ${url}`
        : `ready on ${url}\nit is ${new Date(clock.now()).toISOString()}; gatehouse clock advance 1h --url ${url} moves time`,
  });
}

function listPaused(ends: DevSetup['ends']): readonly PausedObject[] {
  const pauses = new ObjectPauses();
  for (const [index, { reason, atMs }] of ends.entries()) {
    pauses.note(reason, atMs);
    // Earlier pauses started with the processes that followed.
    if (index < ends.length - 1) pauses.list(atMs);
  }
  return pauses.list();
}

/** Undefined if the objects live in this process. */
function describeObjectProcesses({
  hosts,
  cpuMs,
  statementMs,
  hostBytes,
  format,
}: DevSetup): WorkerHosts | undefined {
  if (hosts === 1) return undefined;
  return {
    count: hosts,
    module: new URL(`./object-process${extname(import.meta.filename)}`, import.meta.url),
    data: { format } satisfies DevHostData,
    cpuMsMax: cpuMs,
    statementMsMax: statementMs,
    heapBytesMax: hostBytes,
    log: createSupervisorLog(createTerminalLines(format)),
  };
}
