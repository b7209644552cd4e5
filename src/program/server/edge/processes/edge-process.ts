/**
 * An edge in a process of its own, next to others that accept from the same sockets. It is configured by the program
 * that started it, which owns everything that exists only once: events and lines of the access log are sent there, and
 * a batch counts as written when the program acknowledges it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createLog } from '#base';
import { surviveCollectedFiles } from '#files';
import type { FeedMessage, WantedZones } from '#control';
import { type ParentLink, PendingCalls, type RunningChild } from '#processes';
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
    const calls = new PendingCalls<void>();
    const report = (write: (id: number) => FromEdgeProcess): Promise<void> =>
      calls.call((id) => void parent.send(write(id)));
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
        writeEvents: (...events) => report((id) => ({ kind: 'events', id, events })),
        sendTraffic: (batch) => report((id) => ({ kind: 'traffic', id, batch })),
        sendRequests: (requests) => report((id) => ({ kind: 'requests', id, requests })),
        sendLearned: (...learned) => report((id) => ({ kind: 'learned', id, learned })),
        // The program reports it.
        reportHealth: async () => {},
        exchangeRates: async () => undefined,
      },
      shared: {
        handles: parent.handles,
        processes,
        onOriginMark: (state) => void parent.send({ kind: 'origin marked', state } satisfies FromEdgeProcess),
        shareRates: (counts) => report((id) => ({ kind: 'rates', id, counts })),
        onCompile: () => parent.limitTurn(compileMsMax),
        sink: config.settings.edgeAccessLog === 'off' ? undefined : createParentSink(report),
      },
    });
    const end = new AbortController();
    const messages = new ItemQueue<FeedMessage>();
    const edge = new EdgeProcess(parent, { started, telemetry, end });
    parent.listen((body) => edge.#take(body as ToEdgeProcess, messages, calls));
    parent.onLost(() => {
      // Items in flight may have been written or not; no answer will arrive. They count as dropped.
      const ended = new Error('the program has ended');
      calls.failAll(ended);
      messages.fail(ended);
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

  #take(message: ToEdgeProcess, messages: ItemQueue<FeedMessage>, calls: PendingCalls<void>): void {
    switch (message.kind) {
      case 'feed':
        return messages.add(message.message);
      case 'feed failed':
        return messages.fail(new Error(message.reason));
      case 'done':
        return message.problem === undefined
          ? calls.answer(message.id)
          : calls.fail(message.id, new Error(message.problem));
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

function createParentSink(report: (write: (id: number) => FromEdgeProcess) => Promise<void>): LineSink {
  return {
    name: 'the process of the program',
    write: (bytes) => report((id) => ({ kind: 'lines', id, bytes })),
    // The program opens and closes the file.
    async reopen() {},
    async close() {},
  };
}
