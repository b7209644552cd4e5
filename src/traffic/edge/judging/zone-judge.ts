/**
 * The decision of a zone's rules about a request, for the proxy and for embedded firewalls. Without a body, or with
 * rules that do not read bodies, the decision is synchronous.
 */
import { RequestView } from '#expressions';
import { inspectedBodyBytesMax, readBody, RequestFields } from '#request';
import { StepBudget } from '#work';
import {
  addAnswer,
  type Answer,
  type CompiledZone,
  findRewrite,
  joinJudgements,
  judgeAmbiguousPath,
  type Judgement,
  listQuestions,
  noAnswer,
  type ZoneConfiguration,
} from '#firewall';
import { getJudgingSteps } from '#rulesets';
import type { AskedRequest } from '../asking/asked-response.ts';
import type { Answerer } from '../asking/asker.ts';
import { Challenges } from '../challenge/challenges.ts';
import { Signer } from '../challenge/clearance.ts';
import { solutionBytesMax } from '../challenge/limits.ts';
import { solutionPath } from '../challenge/page.ts';
import type { RespondDirective, IncomingRequest, InspectedBody, InspectOptions } from '../wire/exchange.ts';
import { createBlockResponse, createGivenResponse, createRedirectResponse } from './responses.ts';
import type { GeoDatabase } from './geo.ts';
import type { ReadableBody, ReadRequest, JudgedRequest } from './judged-request.ts';
import { countBodyBytes, judgeReadings } from './judge-readings.ts';
import { triedCpuMsMax, triedStepsMax } from './limits.ts';
import type { RequestJudging } from './request-judging.ts';
import { RateCounters, type RequestRates } from '../rates/rate-counters.ts';
import { Visitor } from '../rates/visitor.ts';
import { createFacts } from './request-facts.ts';
import { readRewritten, readTarget, splitTarget } from './target-readings.ts';

export interface Ruling {
  /** The response to the client; undefined if the request may pass. */
  readonly answer: RespondDirective | undefined;
  readonly judged: JudgedRequest;
  /** The judged target, for the origin. */
  readonly target: string;
  /** Set if rules count the request by its response. */
  readonly rates?: RequestRates;
  /** The `Set-Cookie` for a visitor that rules want to recognise. */
  readonly visitorCookie?: string;
}

export interface ZoneJudgeOptions {
  readonly geo: GeoDatabase;
  /** Signs puzzles and clearances. */
  readonly secret: Uint8Array;
  /**
   * Whether the origin gets the target of the ruling. An embedded firewall cannot change the target that its
   * application reads.
   */
  readonly rewritesTarget: boolean;
  /** Decides when and where requests are judged; without it, here and at once. */
  readonly judging?: RequestJudging;
  /** Answers rules that ask about visitors; without it, their defaults apply. */
  readonly asker?: Answerer;
  /** Counters, shared with other processes if given; otherwise the judge creates its own. */
  readonly rates?: RateCounters;
}

/** Undefined means the default. */
function readClearanceMs({ settings }: ZoneConfiguration): number | undefined {
  const seconds = settings?.challenge_ttl;
  return seconds === undefined ? undefined : seconds * 1_000;
}

/**
 * Runs the rules that ask about, or change, a request that passes. If that takes too long, the zone's setting for such
 * requests applies.
 */
function runChanges(group: 'ask' | 'forward', judged: JudgedRequest): JudgedRequest {
  const { zone, facts, judgement } = judged;
  const budget = new StepBudget(triedStepsMax, { cpuMsMax: triedCpuMsMax });
  const { skippedPhases = {} } = judgement;
  const view = new RequestView(new RequestFields(facts));
  const after = zone.changeForwarded(group, view, { budget, skippedPhases });
  return after === undefined ? judged : { ...judged, judgement: joinJudgements(judgement, after) };
}

/** An explanation that was created earlier does not contain the answer. */
function withAnswer(
  judged: JudgedRequest,
  ...answered: [ReturnType<typeof listQuestions>[number], Answer]
): JudgedRequest {
  const { explanation: _explanation, ...rest } = judged;
  return { ...rest, judgement: addAnswer(judged.judgement, ...answered) };
}

type Inspect = (options?: Pick<InspectOptions, 'bytesMax'>) => Promise<InspectedBody>;

export class ZoneJudge {
  readonly #geo: GeoDatabase;
  readonly #signer: Signer;
  readonly #challenges: Challenges;
  readonly #rewritesTarget: boolean;
  readonly #judging: RequestJudging | undefined;
  readonly #rates: RateCounters;
  readonly #asker: Answerer | undefined;

