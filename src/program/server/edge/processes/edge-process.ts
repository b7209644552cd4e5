/**
 * An edge in a process of its own, next to others that accept from the same sockets. It is configured by the program
 * that started it, which owns everything that exists only once: events and lines of the access log are sent there, and
 * a batch counts as written when the program acknowledges it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createLog, surviveCollectedFiles } from '#base';
import type { FeedMessage, WantedZones } from '#control';
import type { ParentLink, RunningChild } from '#processes';
import { copyFamilies } from '#metrics';
import { type LineSink, Telemetry } from '#observability';
import { EdgeFeed } from '../edge-feed.ts';
import { startEdge, type StartedEdge } from '../start-edge.ts';
import { ItemQueue } from './item-queue.ts';
import type { FromEdgeProcess, ToEdgeProcess, EdgeProcessSetup } from './edge-process-messages.ts';

/** How often counts are sent unrequested: later counts are lost with a process that is killed. */
const metricsMs = 1_000;

/** While a control plane takes longer than this to open, clients get the answer that the edge is starting. */
const firstPassMsMax = 5_000;

/** Compiling the rules of a zone, or loading managed rules, may take longer than evaluating a request. */
const compileMsMax = 10_000;

export class EdgeProcess implements RunningChild {
  readonly #parent: ParentLink;
  readonly #started: StartedEdge;
  readonly #telemetry: Telemetry | undefined;
  readonly #end: AbortController;
  readonly #timer: NodeJS.Timeout;

  private constructor(
    parent: ParentLink,
    parts: {
      readonly started: StartedEdge;
      readonly telemetry: Telemetry | undefined;
      readonly end: AbortController;
    },
  ) {
    this.#parent = parent;
    this.#started = parts.started;
    this.#telemetry = parts.telemetry;
    this.#end = parts.end;
    this.#timer = setInterval(() => this.#sendMetrics(undefined), metricsMs).unref();
  }

  static async start(parent: ParentLink, setup: EdgeProcessSetup): Promise<EdgeProcess> {
    const { config, version, processes } = setup;
    const log = createLog({
      level: config.settings.logLevel,
      format: 'json',
      write: (line) => parent.print(line),
    });
    process.on('unhandledRejection', (error) => log.error('unhandled promise rejection', { error }));
    surviveCollectedFiles((error) => log.error('a file handle was not closed', { error }));
    const calls = new ParentCalls(parent);
    // Spans are sent by each process; metrics only by the program, for all of them.
    const settings = { ...config.settings, otlpMetricsInterval: 0 };
    const telemetry = Telemetry.start({ settings, log, version, metrics: () => [] });
    const started = await startEdge({
      ...setup,
      log,
      telemetry,
      onJudgingEnd: (named) =>
        void parent.send({ kind: 'thread ended', end: named } satisfies FromEdgeProcess),
      reports: {
        writeEvents: (...events) => calls.send((id) => ({ kind: 'events', id, events })),
        sendTraffic: (batch) => calls.send((id) => ({ kind: 'traffic', id, batch })),
        sendRequests: (requests) => calls.send((id) => ({ kind: 'requests', id, requests })),
        sendLearned: (...learned) => calls.send((id) => ({ kind: 'learned', id, learned })),
        // The program reports it.
        reportHealth: async () => {},
        exchangeRates: async () => undefined,
      },
      shared: {
        handles: parent.handles,
        processes,
        onOriginMark: (state) => void parent.send({ kind: 'origin marked', state } satisfies FromEdgeProcess),
        shareRates: (counts) => calls.send((id) => ({ kind: 'rates', id, counts })),
        onCompile: () => parent.limitTurn(compileMsMax),
        sink: config.settings.edgeAccessLog === 'off' ? undefined : createParentSink(calls),
      },
    });
    const end = new AbortController();
    const messages = new ItemQueue<FeedMessage>();
    const edge = new EdgeProcess(parent, { started, telemetry, end });
    parent.listen((body) => edge.#take(body as ToEdgeProcess, messages, calls));
    parent.onLost(() => {
      // Items in flight may have been written or not; no answer will arrive. They count as dropped.
      calls.failAll('the program has ended');
      messages.fail(new Error('the program has ended'));
    });
    const feed = new EdgeFeed({
      connect: (wanted) =>
        readFromParent(parent, messages, { wanted, listZones: () => started.edge.listZones() }),
      edge: started.edge,
      log,
      signal: end.signal,
    });
    // Until it knows the zones, others accept, or connections wait; but not forever.
    await Promise.race([feed.firstPass, delay(firstPassMsMax, undefined, { ref: false })]);
    await started.accept();
    return edge;
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    clearInterval(this.#timer);
    await this.#started.close({ graceMs });
    this.#end.abort();
    await this.#telemetry?.close();
    await this.#sendMetrics(undefined);
  }

  #take(message: ToEdgeProcess, messages: ItemQueue<FeedMessage>, calls: ParentCalls): void {
    switch (message.kind) {
      case 'feed':
        return messages.add(message.message);
      case 'feed failed':
        return messages.fail(new Error(message.reason));
      case 'done':
        return calls.finish(message.id, message.problem);
      case 'rates':
        this.#started.edge.receiveRates(message.counts);
        return message.id === undefined ? undefined : this.#sendUnsharedRates(message.id);
      case 'rates released':
        return this.#started.edge.releaseRates(message.keys);
      case 'origin states':
        return this.#started.edge.receiveOriginStates(message.states);
      case 'read rate keys':
        return this.#sendRateKeys(message.id);
      case 'read metrics':
        return void this.#sendMetrics(message.id);
    }
  }

  #sendUnsharedRates(id: number): void {
    const counts = this.#started.edge.takeUnsharedRates();
    void this.#parent.send({ kind: 'rates taken', id, counts } satisfies FromEdgeProcess);
  }

