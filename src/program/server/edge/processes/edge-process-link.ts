/**
 * One edge process as the program sees it: configures it, writes its events and lines, and reads its counts. Each has a
 * feed of its own, so a slow process does not delay the others; a process gets the zones that it requested, with their
 * changes.
 */
import { type FeedMessage, type FeedSource, readConfigurations } from '#control';
import type { OriginState } from '#edge';
import type { CountedKey, SharedCount } from '#firewall';
import { type ChildProcess, PendingCalls } from '#processes';
import type { MetricData } from '#metrics';
import type { NamedEnd } from '#observability';
import type { EdgeReports } from '../edge-reports.ts';
import type { ToEdgeProcess } from './edge-process-messages.ts';
import { readEdgeMessage } from './read-edge-message.ts';

export interface EdgeProcessLinkOptions {
  /** Resolves when the control plane is open. */
  readonly source: Promise<FeedSource>;
  readonly reports: EdgeReports;
  readonly onThreadEnd: ((end: NamedEnd) => void) | undefined;
  readonly writeLines: (bytes: Uint8Array) => Promise<void>;
  /** The counts of the process, for the other processes. */
  readonly onRates: (counts: readonly SharedCount[]) => Promise<void>;
  /** The current health of pool origins. */
  readonly listOriginStates: () => readonly OriginState[];
  readonly onOriginMark: (state: OriginState) => void;
}

export class EdgeProcessLink {
  readonly #options: EdgeProcessLinkOptions;
  readonly #firstPass = Promise.withResolvers<void>();
  /** Zones that the process requested and, as far as known, has not dropped since. */
  readonly #wanted = new Set<string>();
  #onAsked: ((zone: string) => void) | undefined;
  #child: ChildProcess | undefined;
  /** Ends the current feed. */
  #feedEnd = new AbortController();
  #taken: PromiseWithResolvers<boolean> | undefined;
  #families: readonly MetricData[] = [];
  #rateKeys: readonly CountedKey[] = [];
  readonly #readings = new PendingCalls<void>();
  readonly #exchanges = new PendingCalls<readonly SharedCount[]>();

  constructor(options: EdgeProcessLinkOptions) {
    this.#options = options;
  }

  /** Resolves when the process knows every zone, or has ended. */
  get firstPass(): Promise<void> {
    return this.#firstPass.promise;
  }

  /** The counts of its last report. */
  get families(): readonly MetricData[] {
    return this.#families;
  }

  attach(child: ChildProcess): void {
    this.#child = child;
    void child.ended.then(() => this.#end());
  }

  /** Resolves when `families` is current; a process that does not answer is terminated, which resolves it as well. */
  async readMetrics(): Promise<void> {
    await this.#read('read metrics');
  }

  /** Its fullest keys of rate limits. */
  async readRateKeys(): Promise<readonly CountedKey[]> {
    this.#rateKeys = [];
    await this.#read('read rate keys');
    return this.#rateKeys;
  }

  async #read(kind: 'read metrics' | 'read rate keys'): Promise<void> {
    if (this.#child?.isReady === true) await this.#readings.call((id) => void this.#send({ kind, id }));
  }

  sendRates(counts: readonly SharedCount[]): void {
    if (this.#child?.isReady === true) void this.#send({ kind: 'rates', counts });
  }

  /** Resolves, when the process has received the counts, to those that it had not sent yet. */
  async exchangeRates(counts: readonly SharedCount[]): Promise<readonly SharedCount[]> {
    if (this.#child?.isReady !== true) return [];
    return await this.#exchanges.call((id) => void this.#send({ kind: 'rates', id, counts }));
  }

  sendReleased(keys: readonly string[]): void {
    void this.#send({ kind: 'rates released', keys });
  }

  sendOriginStates(states: readonly OriginState[]): void {
    if (states.length > 0) void this.#send({ kind: 'origin states', states });
  }

  /** Throws if the message is invalid. */
  readonly take = (body: unknown): void => {
    const message = readEdgeMessage(body);
    const { reports } = this.#options;
    switch (message.kind) {
      case 'connect':
        for (const zone of message.wanted) this.#wanted.add(zone);
        this.sendOriginStates(this.#options.listOriginStates());
        return void this.#feed();
      case 'asked':
        this.#wanted.add(message.zone);
        return this.#onAsked?.(message.zone);
      case 'taken':
        return this.#taken?.resolve(message.isWanted);
      case 'events':
        return void this.#answer(message.id, () => reports.writeEvents(...message.events));
      case 'traffic':
        return void this.#answer(message.id, () => reports.sendTraffic(message.batch));
      case 'requests':
        return void this.#answer(message.id, () => reports.sendRequests(message.requests));
      case 'learned':
        return void this.#answer(message.id, () => reports.sendLearned(...message.learned));
      case 'thread ended':
        return this.#options.onThreadEnd?.(message.end);
      case 'rates':
        return void this.#answer(message.id, () => this.#options.onRates(message.counts));
      case 'rates taken':
        return this.#exchanges.answer(message.id, message.counts);
      case 'rate keys':
        this.#rateKeys = message.keys;
        return this.#readings.answer(message.id);
      case 'origin marked':
        return this.#options.onOriginMark(message.state);
      case 'lines':
        return void this.#answer(message.id, () => this.#options.writeLines(message.bytes));
      case 'metrics':
        this.#families = message.families;
        return message.id === undefined ? undefined : this.#readings.answer(message.id);
    }
  };

  async #feed(): Promise<void> {
    this.#feedEnd.abort();
    const end = new AbortController();
    this.#feedEnd = end;
    const source = await this.#options.source;
    const wanted = {
      has: (zone: string) => this.#wanted.has(zone),
      onAsked: (listener: (zone: string) => void) => {
        this.#onAsked = listener;
        return () => {};
      },
    };
    try {
      for await (const message of readConfigurations(source, end.signal, wanted)) {
        if (end.signal.aborted) return;
        await this.#deliver(message);
      }
    } catch (error) {
      await this.#send({ kind: 'feed failed', reason: (error as Error).message });
      this.#firstPass.resolve();
    }
  }

  async #deliver(message: FeedMessage): Promise<void> {
    const taken = Promise.withResolvers<boolean>();
    this.#taken = taken;
    void this.#send({ kind: 'feed', message });
    const isWanted = await taken.promise;
    if (message.kind === 'configuration' && !isWanted) this.#wanted.delete(message.configuration.zone.id);
    if (message.kind === 'removed') this.#wanted.delete(message.zone);
    if (message.kind === 'complete') this.#firstPass.resolve();
  }

  async #answer(id: number, work: () => Promise<void>): Promise<void> {
    const problem = await Promise.try(work).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
    await this.#send({ kind: 'done', id, problem });
  }

  #end(): void {
    this.#feedEnd.abort();
    this.#taken?.resolve(false);
    this.#firstPass.resolve();
    this.#readings.answerAll();
    this.#exchanges.answerAll([]);
  }

  async #send(message: ToEdgeProcess): Promise<void> {
    await this.#child?.send(message);
  }
}