  constructor({ geo, secret, rewritesTarget, judging, asker, rates = new RateCounters() }: ZoneJudgeOptions) {
    this.#asker = asker;
    this.#rates = rates;
    this.#geo = geo;
    this.#judging = judging;
    this.#signer = new Signer(secret);
    this.#challenges = new Challenges(this.#signer);
    this.#rewritesTarget = rewritesTarget;
  }

  /** `inspect` is called at most once, and only if there is a body that a rule reads. */
  judge(zone: CompiledZone, request: IncomingRequest, inspect: Inspect): Ruling | Promise<Ruling> {
    if (request.target === solutionPath && request.method === 'POST') {
      return this.#inspectSolution(request, inspect).then((body) => this.#take(zone, request, body));
    }
    const readings = readTarget(request.target, zone, this.#rewritesTarget);
    if ('problem' in readings) return this.#refusePath(zone, request, readings.problem);
    const before = zone.changesRequests ? this.#change(zone, request, readings) : undefined;
    if (before !== undefined && before.judgement.verdict.kind !== 'pass')
      return this.#toRuling(zone, before, readings.target);
    const rewrite = findRewrite(before?.judgement.changes);
    const seen = rewrite === undefined ? readings : readRewritten(request.target, rewrite, zone);
    if ('problem' in seen) return this.#refusePath(zone, request, seen.problem);
    const changed = { readings: seen, before: before?.judgement };
    if (request.body === undefined || !zone.readsBody)
      return this.#judgeRead(zone, request, undefined, changed);
    return inspect().then(async (body) => {
      const bytesMax = Math.max(inspectedBodyBytesMax, body.bytesMax ?? 0);
      const reading = readBody({ ...body, bytesMax }, request.headers);
      const size = body.declaredLength ?? body.bytes.length;
      // Awaited only if necessary: an uncompressed body is judged in this turn.
      const read = reading instanceof Promise ? await reading : reading;
      return this.#judgeRead(zone, request, { ...read, size }, changed);
    });
  }

  /**
   * Applies the rules that change a request before other rules judge it. They read only its head, so they need not wait
   * for its body.
   */
  #change(
    zone: CompiledZone,
    request: IncomingRequest,
    readings: ReadRequest['readings'],
  ): JudgedRequest | undefined {
    const geo = this.#geo.find(request.clientAddress);
    const { zone: named } = zone.configuration;
    const facts = createFacts({ request, zone: named, path: readings.paths[0], body: undefined, geo });
    const budget = new StepBudget(triedStepsMax, { cpuMsMax: triedCpuMsMax });
    const judgement = zone.changeRequest(new RequestView(new RequestFields(facts)), budget);
    return judgement && { by: 'rules', request, zone, facts, judgement, geo };
  }

