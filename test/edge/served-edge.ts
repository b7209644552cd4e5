/**
 * A control plane, an edge fed by it, and an application behind it: everything is real except the clock of the control
 * plane.
 */
import { equal } from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createLog, realClock } from '#base';
import { type FeedSource, readConfigurations } from '#control';
import { Edge, type EdgeOptions } from '#edge';
import type { SecurityEvent } from '#events';
import type { Plan } from '#rulesets';
import { EdgeFeed } from '../../src/program/server/edge/edge-feed.ts';
import { type Envelope, TestControl } from '../control/harness.ts';
import { eventually } from '../eventually.ts';
import { TestOrigin } from './test-origin.ts';

type Line = Readonly<Record<string, unknown>>;

type AccountPart = Parameters<Edge['updateAccount']>[0];
type ZonePart = Parameters<Edge['updateZone']>[0];

/** The last configuration sent to the edge. */
interface Received {
  readonly zones: Map<string, ZonePart>;
  account: AccountPart | undefined;
}

/** Versions also grow with changes that do not concern the zone. */
function toText(part: ZonePart): string {
  return JSON.stringify({ ...part, version: 0 });
}

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
  readonly #received: Received;
  readonly #opened: AsyncDisposableStack;

  private constructor(
    parts: Pick<ServedEdge, 'control' | 'edge' | 'origin' | 'lines'> & {
      readonly opened: AsyncDisposableStack;
    },
    received: Received,
  ) {
    this.control = parts.control;
    this.edge = parts.edge;
    this.origin = parts.origin;
    this.lines = parts.lines;
    this.#opened = parts.opened;
    this.#received = received;
  }

  static async open(
    options: Partial<EdgeOptions> & {
      readonly source?: (real: FeedSource) => FeedSource;
    } = {},
  ): Promise<ServedEdge> {
    const { source: wrap = (real) => real, ...edgeOptions } = options;
    // Open resources are closed after a failure, or the test would never end.
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
    const received: Received = { zones: new Map(), account: undefined };
    const end = new AbortController();
    const source = wrap({ ...control.control.configurations, clock: realClock });
    const feed = new EdgeFeed({
      connect: (wanted) => readConfigurations(source, end.signal, wanted),
      signal: end.signal,
      edge: {
        announce: (zones) => edge.announce(zones),
        updateAccount: (part) => {
          edge.updateAccount(part);
          received.account = part;
        },
        updateCoreRules: (rules) => edge.updateCoreRules(rules),
        updateZone: async (part) => {
          const problems = await edge.updateZone(part);
          received.zones.set(part.zone.id, part);
          return problems;
        },
        isLoaded: (zoneId) => edge.isLoaded(zoneId),
        setLoader: (loader) => edge.setLoader(loader),
        remove: (zoneId) => {
          edge.remove(zoneId);
          received.zones.delete(zoneId);
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
    return new ServedEdge({ control, edge, origin, lines, opened: opened.move() }, received);
  }

  get port(): number {
    return this.edge.addresses[0]!.port;
  }

  /** The name of the demonstration zone of a plan. */
  host(plan: Plan): string {
    return this.control.control.directory.zones.get(this.control.zone(plan))!.name;
  }

  /** Sets the origin of a zone to the application. Tests choose the rules themselves. */
  async serve(plan: Plan, more: object = {}): Promise<void> {
    await this.do(`PUT /zones/${this.control.zone(plan)}/edge`, {
      origin: { url: this.origin.url },
      protect: false,
      ...more,
    });
  }

  /** An operation that must succeed; its changes are in force when this resolves. */
  async do(route: string, body?: unknown): Promise<Envelope> {
    const answer = await this.control.call(route, { body });
    equal(answer.success, true, `${route}: ${JSON.stringify(answer.errors)}`);
    await this.inForce();
    return answer;
  }

  /** Waits until the edge has the control plane's configuration. */
  async inForce(): Promise<void> {
    const { configurations, directory } = this.control.control;
    const account = (await configurations.readAccount(undefined))!;
    await eventually(() => this.#received.account?.version === account.version, 'the account');
    await eventually(() => this.edge.stats().zones === directory.zones.size, 'the names of all zones');
    for (const zoneId of directory.zones.keys()) {
      if (!this.edge.isLoaded(zoneId)) continue;
      const wanted = toText((await configurations.readZone(zoneId))!);
      await eventually(() => {
        const part = this.#received.zones.get(zoneId);
        return part !== undefined && toText(part) === wanted;
      }, `the configuration of ${zoneId}`);
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
    return await this.control.findEvents(this.control.zone(plan), { limit: 10_000, order: 'oldest' });
  }

  /** The events of the request with this response. */
  async eventsOf({ headers }: Answer, plan: Plan = 'enterprise'): Promise<readonly SecurityEvent[]> {
    const ray = headers['cf-ray'];
    return (await this.events(plan)).filter(({ rayName }) => rayName === ray);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}