  #sendRateKeys(id: number): void {
    const keys = this.#started.edge.listRateKeys();
    void this.#parent.send({ kind: 'rate keys', id, keys } satisfies FromEdgeProcess);
  }

  async #sendMetrics(id: number | undefined): Promise<void> {
    if (!this.#parent.isThere) return;
    const families = copyFamilies([...this.#started.metrics, ...(this.#telemetry?.metrics ?? [])]);
    await this.#parent.send({ kind: 'metrics', id, families } satisfies FromEdgeProcess);
  }
}

/**
 * The messages since `connect`. Each is acknowledged when it was handled, so the program never sends more than one
 * ahead.
 */
async function* readFromParent(
  parent: ParentLink,
  messages: ItemQueue<FeedMessage>,
  { wanted, listZones }: { readonly wanted: WantedZones; readonly listZones: () => readonly string[] },
): AsyncGenerator<FeedMessage, void> {
  messages.clear();
  const stop = wanted.onAsked((zone) => void parent.send({ kind: 'asked', zone } satisfies FromEdgeProcess));
  try {
    const zones = listZones().filter((zone) => wanted.has(zone));
    await parent.send({ kind: 'connect', wanted: zones } satisfies FromEdgeProcess);
    for (;;) {
      const message = await messages.next();
      const isWanted = message.kind !== 'configuration' || wanted.has(message.configuration.zone.id);
      yield message;
      await parent.send({ kind: 'taken', isWanted } satisfies FromEdgeProcess);
    }
  } finally {
    stop();
  }
}

/** The calls of the program that it has not answered yet. */
class ParentCalls {
  readonly #parent: ParentLink;
  readonly #open = new Map<number, PromiseWithResolvers<void>>();
  #lastId = 0;

  constructor(parent: ParentLink) {
    this.#parent = parent;
  }

  send(write: (id: number) => FromEdgeProcess): Promise<void> {
    const id = ++this.#lastId;
    const call = Promise.withResolvers<void>();
    this.#open.set(id, call);
    void this.#parent.send(write(id));
    return call.promise;
  }

  failAll(problem: string): void {
    for (const id of [...this.#open.keys()]) this.finish(id, problem);
  }

  finish(id: number, problem: string | undefined): void {
    const call = this.#open.get(id);
    this.#open.delete(id);
    if (problem === undefined) call?.resolve();
    else call?.reject(new Error(problem));
  }
}

function createParentSink(calls: ParentCalls): LineSink {
  return {
    name: 'the process of the program',
    write: (bytes) => calls.send((id) => ({ kind: 'lines', id, bytes })),
    // The program opens and closes the file.
    async reopen() {},
    async close() {},
  };
}
