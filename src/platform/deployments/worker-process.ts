/**
 * A Worker in a process of its own: its code, its objects, its listeners. It is loaded first; the directory of the
 * objects is opened when the process is notified that its predecessor has closed it.
 *
 * An error that its code does not catch is only reported; after a bug of ours the process ends and is replaced.
 */
import { extname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseNetworkSet } from '#addresses';
import { createLog, endLoading, type Log } from '#base';
import { socketNames } from '#listeners';
import { startOwn } from '#work';
import type { Cluster } from '#cluster';
import type { ParentLink, RunningChild } from '#processes';
import { retireConnections } from '#sockets';
import {
  type BuiltProject,
  describeError,
  describeFetch,
  followCalls,
  forgetBundler,
  type HttpServer,
  isThrownByWorker,
  limitOutbound,
  prepareWorkerProcess,
  readEdgeVisitor,
  type ReadVisitor,
  readVisitorBehind,
  recordCall,
  type RecordedCall,
  ReportedErrors,
  type ServedRequest,
  serveHttp,
  useSourceMaps,
  Worker,
  type WorkerExports,
  type WorkerHosts,
  type WorkerLog,
  type WorkerOptions,
} from '#workers';
import { copyFamilies } from '#metrics';
import { buildVersion } from './built-version.ts';
import { callCharactersMax } from './limits.ts';
import { buildUploaded, nameAsUploaded } from './uploaded-project.ts';
import { readVersion } from './version-store.ts';
import type { WorkerObjectsData } from './object-process.ts';
import type {
  FromWorkerProcess,
  ListenerKind,
  QueueBatch,
  QueueOutcome,
  ToWorkerProcess,
  WorkerSetup,
} from './worker-messages.ts';
import { WorkerMetrics } from './worker-metrics.ts';

/** How often counts are sent unrequested: later counts are lost with a process that is killed. */
const metricsMs = 1_000;

interface WorkerParts {
  readonly parent: ParentLink;
  readonly worker: Worker;
  readonly servers: readonly HttpServer[];
  readonly metrics: WorkerMetrics;
}

export class WorkerProcess implements RunningChild {
  readonly #parts: WorkerParts;
  readonly #timer: NodeJS.Timeout;

  private constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.sendMetrics(undefined), metricsMs).unref();
  }

  static async start(parent: ParentLink, setup: WorkerSetup): Promise<WorkerProcess> {
    const { name, version, logLevel, listeners } = setup;
    const log = createLog({
      level: logLevel,
      format: 'json',
      write: (line) => void process.stderr.write(line),
    });
    // Before the process gets the globals of a Worker, for which the database client has other code.
    const join = hasClusteredObjects(setup) ? (await import('#cluster')).joinCluster : undefined;
    prepareWorkerProcess();
    const workerLog = createWorkerLog(log);
    surviveErrors(workerLog);
    const servers: HttpServer[] = [];
    let started: WorkerProcess | undefined;
    const opened = Promise.withResolvers<void>();
    let { cronsSince } = setup;
    /** Crons that were changed after the version was created. */
    let crons: readonly string[] | undefined;
    parent.listen((body) => {
      const message = body as ToWorkerProcess;
      switch (message.kind) {
        case 'open':
          ({ cronsSince } = message);
          return opened.resolve();
        case 'retire sockets':
          return void retireConnections(message);
        case 'tls':
          return servers.forEach((server) => server.renew(message.context));
        case 'crons':
          ({ crons } = message);
          return started?.useCrons(message.crons);
        case 'read metrics':
          return void started?.sendMetrics(message.id);
        case 'follow':
          return follow(parent, setup, message.isFollowed);
        case 'consume':
          return void deliver(parent, started, message);
      }
    });
    follow(parent, setup, setup.isFollowed);
    const worker = await startWorker(setup, {
      log: workerLog,
      limitLoad: () => parent.limitTurn(setup.loadMsMax),
      cronsSince: () => cronsSince,
      joinCluster: join && (() => join({ ...setup.cluster!, log: (message) => workerLog.warn(message) })),
      async onLoaded(digest, exports) {
        await parent.send({ kind: 'loaded', digest, exports } satisfies FromWorkerProcess);
        if (setup.isHeld) await opened.promise;
      },
    });
    if (crons !== undefined) worker.useCrons(crons);
    const metrics = new WorkerMetrics({
      worker: name,
      version,
      inFlight: () => servers.reduce((sum, { inFlight }) => sum + inFlight, 0),
      runtime: () => worker.runtime,
    });
    for (const [index, kind] of listeners.entries()) {
      const handle = parent.handles[index]!;
      servers.push(await serve(setup, { kind, handle, worker, log, workerLog, metrics }));
    }
    started = new WorkerProcess({ parent, worker, servers, metrics });
    return started;
  }

  /** Clients with a WebSocket are asked to reconnect. */
  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    const { servers, worker } = this.#parts;
    clearInterval(this.#timer);
    await Promise.all([
      ...servers.map((server) => server.close({ graceMs })),
      worker.retireNeighbours({ graceMs }),
    ]);
    await this.sendMetrics(undefined);
    await Promise.race([worker.close(), delay(graceMs, undefined, { ref: false })]);
  }

  consume(batch: QueueBatch): Promise<QueueOutcome> {
    return this.#parts.worker.consume(...batch);
  }

  useCrons(crons: readonly string[]): void {
    this.#parts.worker.useCrons(crons);
  }

  sendMetrics(id: number | undefined): Promise<void> {
    const { parent, metrics } = this.#parts;
    const families = copyFamilies(metrics.metrics);
    return parent.send({ kind: 'metrics', id, families } satisfies FromWorkerProcess);
  }
}

