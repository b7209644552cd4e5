/**
 * What a zone would learn from recorded traffic, and how that would change verdicts: the traffic is read twice, first
 * to learn from it, then to evaluate it with the learned model. The zone is a separate one in a temporary directory,
 * under a clock that follows the recording; all decisions are made by production code.
 */
import { randomBytes } from 'node:crypto';
import { realClock, VirtualClock } from '#base';
import type { Result } from '#client';
import { emptyGeoDatabase, isLearnedFrom, type JudgedRequest, observeValues, ZoneJudge } from '#edge';
import { CompiledZone, type ZoneConfiguration } from '#firewall';
import { Batch, waitMs } from '#learning';
import { managedParts } from '#managed';
import { RequestFields } from '#request';
import type { Plan } from '#rulesets';
import { createPlanZone } from '../plan-judge.ts';
import { judgeWhole, toIncomingRequest } from '../replay.ts';
import type { Traffic } from '../traffic/open-traffic.ts';
import { TemporaryAccount } from '../temporary-account.ts';
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
  const start = (await findStart(traffic)) ?? realClock.now();
  await using account = await TemporaryAccount.open(new VirtualClock({ start }));
  const { failures } = account;
  const zone = await LearningZone.open(account, plan);
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

class LearningZone {
  readonly #account: TemporaryAccount;
  readonly #zoneId: string;
  #batch: Batch;
  #batchEndMs: number;
  #learnedFrom = 0;

  private constructor(account: TemporaryAccount, zoneId: string, seed: string) {
    this.#account = account;
    this.#zoneId = zoneId;
    this.#batch = new Batch(seed);
    this.#batchEndMs = account.clock.now() + batchMs;
  }

  static async open(account: TemporaryAccount, plan: Plan): Promise<LearningZone> {
    const { control, client } = account;
    const zoneId = [...control.directory.zones.values()].find((zone) => zone.plan === plan)!.id;
    await client.put('/zones/{zone_id}/edge', { zone_id: zoneId, body: { learning: 'acting' } });
    const { learned } = (await control.configurations.readConfiguration(zoneId))!;
    return new LearningZone(account, zoneId, learned!.seed);
  }

  async learn(judged: JudgedRequest, atMs: number): Promise<void> {
    if (atMs >= this.#batchEndMs) await this.#tell(atMs);
    const observed = observeValues(judged);
    if (observed === undefined || observed.values.length === 0) return;
    this.#learnedFrom++;
    // Some recordings have no times.
    const day = atMs > 0 ? observed.day : Math.floor(this.#account.clock.now() / dayMs);
    this.#batch.add({ ...observed, day });
  }

  /** Sends the rest, and waits until the model is published. */
  async end(waitedMs: number): Promise<void> {
    await this.#tell(this.#account.clock.now() + waitedMs + batchMs);
    await this.#account.clock.advance(3_600_000);
    await this.#account.control.learn(this.#zoneId, new Batch(this.#batch.seed).toMessage());
  }

  async #tell(untilMs: number): Promise<void> {
    await this.#account.control.learn(this.#zoneId, this.#batch.toMessage());
    this.#batch = new Batch(this.#batch.seed);
    if (untilMs > this.#account.clock.now())
      await this.#account.clock.advance(untilMs - this.#account.clock.now());
    this.#batchEndMs = this.#account.clock.now() + batchMs;
  }

  /** The configuration with the learned model. */
  async applyTo(configuration: ZoneConfiguration): Promise<ZoneConfiguration> {
    const { learned, edge } = (await this.#account.control.configurations.readConfiguration(this.#zoneId))!;
    return { ...configuration, edge: { ...configuration.edge, learning: edge.learning! }, learned: learned! };
  }

  async describe(): Promise<Pick<LearningReport, 'learnedFrom' | 'values' | 'known'>> {
    const zone_id = this.#zoneId;
    const { result: summary } = await this.#account.client.get('/zones/{zone_id}/learning', { zone_id });
    const { result: values } = await this.#account.client.get('/zones/{zone_id}/learning/values', {
      zone_id,
      query: { per_page: 500 },
    });
    return { learnedFrom: this.#learnedFrom, known: summary.known, values };
  }
}