  #judgeRead(
    zone: CompiledZone,
    request: IncomingRequest,
    body: ReadableBody | undefined,
    { readings, before }: Pick<ReadRequest, 'readings' | 'before'>,
  ): Ruling | Promise<Ruling> {
    const read: ReadRequest = {
      request,
      body,
      readings,
      before,
      geo: this.#geo.find(request.clientAddress),
      clearance: this.#challenges.findClearance(
        request,
        zone.configuration.zone,
        readClearanceMs(zone.configuration),
      ),
    };
    const conclude = (judged: JudgedRequest): Ruling => {
      const ruling = this.#toRuling(zone, judged, readings.target);
      if (rates === undefined) return ruling;
      const visitorCookie = ruling.answer === undefined ? rates.cookie : undefined;
      return {
        ...ruling,
        ...(rates.awaitsResponse ? { rates } : {}),
        ...(visitorCookie === undefined ? {} : { visitorCookie }),
      };
    };
    const toRuling = (judged: JudgedRequest): Ruling | Promise<Ruling> => {
      const told = rates?.notifyOthers();
      return told === undefined ? toOwnRuling(judged) : told.then(() => toOwnRuling(judged));
    };
    const toOwnRuling = (judged: JudgedRequest): Ruling | Promise<Ruling> => {
      if (!zone.asks || judged.judgement.verdict.kind !== 'pass') return conclude(judged);
      const answered = this.#ask(judged, readings.target);
      return answered instanceof Promise ? answered.then(conclude) : conclude(answered);
    };
    const rates = zone.limitsRates ? this.#openRates(zone.configuration, request) : undefined;
    if (this.#judging === undefined)
      return toRuling(
        judgeReadings(zone, read, { budget: new StepBudget(getJudgingSteps(countBodyBytes(read))), rates }),
      );
    const judged = this.#judging.judge(zone, read, rates);
    return judged instanceof Promise ? judged.then(toRuling) : toRuling(judged);
  }

  #openRates({ zone }: ZoneConfiguration, request: IncomingRequest): RequestRates {
    return this.#rates.open(zone.id, new Visitor(this.#signer, request, zone));
  }

  /** Asks the questions of rules about a request that passes, one after the other, until an answer stops it. */
  #ask(judged: JudgedRequest, target: string): JudgedRequest | Promise<JudgedRequest> {
    const { zone, request } = judged;
    const asking = runChanges('ask', judged);
    const asked = { request, target, zone: zone.configuration.zone };
    const questions = listQuestions(asking.judgement.changes);
    let current = asking;
    for (const [index, question] of questions.entries()) {
      if (current.judgement.verdict.kind !== 'pass') return current;
      const answer =
        this.#asker?.ask(question.effect.question, asked, question.ref) ??
        noAnswer('external checks are not available here');
      // A zone with one question whose answer is cached is judged in this turn.
      if (answer instanceof Promise)
        return this.#awaitAnswers(current, questions.slice(index), asked, answer);
      current = withAnswer(current, question, answer);
    }
    return current;
  }

  async #awaitAnswers(
    given: JudgedRequest,
    questions: ReturnType<typeof listQuestions>,
    asked: AskedRequest,
    first: Promise<Answer>,
  ): Promise<JudgedRequest> {
    let current = given;
    for (const [index, question] of questions.entries()) {
      if (current.judgement.verdict.kind !== 'pass') break;
      const answer = index === 0 ? first : this.#asker!.ask(question.effect.question, asked, question.ref);
      current = withAnswer(current, question, await answer);
    }
    return current;
  }

  #toRuling(zone: CompiledZone, given: JudgedRequest, target: string): Ruling {
    const isForwarded = given.judgement.verdict.kind === 'pass';
    const judged = isForwarded && zone.changesForwarding ? runChanges('forward', given) : given;
    return { answer: this.#answer(zone, judged.request, judged.judgement), judged, target };
  }

  #refusePath(zone: CompiledZone, request: IncomingRequest, problem: string): Ruling {
    const judgement = judgeAmbiguousPath(problem);
    const geo = this.#geo.find(request.clientAddress);
    const { path } = splitTarget(request.target);
    const facts = createFacts({ request, zone: zone.configuration.zone, path, body: undefined, geo });
    return {
      answer: this.#answer(zone, request, judgement),
      judged: { by: 'rules', request, zone, facts, judgement, geo },
      target: request.target,
    };
  }

  /** A body that is too long need not be read to its end. */
  #inspectSolution({ body }: IncomingRequest, inspect: Inspect): Promise<InspectedBody> {
    const declaredLength = body?.declaredLength;
    return declaredLength !== undefined && declaredLength > solutionBytesMax
      ? Promise.resolve({ bytes: Buffer.alloc(0), isTruncated: true, declaredLength })
      : inspect({ bytesMax: solutionBytesMax });
  }

  #take(zone: CompiledZone, request: IncomingRequest, body: InspectedBody): Ruling {
    const { zone: named } = zone.configuration;
    const { answer, triggered } = this.#challenges.take(
      request,
      named,
      body,
      readClearanceMs(zone.configuration),
    );
    const geo = this.#geo.find(request.clientAddress);
    const { bytes, isTruncated } = body;
    const shown = {
      text: bytes.toString('latin1', 0, inspectedBodyBytesMax),
      size: bytes.length,
      isTruncated,
    };
    const facts = createFacts({ request, zone: named, path: solutionPath, body: shown, geo });
    const judgement: Judgement = {
      verdict: { kind: 'pass' },
      triggered: triggered === undefined ? [] : [triggered],
      steps: [],
      isBodyGuarded: false,
      clearance: undefined,
    };
    return {
      answer,
      judged: { by: 'challenges', request, zone, facts, judgement, geo },
      target: request.target,
    };
  }

  #answer(
    { configuration }: CompiledZone,
    request: IncomingRequest,
    { verdict }: Judgement,
  ): RespondDirective | undefined {
    switch (verdict.kind) {
      case 'pass':
        return undefined;
      case 'block':
        return verdict.answer === undefined
          ? createBlockResponse(request.id, verdict.response, verdict.by.rate)
          : createGivenResponse(verdict.answer);
      case 'answer':
        return createGivenResponse(verdict.answer);
      case 'redirect':
        return createRedirectResponse(verdict.status, verdict.location);
      case 'challenge':
        return this.#challenges.challenge(request, configuration.zone, verdict);
    }
  }
}
