/**
 * What the rules of one zone decide about a request, for the proxy and for embedded firewalls. Without a body, or with rules
 * that do not read bodies, the decision is synchronous.
 */
import { bodyBytesMax, type BodyReadings, readBody, RequestFields } from '#request';
import { RequestView } from '#expressions';
import { StepBudget } from '#base';
import {
  addUnreadable,
  type CompiledZone,
  isStricter,
  judgeAmbiguousPath,
  type Judgement,
  judgingStepsMax,
} from '#firewall';
import { Challenges } from '../challenge/challenges.ts';
import { solutionBytesMax } from '../challenge/limits.ts';
import { solutionPath } from '../challenge/page.ts';
import type { RespondDirective, IncomingRequest, InspectedBody, InspectOptions } from '../wire/exchange.ts';
import { createBlockResponse } from './responses.ts';
import type { GeoDatabase } from './geo.ts';
import type { JudgingTurns } from './judging-turns.ts';
import type { JudgedRequest } from './request-events.ts';
import { createFacts } from './request-facts.ts';
import { readTarget, splitTarget, type TargetReadings } from './target-readings.ts';

export interface Ruling {
  /** The response to the client; undefined if the request may pass. */
  readonly answer: RespondDirective | undefined;
  readonly judged: JudgedRequest;
  /** The target that was judged, for the origin. */
  readonly target: string;
}

interface ReadableBody extends BodyReadings {
  /** As it was sent. */
  readonly size: number;
}

export interface ZoneJudgeOptions {
  readonly geo: GeoDatabase;
  /** Signs puzzles and clearances. */
  readonly secret: Uint8Array;
  /** Whether the origin gets the target of the ruling. An embedded firewall cannot change what its application reads. */
  readonly rewritesTarget: boolean;
  /** Says when requests are judged; at once if it is not given. */
  readonly turns?: JudgingTurns;
}

type Inspect = (options?: Pick<InspectOptions, 'bytesMax'>) => Promise<InspectedBody>;

export class ZoneJudge {
  readonly #geo: GeoDatabase;
  readonly #challenges: Challenges;
  readonly #rewritesTarget: boolean;
  readonly #turns: JudgingTurns | undefined;

  constructor({ geo, secret, rewritesTarget, turns }: ZoneJudgeOptions) {
    this.#geo = geo;
    this.#turns = turns;
    this.#challenges = new Challenges(secret);
    this.#rewritesTarget = rewritesTarget;
  }

  /** `inspect` is called at most once, and only if there is a body that matters. */
  judge(zone: CompiledZone, request: IncomingRequest, inspect: Inspect): Ruling | Promise<Ruling> {
    if (request.target === solutionPath && request.method === 'POST') {
      return this.#inspectSolution(request, inspect).then((body) => this.#take(zone, request, body));
    }
    const readings = readTarget(request.target, zone, this.#rewritesTarget);
    if ('problem' in readings) return this.#refusePath(zone, request, readings.problem);
    if (request.body === undefined || !zone.readsBody)
      return this.#judgeInTurn(zone, request, undefined, readings);
    return inspect().then(async (body) => {
      const reading = readBody(body, request.headers);
      const size = body.declaredLength ?? body.bytes.length;
      // Awaited only if it has to be: a body that is not compressed is judged in this turn.
      const read = reading instanceof Promise ? await reading : reading;
      return this.#judgeInTurn(zone, request, { ...read, size }, readings);
    });
  }

  #judgeInTurn(
    zone: CompiledZone,
    request: IncomingRequest,
    body: ReadableBody | undefined,
    readings: TargetReadings,
  ): Ruling | Promise<Ruling> {
    const budget = new StepBudget(judgingStepsMax);
    const turns = this.#turns;
    if (turns === undefined) return this.#judgeReadings(zone, request, body, { ...readings, budget });
    const { id } = zone.configuration.zone;
    return turns.run(id, () => {
      const ruling = this.#judgeReadings(zone, request, body, { ...readings, budget });
      turns.charge(id, budget.spent);
      return ruling;
    });
  }

  /**
   * A path that origins may read in several ways is judged by each, and the strictest ruling counts. All of it together may
   * take the steps of one request.
   */
  #judgeReadings(
    zone: CompiledZone,
    request: IncomingRequest,
    body: ReadableBody | undefined,
    { target, paths, budget }: TargetReadings & { readonly budget: StepBudget },
  ): Ruling {
    let strictest = this.#applyRules(zone, request, body, { target, path: paths[0], budget });
    for (const path of paths.slice(1)) {
      if (strictest.answer !== undefined || budget.isUsedUp) break;
      const other = this.#applyRules(zone, request, body, { target, path, budget });
      if (isStricter(other.judged.judgement, strictest.judged.judgement)) strictest = other;
    }
    return strictest;
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

  /** Nobody has to wait for the rest of what is too long. */
  #inspectSolution({ body }: IncomingRequest, inspect: Inspect): Promise<InspectedBody> {
    const declaredLength = body?.declaredLength;
    return declaredLength !== undefined && declaredLength > solutionBytesMax
      ? Promise.resolve({ bytes: Buffer.alloc(0), isTruncated: true, declaredLength })
      : inspect({ bytesMax: solutionBytesMax });
  }

  #take(zone: CompiledZone, request: IncomingRequest, body: InspectedBody): Ruling {
    const { zone: named } = zone.configuration;
    const { answer, triggered } = this.#challenges.take(request, named, body);
    const geo = this.#geo.find(request.clientAddress);
    const { bytes, isTruncated } = body;
    const shown = { text: bytes.toString('latin1', 0, bodyBytesMax), size: bytes.length, isTruncated };
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

  /** A body that applications may read in several ways is judged by each as well. */
  #applyRules(
    zone: CompiledZone,
    request: IncomingRequest,
    body: ReadableBody | undefined,
    { target, path, budget }: { readonly target: string; readonly path: string; readonly budget: StepBudget },
  ): Ruling {
    const { zone: named } = zone.configuration;
    const geo = this.#geo.find(request.clientAddress);
    const clearance = this.#challenges.findClearance(request, named);
    const judgeAs = (text: string): JudgedRequest => {
      const shown = body && { text, size: body.size, isTruncated: body.isTruncated };
      const facts = createFacts({ request, zone: named, path, body: shown, geo });
      const judgement = zone.judge({ view: new RequestView(new RequestFields(facts)), clearance, budget });
      return { by: 'rules', request, zone, facts, judgement, geo };
    };
    const [first = '', ...others] = body?.texts ?? [];
    let strictest = judgeAs(first);
    for (const text of others) {
      if (strictest.judgement.verdict.kind !== 'pass' || budget.isUsedUp) break;
      const other = judgeAs(text);
      if (isStricter(other.judgement, strictest.judgement)) strictest = other;
    }
    const judgement = addUnreadable(strictest.judgement, zone.configuration.edge, body?.unreadable);
    return { answer: this.#answer(zone, request, judgement), judged: { ...strictest, judgement }, target };
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
        return createBlockResponse(request.id, verdict.response);
      case 'challenge':
        return this.#challenges.challenge(request, configuration.zone, verdict);
    }
  }
}
