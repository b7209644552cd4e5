/**
 * What a zone would learn from recorded traffic, and how that would change verdicts: the traffic is read twice, first
 * to learn from it, then to evaluate it with the learned model. The zone is a separate one in a temporary directory,
 * under a clock that follows the recording; all decisions are made by production code.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realClock, VirtualClock } from '#base';
import { Client, fetchFrom, type Result } from '#client';
import { Control } from '#control';
import { emptyGeoDatabase, isLearnedFrom, type JudgedRequest, observeValues, ZoneJudge } from '#edge';
import { CompiledZone, type ZoneConfiguration } from '#firewall';
import type { Plan } from '#rulesets';
import { Batch, waitMs } from '#learning';
import { managedParts } from '#managed';
import { RequestFields } from '#request';
import { createPlanZone } from '../plan-judge.ts';
import { judgeWhole, toIncomingRequest } from '../replay.ts';
import type { Traffic } from '../traffic/open-traffic.ts';
import type { RecordedRequest } from '../traffic/recorded-request.ts';

/** A finding that the learned model changes. */
export interface ChangedFinding {
  /** The place of the request in its file. */
  readonly at: string;
  readonly request: string;
  readonly kind: string;
  readonly effect: 'raised' | 'lowered';
  /** The value, and the learned properties of other values. */
  readonly read: string;
  readonly note: string;
}

export interface LearningReport {
  readonly requests: number;
  readonly unreadable: number;
  /** Requests that contributed to the model. */
  readonly learnedFrom: number;
  readonly values: Result<'learning.list'>;
  /** How many of them have enough data to count. */
  readonly known: number;
  readonly raised: number;
  readonly lowered: number;
  /** The first changed findings. */
  readonly changes: readonly ChangedFinding[];
}

export interface RehearseLearningOptions {
  readonly traffic: Traffic;
  readonly plan: Plan;
  /** Counts learned values even if the recording is shorter than a zone's waiting time. */
  readonly countsSoon: boolean;
}

const dayMs = 86_400_000;

/** The limit of a report, for a human reader. */
const changesMax = 1_000;

/** The part of the recording that is learned at once. */
const batchMs = 60_000;

export async function rehearseLearning(options: RehearseLearningOptions): Promise<LearningReport> {
  const { traffic, plan, countsSoon } = options;
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-rehearsal-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(directory, { recursive: true, force: true }));
  const clock = new VirtualClock({ start: (await findStart(traffic)) ?? realClock.now() });
  const failures: unknown[] = [];
  const onFailure = (error: unknown): number => failures.push(error);
  const zone = await LearningZone.open({ directory, clock, plan, onFailure });
  opened.use(zone);
  const judge = new RecordingJudge(new CompiledZone(createPlanZone(plan), managedParts));
  const counts = { requests: 0, unreadable: 0 };
  for await (const entry of traffic.read()) {
    if (entry.kind === 'unreadable') counts.unreadable++;
    else {
      counts.requests++;
      const { status = 200, receivedAtMs } = entry.request;
      if (isLearnedFrom(status)) await zone.learn(await judge.judge(entry.request), receivedAtMs);
    }
  }
  await zone.end(countsSoon ? waitMs : 0);
  if (failures.length > 0) throw failures[0];
  const found = await compare(traffic, zone.applyTo(createPlanZone(plan)));
  return { ...counts, ...(await zone.describe()), ...found };
}

async function findStart(traffic: Traffic): Promise<number | undefined> {
  for await (const entry of traffic.read())
    if (entry.kind === 'request' && entry.request.receivedAtMs > 0) return entry.request.receivedAtMs;
  return undefined;
}

class RecordingJudge {
  readonly #zone: CompiledZone;
  readonly #judge = new ZoneJudge({
    geo: emptyGeoDatabase,
    secret: randomBytes(32),
    rewritesTarget: true,
  });
  #count = 0;

  constructor(zone: CompiledZone) {
    this.#zone = zone;
  }

  judge(request: RecordedRequest): Promise<JudgedRequest> {
    return judgeWhole(this.#judge, this.#zone, toIncomingRequest(request, this.#count++), request.body);
  }
}

