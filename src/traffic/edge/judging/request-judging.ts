/**
 * Decides when and where requests are judged, so that a slow request delays only its own zone:
 *
 * - A request is tried in this thread, in its turn (`judging-turns.ts`), for a few milliseconds. Nearly all are judged
 *   in that time.
 * - A request that takes longer is judged from the start in a separate thread (`thread/judging-thread.ts`) with its
 *   whole budget. The result is the same.
 * - Rates are counted in the first try, and therefore once. A request whose try ends before that is not counted.
 * - A request goes to the thread directly if it has a large body, or if several requests of its zone have just taken
 *   longer.
 */
import { type Clock, realClock } from '#base';
import { StepBudget } from '#work';
import type { CoreRules } from '#seclang';
import {
  addExhausted,
  type CompiledZone,
  type Judgement,
  type OriginResponse,
  type RateCounter,
} from '#firewall';
import { copyGeo } from './geo.ts';
import { createFacts } from './request-facts.ts';
import type { JudgedRequest, ReadRequest } from './judged-request.ts';
import { judgeReadings } from './judge-readings.ts';
import { JudgingTurns } from './judging-turns.ts';
import { longBodyMin, triedCpuMsMax, triedStepsMax, triesLostMax } from './limits.ts';
import { JudgingThread, type ThreadEnd, ThreadEndedError } from './thread/judging-thread.ts';
import type { ThreadRuling } from './thread/thread-messages.ts';

export interface RequestJudgingOptions {
  readonly clock?: Clock;
  /** Called when the thread had to be killed. */
  readonly onThreadEnd?: ((end: ThreadEnd) => void) | undefined;
}

export class RequestJudging {
  readonly #turns = new JudgingTurns();
  readonly #clock: Clock;
  readonly #onThreadEnd: RequestJudgingOptions['onThreadEnd'];
  #thread: JudgingThread;
  #inThread = 0;
  /** Failed tries in this second, by zone. */
  readonly #lostTries = new Map<string, number>();
  #secondEndMs = 0;

  constructor({ clock = realClock, onThreadEnd }: RequestJudgingOptions = {}) {
    this.#clock = clock;
    this.#onThreadEnd = onThreadEnd;
    this.#thread = new JudgingThread({ onEnd: onThreadEnd });
  }

  /** Requests that waited for a turn, and those that were judged in the thread. */
  get counts(): { readonly delayed: number; readonly heldBack: number; readonly inThread: number } {
    return { ...this.#turns.counts, inThread: this.#inThread };
  }

  /** `rates` counts the request for the rules of the zone; undefined if none of them counts. */
  judge(
    zone: CompiledZone,
    read: ReadRequest,
    rates: RateCounter | undefined,
  ): JudgedRequest | Promise<JudgedRequest> {
    const { id } = zone.configuration.zone;
    if (this.#isLong(id, read)) return this.#judgeLong(zone, read, rates);
    return this.#try(id, (budget) => {
      const judged = judgeReadings(zone, read, { budget, rates });
      if (budget.exceeded !== undefined) return this.#judgeInThread(zone, read);
      return judged.judgement.responseRules === undefined ? judged : { ...judged, awaited: read };
    });
  }

