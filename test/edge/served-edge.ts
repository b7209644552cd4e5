/** A control plane, an edge fed by it, and an application behind: everything real but the clock of the control plane. */
import { equal } from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createLog, realClock } from '#base';
import { type FeedSource, readConfigurations } from '#control';
import { Edge, type EdgeOptions } from '#edge';
import { type EventLog, type SecurityEvent, unpackEvent } from '#events';
import type { Plan } from '#expressions';
import { EdgeFeed } from '../../src/server/edge/edge-feed.ts';
import { type Envelope, TestControl } from '../control/harness.ts';
import { eventually } from '../eventually.ts';
import { TestOrigin } from './test-origin.ts';

type Line = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Sent {
  readonly method?: string;
  readonly host?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** How long anything may take before a test gives up. */

export class ServedEdge implements AsyncDisposable {
  readonly control: TestControl;
  readonly edge: Edge;
  readonly origin: TestOrigin;
  /** Lines of the log, as JSON. */
  readonly lines: Line[];
  readonly #versions: ReadonlyMap<string, number>;
  readonly #opened: AsyncDisposableStack;

  private constructor(
    parts: Pick<ServedEdge, 'control' | 'edge' | 'origin' | 'lines'> & {
      readonly opened: AsyncDisposableStack;
    },
    versions: ReadonlyMap<string, number>,
  ) {
    this.control = parts.control;
    this.edge = parts.edge;
    this.origin = parts.origin;
    this.lines = parts.lines;
    this.#opened = parts.opened;
    this.#versions = versions;
  }

  static async open(
    options: Partial<EdgeOptions> & {
      readonly source?: (real: FeedSource) => FeedSource;
    } = {},
  ): Promise<ServedEdge> {
    const { source: wrap = (real) => real, ...edgeOptions } = options;
    // What is open when something fails is closed, or the test would never end.
    await using opened = new AsyncDisposableStack();
    const control = await TestControl.open();
    opened.defer(() => control.close());
    const origin = opened.use(await TestOrigin.listen());
    const lines: Line[] = [];
    const edge = await Edge.start({
      listeners: [{ port: 0 }],
      secret: Buffer.alloc(32, 7),
      addresses: { allowPrivate: true },
      writeEvents: (zoneId, events, retentionMs) => control.control.appendEvents(zoneId, events, retentionMs),
      onError: (error) => lines.push({ error }),
      ...edgeOptions,
    });
    opened.defer(() => edge.close({ graceMs: 0 }));
    const versions = new Map<string, number>();
    const end = new AbortController();
    const source = wrap({ ...control.control.configurations, clock: realClock });
    const feed = new EdgeFeed({
      connect: () => readConfigurations(source, end.signal),
      signal: end.signal,
      edge: {
        update: (configuration) => {
          const problems = edge.update(configuration);
          versions.set(configuration.zone.id, configuration.version);
          return problems;
        },
        remove: (zoneId) => {
          edge.remove(zoneId);
          versions.delete(zoneId);
        },
        complete: () => edge.complete(),
      },
      log: createLog({
        level: 'debug',
        format: 'json',
        write: (line) => lines.push(JSON.parse(line) as Line),
      }),
    });
    opened.defer(() => end.abort());
    await feed.firstPass;
    return new ServedEdge({ control, edge, origin, lines, opened: opened.move() }, versions);
  }

  get port(): number {
    return this.edge.addresses[0]!.port;
  }

  /** The name of the demonstration zone of a plan. */
  host(plan: Plan): string {
    return this.control.control.directory.zones.get(this.control.zone(plan))!.name;
  }

  /** Sets the origin of a zone to the application. */
  async serve(plan: Plan, more: object = {}): Promise<void> {
    await this.do(`PUT /zones/${this.control.zone(plan)}/edge`, {
      origin: { url: this.origin.url },
      ...more,
    });
  }

  /** An operation that has to go well; what it changes is in force when this resolves. */
  async do(route: string, body?: unknown): Promise<Envelope> {
    const answer = await this.control.call(route, { body });
    equal(answer.success, true, `${route}: ${JSON.stringify(answer.errors)}`);
    await this.inForce();
    return answer;
  }

  /** Waits until the edge has what the control plane has. */
  async inForce(): Promise<void> {
    const { control } = this.control;
    for (const zoneId of control.directory.zones.keys()) {
      const { version } = (await control.configurations.readConfiguration(zoneId))!;
      await eventually(
        () => (this.#versions.get(zoneId) ?? -1) >= version,
        `version ${version} of ${zoneId}`,
      );
    }
  }

  /** To the Enterprise zone, unless another host is named. */
  async send(path: string, sent: Sent = {}): Promise<Answer> {
    const {
      method = sent.body === undefined ? 'GET' : 'POST',
      host = this.host('enterprise'),
      headers,
      body,
    } = sent;
    const outgoing = request({
      port: this.port,
      host: '127.0.0.1',
      agent: false,
      path,
      method,
      headers: { host, ...headers },
    });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: incoming.statusCode!, headers: incoming.headers, body: await text(incoming) };
  }

  /** All events of a zone, the oldest first; of one request, in the order of the rules. */
  async events(plan: Plan = 'enterprise'): Promise<readonly SecurityEvent[]> {
    await this.edge.flushEvents();
    const log = this.control.control.runtime
      .namespace<EventLog>('EventLog')
      .getByName(this.control.zone(plan));
    const always = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
    const { documents } = await log.find(always, { limit: 10_000, order: 'oldest' });
    return documents.map(unpackEvent);
  }

  /** The events of the request with that answer. */
  async eventsOf({ headers }: Answer, plan: Plan = 'enterprise'): Promise<readonly SecurityEvent[]> {
    const ray = headers['cf-ray'];
    return (await this.events(plan)).filter(({ rayName }) => rayName === ray);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}