/** Evaluates everything again, and lists the findings that the learned model changes. */
async function compare(
  traffic: Traffic,
  configuration: Promise<ZoneConfiguration>,
): Promise<Pick<LearningReport, 'raised' | 'lowered' | 'changes'>> {
  const judge = new RecordingJudge(new CompiledZone(await configuration, managedParts));
  const counts = { raised: 0, lowered: 0 };
  const changes: ChangedFinding[] = [];
  for await (const entry of traffic.read()) {
    if (entry.kind === 'unreadable') continue;
    const { facts } = await judge.judge(entry.request);
    for (const [kind, { learned, read }] of new RequestFields(facts).attacks) {
      if (learned === undefined) continue;
      const { effect, note } = learned;
      counts[effect]++;
      const { method, target } = entry.request;
      if (changes.length < changesMax)
        changes.push({ at: entry.at ?? '', request: `${method} ${target}`, kind, effect, read, note });
    }
  }
  return { ...counts, changes };
}

interface ZoneParts {
  readonly directory: string;
  readonly clock: VirtualClock;
  readonly plan: Plan;
  /** Called when background work of the control plane fails. */
  readonly onFailure: (error: unknown) => void;
}

class LearningZone implements AsyncDisposable {
  readonly #control: Control;
  readonly #clock: VirtualClock;
  readonly #client: Client;
  readonly #zoneId: string;
  #batch: Batch;
  #batchEndMs: number;
  #learnedFrom = 0;

  private constructor(
    control: Control,
    clock: VirtualClock,
    made: { client: Client; zoneId: string; seed: string },
  ) {
    this.#control = control;
    this.#clock = clock;
    this.#client = made.client;
    this.#zoneId = made.zoneId;
    this.#batch = new Batch(made.seed);
    this.#batchEndMs = clock.now() + batchMs;
  }

  static async open({ directory, clock, plan, onFailure }: ZoneParts): Promise<LearningZone> {
    const control = await Control.open({
      directory,
      clock,
      durability: 'os',
      rateLimit: 'off',
      bootstrap: { accountName: 'Rehearsal', email: 'rehearsal@gatehouse.invalid' },
      onError: onFailure,
    });
    const { email, key } = control.bootstrapped!;
    const client = new Client({
      url: 'http://copy.invalid/client/v4',
      headers: { 'x-auth-email': email, 'x-auth-key': key },
      fetch: fetchFrom((request) => control.answer(request)),
    });
    const zoneId = [...control.directory.zones.values()].find((zone) => zone.plan === plan)!.id;
    await client.put('/zones/{zone_id}/edge', { zone_id: zoneId, body: { learning: 'acting' } });
    const { learned } = (await control.configurations.readConfiguration(zoneId))!;
    return new LearningZone(control, clock, { client, zoneId, seed: learned!.seed });
  }

  async learn(judged: JudgedRequest, atMs: number): Promise<void> {
    if (atMs >= this.#batchEndMs) await this.#tell(atMs);
    const observed = observeValues(judged);
    if (observed === undefined || observed.values.length === 0) return;
    this.#learnedFrom++;
    // Some recordings have no times.
    const day = atMs > 0 ? observed.day : Math.floor(this.#clock.now() / dayMs);
    this.#batch.add({ ...observed, day });
  }

  /** Sends the rest, and waits until the model is published. */
  async end(waitedMs: number): Promise<void> {
    await this.#tell(this.#clock.now() + waitedMs + batchMs);
    await this.#clock.advance(3_600_000);
    await this.#control.learn(this.#zoneId, new Batch(this.#batch.seed).toMessage());
  }

  async #tell(untilMs: number): Promise<void> {
    await this.#control.learn(this.#zoneId, this.#batch.toMessage());
    this.#batch = new Batch(this.#batch.seed);
    if (untilMs > this.#clock.now()) await this.#clock.advance(untilMs - this.#clock.now());
    this.#batchEndMs = this.#clock.now() + batchMs;
  }

  /** The configuration with the learned model. */
  async applyTo(configuration: ZoneConfiguration): Promise<ZoneConfiguration> {
    const { learned, edge } = (await this.#control.configurations.readConfiguration(this.#zoneId))!;
    return { ...configuration, edge: { ...configuration.edge, learning: edge.learning! }, learned: learned! };
  }

  async describe(): Promise<Pick<LearningReport, 'learnedFrom' | 'values' | 'known'>> {
    const zone_id = this.#zoneId;
    const { result: summary } = await this.#client.get('/zones/{zone_id}/learning', { zone_id });
    const { result: values } = await this.#client.get('/zones/{zone_id}/learning/values', {
      zone_id,
      query: { per_page: 500 },
    });
    return { learnedFrom: this.#learnedFrom, known: summary.known, values };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#control.close();
  }
}