  /** The judgement of request and response together, for a request that waits for its response. */
  judgeResponse(judged: JudgedRequest, response: OriginResponse): JudgedRequest | Promise<JudgedRequest> {
    const { zone, judgement, awaited } = judged;
    if (judgement.responseRules === undefined) return this.#judgeInThread(zone, awaited!, response);
    return this.#try(zone.configuration.zone.id, (budget) => {
      const after = zone.judgeResponse(judgement, response, budget);
      return budget.exceeded === undefined
        ? { ...judged, judgement: after }
        : this.#judgeInThread(zone, awaited!, response);
    });
  }

  /** Applies to requests that arrive from now on. */
  replaceCoreRules(coreRules: CoreRules | undefined): void {
    this.#thread.close();
    this.#thread = new JudgingThread({ coreRules, onEnd: this.#onThreadEnd });
  }

  close(): void {
    this.#thread.close();
  }

  #try(
    zoneId: string,
    judge: (budget: StepBudget) => JudgedRequest | Promise<JudgedRequest>,
  ): JudgedRequest | Promise<JudgedRequest> {
    return this.#turns.run(zoneId, () => {
      const budget = new StepBudget(triedStepsMax, { cpuMsMax: triedCpuMsMax });
      const judged = judge(budget);
      this.#turns.charge(zoneId, budget.spent);
      if (budget.exceeded !== undefined) this.#lostTries.set(zoneId, (this.#lostTries.get(zoneId) ?? 0) + 1);
      return judged;
    });
  }

  /** Rates are counted in this thread: a client over its limit never reaches the other one. */
  #judgeLong(
    zone: CompiledZone,
    read: ReadRequest,
    rates: RateCounter | undefined,
  ): JudgedRequest | Promise<JudgedRequest> {
    if (rates === undefined) return this.#judgeInThread(zone, read);
    return this.#try(zone.configuration.zone.id, (budget) => {
      const judged = judgeReadings(zone, read, { budget, rates, until: 'rates' });
      const isStopped = judged.judgement.verdict.kind !== 'pass' && budget.exceeded === undefined;
      return isStopped ? judged : this.#judgeInThread(zone, read);
    });
  }

  #isLong(zoneId: string, { body }: ReadRequest): boolean {
    if (body !== undefined && body.texts.some(({ length }) => length >= longBodyMin)) return true;
    if (this.#lostTries.size === 0) return false;
    const nowMs = this.#clock.now();
    if (nowMs >= this.#secondEndMs) {
      this.#secondEndMs = nowMs + 1_000;
      this.#lostTries.clear();
    }
    return (this.#lostTries.get(zoneId) ?? 0) >= triesLostMax;
  }

  async #judgeInThread(
    zone: CompiledZone,
    read: ReadRequest,
    response?: OriginResponse,
  ): Promise<JudgedRequest> {
    this.#inThread++;
    const { request, body, readings, geo } = read;
    const before = read.before && withoutFilters(read.before);
    const copied = { ...read, before, geo: copyGeo(geo), ...(response === undefined ? {} : { response }) };
    const { judgement, awaitsResponse, explanation } = await this.#thread
      .judge(zone, copied)
      .catch((error: unknown): ThreadRuling => {
        if (!(error instanceof ThreadEndedError)) throw error;
        return { judgement: giveUp(zone, read, error.end), awaitsResponse: false };
      });
    const shown = body && { text: body.texts[0] ?? '', size: body.size, isTruncated: body.isTruncated };
    const { zone: named } = zone.configuration;
    const { paths, query } = readings;
    const facts = createFacts({
      request,
      zone: named,
      path: paths[0],
      query,
      body: shown,
      geo,
      learned: zone.learned,
    });
    return {
      by: 'rules',
      request,
      zone,
      facts,
      judgement,
      geo,
      ...(explanation === undefined ? {} : { explanation }),
      ...(awaitsResponse ? { awaited: read } : {}),
    };
  }
}

/** Filters cannot be sent to a thread. */
function withoutFilters(before: Judgement): Judgement {
  const { changes } = before;
  return changes === undefined
    ? before
    : { ...before, changes: changes.map(({ filter: _filter, ...change }) => change) };
}

/** The result as if the budget ran out in the rule where the thread was. */
function giveUp(zone: CompiledZone, { clearance }: ReadRequest, { rule = '' }: ThreadEnd): Judgement {
  const exhausted = {
    source: 'firewallManaged',
    ruleId: rule,
    rulesetId: '',
    description: '',
    limit: 'time',
  } as const;
  const nothing: Judgement = {
    verdict: { kind: 'pass' },
    triggered: [],
    steps: [],
    isBodyGuarded: false,
    clearance,
    exhausted,
  };
  return addExhausted(nothing, zone.configuration.edge);
}
