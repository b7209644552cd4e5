/** The cost of a page in a real Chromium: bytes, processor time of its main thread, and its longest task. */
import type { CDPSession, Page } from 'playwright-core';

/** Without a request for this long after the last response, the page is complete. */
const quietMs = 400;

const fileKinds: ReadonlySet<string> = new Set(['Document', 'Script', 'Stylesheet', 'Image', 'Font']);

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface LongestTask {
  readonly cpuMs: number;
  readonly wallMs: number;
}

export class Watch {
  readonly #page: Page;
  readonly #devtools: CDPSession;
  #openRequests = 0;
  #lastAnswerMs = performance.now();
  #fileBytes = 0;

  private constructor(page: Page, devtools: CDPSession) {
    this.#page = page;
    this.#devtools = devtools;
  }

  static async start(page: Page): Promise<Watch> {
    const devtools = await page.context().newCDPSession(page);
    const watch = new Watch(page, devtools);
    await watch.#listen();
    return watch;
  }

  /** Of the document, scripts and styles, as they were sent: compressed, without header fields. */
  get fileBytes(): number {
    return this.#fileBytes;
  }

  /** Processor time of the main thread since the page was opened. */
  async readCpuMs(): Promise<number> {
    const { metrics } = await this.#devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1_000;
  }

  /** The longest task of the main thread during an action. */
  async watchTasks(act: () => Promise<void>): Promise<LongestTask> {
    const browser = this.#page.context().browser()!;
    await browser.startTracing(this.#page, {
      categories: ['disabled-by-default-devtools.timeline', 'devtools.timeline', 'toplevel', '__metadata'],
    });
    await act();
    const trace = JSON.parse((await browser.stopTracing()).toString()) as {
      readonly traceEvents: readonly TraceEvent[];
    };
    return findLongestTask(trace.traceEvents);
  }

  /** Resolves when everything that the page asked for was answered and shown. */
  async untilAnswered(): Promise<void> {
    while (this.#openRequests > 0 || performance.now() - this.#lastAnswerMs < quietMs)
      await this.#page.waitForTimeout(50);
  }

  async #listen(): Promise<void> {
    const kinds = new Map<string, string>();
    this.#devtools.on('Network.requestWillBeSent', ({ requestId, type }) => {
      if (!kinds.has(requestId)) this.#openRequests++;
      kinds.set(requestId, type ?? '');
    });
    const end = (requestId: string): void => {
      if (!kinds.has(requestId)) return;
      this.#openRequests--;
      this.#lastAnswerMs = performance.now();
    };
    this.#devtools.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      if (fileKinds.has(kinds.get(requestId) ?? '')) this.#fileBytes += encodedDataLength;
    });
    this.#devtools.on('Network.loadingFinished', ({ requestId }) => end(requestId));
    this.#devtools.on('Network.loadingFailed', ({ requestId }) => end(requestId));
    await this.#devtools.send('Network.enable');
    // Not the time by the clock: other programs may have the processor.
    await this.#devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  }
}

function findLongestTask(events: readonly TraceEvent[]): LongestTask {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => name.endsWith('RunTask') && ph === 'X' && threads.has(`${pid} ${tid}`),
  );
  const longest = (read: (task: TraceEvent) => number): number =>
    tasks.reduce((max, task) => Math.max(max, read(task)), 0) / 1_000;
  return { cpuMs: longest(({ tdur = 0 }) => tdur), wallMs: longest(({ dur = 0 }) => dur) };
}
