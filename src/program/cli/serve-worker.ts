/** Runs a Worker behind HTTP. */
import type { VirtualClock } from '#base';
import { writePrivateFile } from '#files';
import {
  isThrownByWorker,
  prepareWorkerProcess,
  serveClock,
  serveHttp,
  serveScheduled,
  Worker,
  type WorkerOptions,
} from '#workers';
import { CommandError, exitCodes } from './command.ts';
import type { DevDashboard } from './dev/dev-dashboard.ts';
import { shutdownGraceMs } from './terminal/signals.ts';
import { createTerminalLog, type TerminalLog, type TerminalLogOptions } from './terminal/log.ts';

export interface ServeWorkerOptions {
  readonly worker: Omit<WorkerOptions, 'log' | 'clock'>;
  readonly log: TerminalLogOptions;
  /** A clock that stands still until it is moved; undefined for the real one. */
  readonly clock: VirtualClock | undefined;
  readonly host: string;
  readonly port: number;
  readonly showErrors: boolean;
  /** Written when the server accepts requests. */
  readonly readyFile: string | undefined;
  /** The port of the objects' page, 0 for any free one; undefined for no page. */
  readonly dashboardPort: number | undefined;
  /** The text to print then. */
  greeting(url: string): string;
}

/** A Worker that is served. */
export interface ServedWorker {
  readonly url: string;
  /** Waits for running requests, for a limited time, and makes everything durable. */
  stop(): Promise<void>;
}

/** Resolves when the server accepts requests. */
export async function serveWorker(options: ServeWorkerOptions): Promise<ServedWorker> {
  prepareWorkerProcess();
  const { clock } = options;
  const log = createTerminalLog(options.log);
  keepAlive(log);
  const worker = await Worker.start({ ...options.worker, clock, log });
  const fetch = serveScheduled(worker, (request) => worker.fetch(request));
  const server = await serveHttp({
    fetch: clock === undefined ? fetch : serveClock(clock, fetch),
    host: options.host,
    port: options.port,
    showErrors: options.showErrors,
    onError: (error) => log.error(error),
    ...(options.log.requests === 'quiet' ? {} : { onServed: (served) => log.request(served) }),
  }).catch(async (error: NodeJS.ErrnoException) => {
    await worker.close();
    throw explainListening(error, '--port', options.port);
  });
  const dashboard = await startDashboard(options, worker, log).catch(async (error: NodeJS.ErrnoException) => {
    await server.close({ graceMs: 0 });
    await worker.close();
    throw explainListening(error, '--dashboard-port', options.dashboardPort);
  });
  if (options.readyFile !== undefined) writeReadyFile(options.readyFile, server.url);
  log.info(options.greeting(server.url));
  dashboard?.writeLink();
  return {
    url: server.url,
    async stop() {
      log.info('stopping');
      await dashboard?.close({ graceMs: 0 });
      await server.close({ graceMs: shutdownGraceMs });
      await Promise.race([worker.close(), waitForGrace()]);
    },
  };
}

async function startDashboard(
  { dashboardPort: port }: ServeWorkerOptions,
  { runtime, home }: Worker,
  log: TerminalLog,
): Promise<DevDashboard | undefined> {
  if (port === undefined) return undefined;
  // It imports the API and the server, half of the code of a start. Loading it later would block the first requests.
  const { DevDashboard } = await import('./dev/dev-dashboard.ts');
  return await DevDashboard.start({
    runtime,
    project: home,
    port,
    onError: (error) => log.error(error),
    onLink: (url) => log.info(`objects: ${url} (signs in once)`),
  });
}

function explainListening(
  error: NodeJS.ErrnoException,
  flag: string,
  port: number | undefined,
): NodeJS.ErrnoException {
  if (error.code !== 'EADDRINUSE') return error;
  const message = `port ${port} is in use: choose another one with ${flag}, or 0 for any free port`;
  return new CommandError(message, { cause: error });
}

/**
 * A rejected promise that a Worker does not handle, or an error in one of its timers, is reported, and the server
 * continues. After a bug of ours it would continue in an unknown state.
 */
function keepAlive(log: TerminalLog): void {
  process.on('unhandledRejection', (reason) => log.error(reason));
  process.on('uncaughtException', (error) => {
    log.error(error);
    if (!isThrownByWorker(error)) process.exit(exitCodes.failure);
  });
}

function writeReadyFile(file: string, url: string): void {
  try {
    writePrivateFile(file, `${JSON.stringify({ url })}\n`);
  } catch (error) {
    const { message } = (error as Error).cause as Error;
    throw new CommandError(`cannot write the ready file ${file}: ${message}`, { cause: error });
  }
}

async function waitForGrace(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, shutdownGraceMs).unref();
  await promise;
}