/** Sends the program a record of each call, if calls are followed. Texts of secrets are removed. */
function follow(parent: ParentLink, { code }: WorkerSetup, isFollowed: boolean): void {
  if (!isFollowed || code?.kind !== 'uploaded') return followCalls(undefined);
  const { name: scriptName, version, bindings } = code.version;
  const secrets = bindings.flatMap(({ type, text }) =>
    type === 'secret_text' && typeof text === 'string' && text.length >= secretCharactersMin
      ? [JSON.stringify(text).slice(1, -1)]
      : [],
  );
  followCalls((call) => {
    const whole = writeCall({ scriptName, scriptVersion: { id: version.id }, ...call });
    if (whole === undefined) return;
    const text = secrets.reduce((shown, secret) => shown.replaceAll(secret, 'REDACTED'), whole);
    void parent.send({ kind: 'call', text } satisfies FromWorkerProcess);
  });
}

/** Drops the last logs if the record is too long; undefined if it is too long without them. */
function writeCall<Call extends RecordedCall>(call: Call): string | undefined {
  const whole = JSON.stringify(call);
  if (whole.length <= callCharactersMax) return whole;
  const { logs, ...rest } = call;
  let left = callCharactersMax - JSON.stringify({ ...rest, logs: [], truncated: true }).length;
  if (left < 0) return undefined;
  const kept = logs.filter((log) => (left -= JSON.stringify(log).length + 1) >= 0);
  return JSON.stringify({ ...rest, logs: kept, truncated: true });
}

/** Shorter texts occur in many others by chance. */
const secretCharactersMin = 4;

/** A failure here is not caused by the messages: they are delivered again. */
async function deliver(
  parent: ParentLink,
  started: WorkerProcess | undefined,
  { id, batch }: Extract<ToWorkerProcess, { readonly kind: 'consume' }>,
): Promise<void> {
  const outcome = await started?.consume(batch).catch(() => undefined);
  await parent.send({ kind: 'consumed', id, outcome } satisfies FromWorkerProcess);
}

interface StartParts {
  readonly log: WorkerLog;
  readonly limitLoad: () => Disposable;
  readonly cronsSince: () => number | undefined;
  readonly joinCluster: (() => Promise<Cluster>) | undefined;
  readonly onLoaded: (digest: string | undefined, exports: WorkerExports) => Promise<void>;
}

/** Errors of its code are described with the places in its own files. */
async function startWorker(setup: WorkerSetup, parts: StartParts): Promise<Worker> {
  const { log, cronsSince, limitLoad, onLoaded, joinCluster } = parts;
  const { folder, directory, durability, retentionMs, outbound } = setup;
  try {
    const { projects, digest } = await readCode(setup);
    // The build starts processes; the code of the Worker may not.
    forgetBundler();
    endLoading();
    limitOutbound(outbound);
    return await Worker.start({
      path: folder,
      built: projects,
      loadMsMax: setup.loadMsMax,
      limitLoad,
      firesCrons: true,
      cronsSince,
      directory,
      durability,
      retentionMs,
      log,
      onLoaded: (exports) => {
        // Not earlier: a client that uploads code which does not load has the maps itself.
        if (setup.code?.kind === 'uploaded')
          useSourceMaps(setup.code.version.name, setup.code.version.code.maps ?? {});
        return onLoaded(digest, exports);
      },
      hosts: describeObjectProcesses(setup),
      paused: setup.paused,
      stores: setup.stores,
      neighbours: describeNeighbours(setup),
      joinCluster,
      // Operators call the program that supervises this process, which forwards calls about objects.
      operatorSocket: socketNames.worker,
    });
  } catch (error) {
    const text = describeError(error);
    const { code } = setup;
    if (code?.kind !== 'uploaded') throw new Error(text, { cause: error });
    // In V8's format, in which Wrangler finds the place in the sources.
    const said = isThrownByWorker(error) ? `Uncaught ${text}` : text;
    throw new Error(nameAsUploaded(said, code.version), { cause: error });
  }
}

