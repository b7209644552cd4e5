/** The bystanders that must not be affected: visitors of another zone, users of the API, and liveness checks. */
import { Agent } from 'node:http';
import type { WorkerSite } from '../edge/worker-site.ts';

/** The duration of each request, and the outcomes of those without the expected response. */
export class Bystander {
  readonly name: string;
  readonly #ask: () => Promise<number>;
  readonly #tookMs: number[] = [];
  readonly failures: string[] = [];
  /** The longest time until a response, including retries. */
  awayMs = 0;
  /** Since its last response, if it has failed. */
  #sinceMs: number | undefined;

  constructor(name: string, ask: () => Promise<number>) {
    this.name = name;
    this.#ask = ask;
  }

  async askOnce(): Promise<void> {
    const startMs = performance.now();
    const outcome = await this.#ask().catch((error: NodeJS.ErrnoException) => error.code ?? String(error));
    const nowMs = performance.now();
    this.#tookMs.push(nowMs - startMs);
    this.#sinceMs ??= startMs;
    this.awayMs = Math.max(this.awayMs, nowMs - this.#sinceMs);
    if (outcome === 200) this.#sinceMs = undefined;
    else this.failures.push(String(outcome));
  }

  async askUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) await this.askOnce();
  }

  get asked(): number {
    return this.#tookMs.length;
  }

  get answered(): number {
    return this.asked - this.failures.length;
  }

  /** In milliseconds. */
  percentile(share: number): number {
    const sorted = this.#tookMs.toSorted((a, b) => a - b);
    return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  }

  describe(): string {
    const [median, p99, max] = [0.5, 0.99, 1].map((share) => this.percentile(share));
    return `${this.name}: ${this.asked} requests, median ${median} ms, p99 ${p99} ms, most ${max} ms, failed: ${this.failures.length}`;
  }
}

/**
 * Visitors of the zone of the plan `business`, by connections that are kept and by new ones, the API and its `/livez`.
 * Their address differs from that of the attackers.
 */
export function createBystanders(site: WorkerSite): readonly Bystander[] {
  const { name: host, id } = site.findZone('business');
  const from = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { origin } = new URL(site.ready.api);
  const fetchStatus = async (url: string): Promise<number> => {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${site.ready.token}` } });
    await answer.arrayBuffer();
    return answer.status;
  };
  return [
    new Bystander(
      'visitor, same connection',
      async () => (await site.send('/', { host, agent, from })).status,
    ),
    new Bystander('visitor, new connection', async () => (await site.send('/', { host, from })).status),
    new Bystander(
      'visitor with a form',
      async () => (await site.send('/', { host, from, body: smallForm })).status,
    ),
    new Bystander('API', () => fetchStatus(`${site.ready.api}/zones/${id}`)),
    new Bystander('/livez', () => fetchStatus(`${origin}/livez`)),
    new Bystander('/livez of the admin port', () => fetchStatus(`${site.ready.admin}/livez`)),
  ];
}

const smallForm = Array.from({ length: 20 }, (_, index) => `field${index}=some+words+of+a+visitor`).join('&');
