/** `gatehouse serve` with workers of the edge (two by default), and test actions on them. */
import { ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { eventually } from '../eventually.ts';
import { Gatehouse, type ReadyFacts, type Start, temporary } from '../server/gatehouse.ts';

type Facts = ReadyFacts & { readonly edge: string; readonly token: string };

export interface Answered {
  readonly status: number;
  readonly body: string;
}

interface WorkerSiteOptions extends Pick<Start, 'args' | 'environment' | 'descriptors'> {
  readonly directory?: string;
  readonly workers?: number;
}

export class WorkerSite {
  readonly server: Gatehouse;
  readonly ready: Facts;
  readonly directory: string;
  readonly #workers: number;

  private constructor(
    server: Gatehouse,
    ready: Facts,
    { directory, workers }: { readonly directory: string; readonly workers: number },
  ) {
    this.server = server;
    this.ready = ready;
    this.directory = directory;
    this.#workers = workers;
  }

  static async start(
    t: TestContext,
    {
      args = [],
      directory = temporary(t),
      workers = 2,
      environment = {},
      descriptors,
    }: WorkerSiteOptions = {},
  ): Promise<WorkerSite> {
    const { server, ready } = await Gatehouse.start(t, {
      directory,
      args: ['--allow-private-origins', 'true', '--rate-limit', 'false', ...args],
      environment: { GATEHOUSE_EDGE_WORKERS: String(workers), ...environment },
      ...(descriptors === undefined ? {} : { descriptors }),
    });
    const site = new WorkerSite(server, ready as Facts, { directory, workers });
    await site.awaitWorkers();
    return site;
  }

  get zone(): { readonly id: string; readonly name: string } {
    return this.findZone('enterprise');
  }

  findZone(plan: string): { readonly id: string; readonly name: string } {
    return this.ready.zones.find((zone) => zone.plan === plan)!;
  }

  /** The process ids of the workers, ready or not, without the standby. */
  listWorkers(): number[] {
    return this.#listChildren(/^gatehouse: edge worker \d/);
  }

  /** Resolves to the process id of the standby worker. */
  async findWaiting(): Promise<number> {
    let waiting: number | undefined;
    await eventually(() => ([waiting] = this.#listChildren(/edge-process-main/))[0] !== undefined);
    return waiting!;
  }

  #listChildren(args: RegExp): number[] {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
    return lines
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(line))
      .filter((found) => Number(found?.[2]) === this.server.process.pid && args.test(found![3]!))
      .map((found) => Number(found![1]));
  }

  /** Resolves when all workers serve. */
  async awaitWorkers(): Promise<void> {
    await eventually(async () => (await this.readMetric('gatehouse_edge_workers')) === this.#workers);
  }

  async readMetric(name: string, labels = ''): Promise<number> {
    const page = await (await fetch(`${this.ready.admin ?? new URL(this.ready.api).origin}/metrics`)).text();
    const line = page.split('\n').find((each) => each.startsWith(`${name}${labels} `));
    return Number(line?.split(' ').at(-1));
  }

  async call(route: string, body: unknown): Promise<void> {
    await this.ask(route, body);
  }

  /** Resolves to the result. */
  async ask(route: string, body?: unknown): Promise<unknown> {
    const [method, path] = route.split(' ') as [string, string];
    const answer = await fetch(this.ready.api + path, {
      method,
      headers: { authorization: `Bearer ${this.ready.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const written = await answer.text();
    ok(answer.ok, `${route}: ${written}`);
    return (JSON.parse(written) as { readonly result: unknown }).result;
  }

  /** On a new connection, unless there is an agent. */
  async send(
    path: string,
    {
      agent,
      body,
      host = this.zone.name,
      headers = {},
      signal,
      from,
    }: {
      readonly agent?: Agent;
      readonly body?: string;
      readonly host?: string;
      readonly headers?: OutgoingHttpHeaders;
      /** Aborts, and rejects. */
      readonly signal?: AbortSignal;
      /** The address of the client. */
      readonly from?: string;
    } = {},
  ): Promise<Answered> {
    const { hostname, port } = new URL(this.ready.edge);
    const outgoing = request({
      hostname,
      port,
      path,
      method: body === undefined ? 'GET' : 'POST',
      headers: { host, ...headers },
      agent: agent ?? false,
      ...(signal === undefined ? {} : { signal }),
      ...(from === undefined ? {} : { localAddress: from }),
    });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: incoming.statusCode!, body: await text(incoming) };
  }
}