/** Uploaded Workers can call each other. */
function describeNeighbours({ code, outbound }: WorkerSetup): WorkerOptions['neighbours'] {
  const { edgeSockets: folder } = outbound;
  return code?.kind !== 'uploaded' || folder === undefined ? undefined : { folder };
}

/** A Worker without objects needs no storage for them. */
function hasClusteredObjects({ cluster, code }: WorkerSetup): boolean {
  return cluster !== undefined && code?.kind === 'uploaded' && code.version.classes.length > 0;
}

async function readCode({ folder, code }: WorkerSetup): Promise<{
  readonly projects: readonly BuiltProject[];
  readonly digest: string | undefined;
}> {
  switch (code?.kind) {
    case undefined:
      return { projects: readVersion(folder), digest: undefined };
    case 'project':
      return await buildVersion(code.project, folder);
    case 'uploaded':
      return { projects: [await buildUploaded(code.version)], digest: undefined };
  }
}

/** Undefined if the objects live in this process. */
function describeObjectProcesses({
  hosts: count,
  hostCpuMs: cpuMsMax,
  hostStatementMs: statementMsMax,
  hostBytes: heapBytesMax,
  logLevel,
  outbound,
}: WorkerSetup): WorkerHosts | undefined {
  if (count === 1) return undefined;
  const data: WorkerObjectsData = { logLevel, outbound };
  const log = createLog({
    level: logLevel,
    format: 'json',
    write: (line) => void process.stderr.write(line),
  });
  const module = new URL(`./object-process${extname(import.meta.filename)}`, import.meta.url);
  return { count, module, data, cpuMsMax, statementMsMax, heapBytesMax, log };
}

interface ServeParts {
  readonly kind: ListenerKind;
  readonly handle: object;
  readonly worker: Worker;
  readonly log: Log;
  readonly workerLog: WorkerLog;
  readonly metrics: WorkerMetrics;
}

async function serve(
  setup: WorkerSetup,
  { kind, handle, worker, log, workerLog, metrics }: ServeParts,
): Promise<HttpServer> {
  const { trustedProxies, tls, logsRequests } = setup;
  const visitor: ReadVisitor =
    kind === 'edge' ? readEdgeVisitor : readVisitorBehind(parseNetworkSet(trustedProxies));
  return await serveHttp({
    fetch: (request, object) =>
      recordCall(
        (response) => describeFetch(request, response),
        () => worker.fetch(request, object),
      ),
    port: 0,
    handle,
    visitor,
    tls: kind === 'https' ? tls : undefined,
    onError: (error) => workerLog.error(error),
    onServed(served) {
      metrics.countRequest(served.status, served.durationMs);
      // The edge writes its own log line for each request.
      if (logsRequests && kind !== 'edge') log.info('request', describeRequest(setup, served));
    },
  });
}

/** Without queries and headers: both can contain secrets. */
function describeRequest({ name, version }: WorkerSetup, served: ServedRequest): Record<string, unknown> {
  const { method, target, status, durationMs, address, ray } = served;
  return {
    worker: name,
    version,
    method,
    path: target.split('?', 1)[0]!.slice(0, 500),
    // Undefined if the client disconnected.
    status,
    durationMs: Math.round(durationMs * 1_000) / 1_000,
    address,
    ray,
  };
}

function createWorkerLog(log: Log): WorkerLog {
  const reported = new ReportedErrors();
  return {
    info: (text) => log.info(text),
    warn: (text) => log.warn(text),
    error(error, during = 'an error in the code of the Worker') {
      if (!reported.isNew(error)) return;
      log.error(during, { reason: typeof error === 'string' ? error : describeError(error) });
    },
  };
}

function surviveErrors(log: WorkerLog): void {
  process.on('unhandledRejection', (reason) => log.error(reason));
  process.on('uncaughtException', (error) => {
    log.error(error);
    if (!isThrownByWorker(error)) startOwn(() => process.exit(1));
  });
}
