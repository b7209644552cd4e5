/** Configurations replaced under load: every request must be judged by one of them, and none may stay in memory. */
import { startScript } from './children.ts';
import { Client, textOf } from './clients.ts';
import { target, type Table } from './report.ts';
import { page } from './requests.ts';

const connections = 32;
const heapGrowthMax = 0.05;

interface SwapResult {
  readonly swaps: number;
  readonly elapsedMs: number;
  readonly heapBytesBefore: number;
  readonly heapBytesAfter: number;
}

/** Requests one after the other on each connection, unless paused. */
class Traffic {
  judged = 0;
  /** Responses without a version, or with an older one than the response before on the same connection. */
  wrong = 0;
  readonly versions = new Set<number>();
  readonly #clients: ReadonlyMap<Client, { version: number }>;
  #isPaused = false;

  constructor(clients: readonly Client[]) {
    this.#clients = new Map(clients.map((client) => [client, { version: 0 }]));
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const client of this.#clients.keys()) if (client.isIdle) this.#ask(client);
  }

  #ask(client: Client): void {
    client.send(text, ({ status, body }) => {
      const seen = this.#clients.get(client)!;
      const version = Number(/^version (\d+)$/.exec(body)?.[1]);
      if (status === 403 && version >= seen.version) this.judged += 1;
      else this.wrong += 1;
      seen.version = version;
      this.versions.add(version);
      if (!this.#isPaused) this.#ask(client);
    });
  }
}

const text = textOf(page);

export async function benchSwaps(swaps: number): Promise<Table> {
  await using edge = await startScript('swapped-edge.ts', [swaps], ['--expose-gc']);
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const clients = Array.from({ length: connections }, () => new Client(edge.port, reject));
  const traffic = new Traffic(clients);
  traffic.resume();
  try {
    for (;;) {
      const line = await Promise.race([edge.nextLine(), failed]);
      if (line === 'pause') traffic.pause();
      else if (line === 'resume') traffic.resume();
      else return tableOf(JSON.parse(line) as SwapResult, traffic);
    }
  } finally {
    for (const client of clients) client.close();
  }
}

function tableOf({ swaps, elapsedMs, heapBytesBefore, heapBytesAfter }: SwapResult, traffic: Traffic): Table {
  const growth = heapBytesAfter / heapBytesBefore - 1;
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  return {
    title: 'Configurations with the managed ruleset, swapped under load from 32 connections',
    header: [
      'swaps',
      'ms each',
      'requests judged',
      'versions seen',
      'not judged, or by an older version than before',
      'heap MB before',
      'after',
      'target',
    ],
    rows: [
      [
        swaps.toLocaleString('en'),
        (elapsedMs / swaps).toFixed(2),
        traffic.judged.toLocaleString('en'),
        traffic.versions.size.toLocaleString('en'),
        String(traffic.wrong),
        megabytes(heapBytesBefore),
        megabytes(heapBytesAfter),
        `${target('none', traffic.wrong === 0)}, heap ${target(`${(growth * 100).toFixed(1)} % (≤ 5)`, growth <= heapGrowthMax)}`,
      ],
    ],
  };
}
