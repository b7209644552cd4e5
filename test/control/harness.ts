/** A control plane in its own directory, with the credentials of its owner. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#base';
import { Control, type ControlHosts, type ControlOptions } from '#control';
import type { EventStore, SecurityEvent } from '#events';
import { VirtualClock } from '#objects';
import type { Plan } from '#rulesets';
import { readTestRules } from '../../src/rules/seclang/crs/testing.ts';
import { findTestCluster, type TestCluster } from '../cluster/test-cluster.ts';
import { checkDocumented } from './documented-answers.ts';

async function openControl(
  options: Pick<ControlOptions, 'directory' | 'clock' | 'log' | 'fs'>,
  database: TestCluster | undefined,
): Promise<Control> {
  const joined = options.fs === undefined ? await database?.join() : undefined;
  return Control.open({
    ...joined,
    durability: 'os',
    rateLimit: 'off',
    bootstrap: { accountName: 'Test', email: 'owner@example.com' },
    onError: (error) => {
      throw error;
    },
    // A replaced disk works only in this process.
    hosts: options.fs === undefined ? describeObjectProcesses() : undefined,
    ...options,
  });
}

/** Off for most tests, because processes take time to start: `npm run verify -- test:hosts` sets the variable. */
function describeObjectProcesses(): ControlHosts | undefined {
  const count = Number(process.env['GATEHOUSE_OBJECT_HOSTS'] ?? '1');
  if (count === 1) return undefined;
  const log = createLog({ level: 'warn', format: 'text', write: (line) => process.stderr.write(line) });
  return { count, log };
}

/** A response with its parsed envelope. */
export interface Envelope {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  readonly result: any;
  readonly success: boolean;
  readonly errors: readonly {
    readonly code: number;
    readonly message: string;
    readonly source?: { readonly pointer: string };
    readonly meta?: { readonly id: string };
  }[];
  readonly messages: readonly { readonly code: number; readonly message: string }[];
  readonly result_info?: Readonly<Record<string, unknown>>;
}

interface StoredActivity {
  find(range: object, options: object): { readonly events: readonly SecurityEvent[] };
  readTraffic(spans: object): readonly unknown[];
}

const always = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

export interface RequestOptions {
  /** JSON; a string is sent as it is. */
  readonly body?: unknown;
  /** Instead of the owner's key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
}

export class TestControl {
  readonly control: Control;
  readonly clock: VirtualClock;
  readonly directory: string;
  readonly #owner: Readonly<Record<string, string>>;
  /** With `npm run test:cluster`. */
  readonly #database: TestCluster | undefined;

  private constructor(
    control: Control,
    parts: { clock: VirtualClock; directory: string; database: TestCluster | undefined },
    owner: Readonly<Record<string, string>>,
  ) {
    this.control = control;
    this.clock = parts.clock;
    this.directory = parts.directory;
    this.#database = parts.database;
    this.#owner = owner;
  }

  static async open(options: Partial<ControlOptions> = {}): Promise<TestControl> {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-control-'));
    const clock = new VirtualClock();
    const database = await findTestCluster();
    const control = await openControl({ directory, clock, ...options }, database);
    await control.setCoreRules(readTestRules());
    const { email, key } = control.bootstrapped!;
    return new TestControl(
      control,
      { clock, directory, database },
      { 'x-auth-email': email, 'x-auth-key': key },
    );
  }

  /** Stops, and starts again over the same directory. */
  async restart({
    clock = this.clock,
    meanwhile,
    ...more
  }: {
    readonly clock?: VirtualClock;
    /** Called while no process has the directory open. */
    readonly meanwhile?: () => Promise<void>;
  } & Partial<ControlOptions> = {}): Promise<TestControl> {
    await this.control.close();
    await meanwhile?.();
    const { directory } = this;
    const database = this.#database;
    const control = await openControl({ directory, clock, ...more }, database);
    return new TestControl(control, { clock, directory, database }, this.#owner);
  }

  /** The headers of the owner's key. */
  get owner(): Readonly<Record<string, string>> {
    return this.#owner;
  }

  /** The id of the demonstration zone of a plan. */
  zone(plan: Plan): string {
    return [...this.control.directory.zones.values()].find((zone) => zone.plan === plan)!.id;
  }

  /** `call('GET /zones', …)`: the path is below `/client/v4`. */
  async call(route: string, options: RequestOptions = {}): Promise<Envelope> {
    const [method, path] = route.split(/ (.*)/s, 2) as [string, string];
    const { body, headers = this.#owner, address = '127.0.0.1' } = options;
    const text: string = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
    const answer = await this.control.answer({
      method,
      target: `/client/v4${path}`,
      headers: { ...(text === '' ? {} : { 'content-type': 'application/json' }), ...headers },
      address,
      readBody: async () => Buffer.from(text),
    });
    checkDocumented({
      method,
      target: path,
      sent: text,
      status: answer.status,
      contentType: answer.headers['content-type'],
      body: typeof answer.body === 'object' && answer.body !== null ? undefined : answer.body,
    });
    const envelope = typeof answer.body === 'string' ? (JSON.parse(answer.body) as object) : {};
    return { status: answer.status, headers: answer.headers, ...envelope } as Envelope;
  }

  /** The stored events of a zone, wherever they are. */
  async findEvents(
    zoneId: string,
    options: Parameters<EventStore['find']>[2],
  ): Promise<readonly SecurityEvent[]> {
    const { files, runtime } = this.control;
    if (files !== undefined) return (await files.events.find(zoneId, always, options)).events;
    const log = runtime.namespace<StoredActivity>('ActivityLog').getByName(zoneId);
    return (await log.find(always, options)).events;
  }

  /** How many events and spans of counts are stored for a zone, whether or not the zone exists. */
  async countActivity(zoneId: string): Promise<{ readonly events: number; readonly spans: number }> {
    const { files, runtime } = this.control;
    const { length: events } = await this.findEvents(zoneId, { limit: 10, order: 'newest' });
    const range = { ...always, intervalMs: 60_000 };
    if (files !== undefined) return { events, spans: (await files.traffic.read(zoneId, range)).size };
    const log = runtime.namespace<StoredActivity>('ActivityLog').getByName(zoneId);
    return { events, spans: (await log.readTraffic(range)).length };
  }

  async close(): Promise<void> {
    await this.control.close();
    await this.#database?.remove();
    await rm(this.directory, { recursive: true, force: true });
  }
}
