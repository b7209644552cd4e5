/**
 * Judges requests for the wire: finds the zone, evaluates its rules, answers or forwards, and passes the events to the
 * activity log. It does so synchronously if the zone is loaded and there is no body or no rule that reads bodies. A
 * request for a zone that is not loaded waits for it; if the zone cannot be loaded, the request is refused.
 *
 * A request is judged by one version of its zone: the one in force when its head arrived.
 */
import type { CoreRules } from '#seclang';
import type { EventRecorder } from '#events';
import { findRoute, findSettings, type Judgement, listAnswers } from '#firewall';
import type { ZoneSettings } from '#zone-settings';
import { type EdgeResponse, createEdgeResponse } from '../wire/edge-response.ts';
import {
  askedHostField,
  type Directive,
  type IncomingRequest,
  type Judge,
  type ForwardDirective,
  type ExchangeOutcome,
  readField,
  type ResponseInspection,
  type EdgeDecision,
} from '../wire/exchange.ts';
import {
  createBlockResponse,
  createNoOriginResponse,
  createNoZoneResponse,
  createStartingResponse,
  createUnavailableResponse,
  createWrongNameResponse,
} from '../judging/responses.ts';
import { solutionPath } from '../challenge/page.ts';
import { answerAcmeChallenge } from './acme-proofs.ts';
import { type EdgeZone, findServing } from './edge-zone.ts';
import { defaultTlsChoice } from './tls-choice.ts';
import type { JudgedRequest } from '../judging/judged-request.ts';
import type { Learner } from '../learning/learner.ts';
import { countByResponse } from '../rates/count-by-response.ts';
import { createPendingEvents } from '../judging/request-events.ts';
import { RequestJudging, type RequestJudgingOptions } from '../judging/request-judging.ts';
import { addOriginFields } from './origin-fields.ts';
import type { BalancerState } from '../balancing/balancer.ts';
import { addCookies, listForwardChanges, replaceError, routeOrigin } from './forward-changes.ts';
import { createResponseInspection } from '../judging/response-inspection.ts';
import { configureServing, type Serving, toPoolOrigin } from './serving.ts';
import { readTarget, splitTarget } from '../judging/target-readings.ts';
import { describeClient } from './worker-cf.ts';
import { type Ruling, ZoneJudge, type ZoneJudgeOptions } from '../judging/zone-judge.ts';
import type { ZoneTable } from './zone-table.ts';

export interface JudgeOptions
  extends Omit<ZoneJudgeOptions, 'rewritesTarget' | 'judging'>, Pick<RequestJudgingOptions, 'onThreadEnd'> {
  readonly zones: ZoneTable;
  readonly recorder: EventRecorder;
  readonly balancing: BalancerState;
  /** Learns from requests; undefined if learning is off. */
  readonly learner?: Learner | undefined;
}

/** Requests by outcome. */
export interface VerdictCounts {
  readonly forwarded: number;
  readonly blocked: number;
  readonly challenged: number;
  /** Requests without a zone, or whose zone has no origin or cannot be loaded. */
  readonly unserved: number;
}

/** Requests that cost more than they should. */
export interface JudgingCounts {
  /** Requests that waited for a later turn of the event loop, and those of them whose zone had used up its share. */
  readonly delayed: number;
  readonly heldBack: number;
  /** Requests that took so long that they were moved to the judging thread. */
  readonly inThread: number;
  /** Requests that exceeded their step budget, by zone name; zones beyond the limit count as `other`. */
  readonly exhausted: Readonly<Record<string, number>>;
}

/** Further zones are counted together as `other`. No zone can have that name, because it has no dot. */
const countedZonesMax = 1_000;
const otherZones = 'other';

export class RequestJudge {
  readonly counts = { forwarded: 0, blocked: 0, challenged: 0, unserved: 0 };
  readonly #judging: RequestJudging;
  /** Initialised with 0, so that the metric exists before the first such request. */
  readonly #exhausted = new Map<string, number>([[otherZones, 0]]);
  readonly #zones: ZoneTable;
  readonly #recorder: EventRecorder;
  readonly #rules: ZoneJudge;
  readonly #knowsCountries: boolean;
  readonly #balancing: BalancerState;
  readonly #learner: Learner | undefined;

  constructor({ zones, recorder, balancing, learner, onThreadEnd, ...options }: JudgeOptions) {
    this.#balancing = balancing;
    this.#learner = learner;
    this.#knowsCountries = options.geo.hasCountries === true;
    this.#zones = zones;
    this.#recorder = recorder;
    this.#judging = new RequestJudging({ onThreadEnd });
    this.#rules = new ZoneJudge({ ...options, rewritesTarget: true, judging: this.#judging });
  }

  get judgingCounts(): JudgingCounts {
    return { ...this.#judging.counts, exhausted: Object.fromEntries(this.#exhausted) };
  }

  /** Must be called when the OWASP rules were replaced. */
  replaceCoreRules(rules: CoreRules | undefined): void {
    this.#judging.replaceCoreRules(rules);
  }

  close(): void {
    this.#judging.close();
  }

  readonly judge: Judge = (request, inspect) => {
    const { id, host, isMisdirected = false } = request;
    const known = isMisdirected ? undefined : this.#zones.find(host);
    if (known === undefined) return this.#refuseName(id, isMisdirected);
    const zone = this.#zones.use(known.id);
    return zone === undefined
      ? this.#loadAndJudge(known.id, request, inspect)
      : this.#judge(zone, request, inspect);
  };

  async #loadAndJudge(
    zoneId: string,
    request: IncomingRequest,
    inspect: Parameters<Judge>[1],
  ): Promise<Directive> {
    const zone = await this.#zones.load(zoneId);
    if (zone !== undefined) return this.#judge(zone, request, inspect);
    this.counts.unserved++;
    return this.#zones.has(zoneId) ? createUnavailableResponse(request.id) : createNoZoneResponse(request.id);
  }

  #judge(
    zone: EdgeZone,
    request: IncomingRequest,
    inspect: Parameters<Judge>[1],
  ): Directive | Promise<Directive> {
    if (this.#isElsewhere(zone, request)) return this.#refuseName(request.id, true);
    const plain = zone.plain && this.#forwardPlain(zone.plain, zone, request);
    if (plain !== undefined) return plain;
    const { zone: named, acmeThumbprint } = zone.rules.configuration;
    const zoneId = named.id;
    const proof = acmeThumbprint === undefined ? undefined : answerAcmeChallenge(request, acmeThumbprint);
    if (proof !== undefined) return { ...proof, about: { zone: named, verdict: 'answered' } };
    const serving = findServing(zone, request);
    if (request.isFromWorker === true) return this.#passToOrigin(request, zone, serving);
    const moved = redirectScheme(request, serving.settings);
    if (moved !== undefined)
      return addSecureFields({ ...moved, about: { zone: named, verdict: 'answered' } }, request, serving);
    const { requestBodyBytesMax } = serving.forwarding;
    const ruling = this.#rules.judge(zone.rules, request, (options) =>
      inspect({ ...options, zone: zoneId, requestBodyBytesMax }),
    );
    return ruling instanceof Promise
      ? ruling.then((given) => this.#createDirective(request, { zone, serving }, given))
      : this.#createDirective(request, { zone, serving }, ruling);
  }

  /** Inspects nothing that no rule or setting asks for. Undefined if the request needs more than this. */
  #forwardPlain(
    plain: ForwardDirective,
    { rules, serving }: EdgeZone,
    { target, isFromWorker }: IncomingRequest,
  ): ForwardDirective | undefined {
    if (isFromWorker === true || target === solutionPath) return undefined;
    if (this.#knowsCountries && serving.settings.ip_geolocation === 'on') return undefined;
    const readings = readTarget(target, rules, true);
    if ('problem' in readings) return undefined;
    this.counts.forwarded++;
    return readings.target === target ? plain : { ...plain, target: readings.target };
  }

  /** The rules have passed a request that a Worker answers. */
  #passToOrigin(
    request: IncomingRequest,
    zone: EdgeZone,
    { origin, settings, forwarding }: Serving,
  ): Directive {
    const { zone: named } = zone.rules.configuration;
    if (origin === undefined) return createNoOriginResponse(request.id);
    return {
      kind: 'forward',
      origin,
      zone: named.id,
      claims: zone.claims,
      hostHeader: readField(request.headers, askedHostField),
      requestOperations: [{ name: askedHostField, operation: 'remove' }],
      ...addOriginFields(request, { settings, country: undefined }),
      ...forwarding,
      about: { zone: named, verdict: 'forwarded' },
    };
  }

  /**
   * Whether the request came on a connection to another zone of the same certificate whose TLS settings this zone would
   * not have offered.
   */
  #isElsewhere(zone: EdgeZone, { serverName, host, httpVersion }: IncomingRequest): boolean {
    if (serverName === undefined || serverName === host) return false;
    if (httpVersion === '2' && zone.serving.settings.http2 === 'off') return true;
    const asked = zone.tls === defaultTlsChoice ? undefined : this.#zones.find(serverName.toLowerCase());
    return asked !== undefined && asked.id !== zone.rules.configuration.zone.id;
  }

  #refuseName(id: string, isMisdirected: boolean): Directive {
    this.counts.unserved++;
    return {
      ...this.#createUnservedResponse(id, isMisdirected),
      about: { zone: undefined, verdict: 'unserved' },
    };
  }

  #createUnservedResponse(id: string, isMisdirected: boolean): EdgeResponse {
    if (isMisdirected) return createWrongNameResponse(id);
    return this.#zones.isComplete ? createNoZoneResponse(id) : createStartingResponse(id);
  }

  #createDirective(
    request: IncomingRequest,
    { zone, serving: given }: ServedZone,
    ruling: Ruling,
  ): Directive {
    const settings = findSettings(ruling.judged.judgement.changes);
    const served = { zone, serving: configureServing(given, zone.rules.configuration, settings) };
    return addSecureFields(this.#carryOut(request, served, ruling), request, served.serving);
  }

  #carryOut(
    request: IncomingRequest,
    { zone, serving }: ServedZone,
    { answer, judged, target, rates, visitorCookie }: Ruling,
  ): Directive {
    const reported =
      judged.judgement.triggered.length === 0
        ? {}
        : {
            onResponse: (outcome: ExchangeOutcome): void =>
              this.#recorder.record(createPendingEvents(judged, outcome)),
          };
    const { verdict: given, exhausted } = judged.judgement;
    if (exhausted !== undefined) this.#countExhausted(zone.rules.configuration.zone.name);
    const named = zone.rules.configuration.zone;
    const hasEvents = judged.judgement.triggered.length > 0;
    const describe = (verdict: EdgeDecision): Pick<Directive, 'about'> => ({
      about: {
        zone: named,
        verdict,
        ruleId: given.kind === 'pass' ? undefined : given.by.ruleId,
        hasEvents,
        asked: zone.rules.asks ? listAnswers(judged.judgement.changes) : undefined,
      },
    });
    if (answer !== undefined) {
      this.#countAnswer(given);
      const replaced = isOwnPage(given) && 'status' in answer ? replaceError(judged, answer) : undefined;
      return { ...(replaced ?? answer), ...reported, ...describe(answerVerdicts[given.kind]) };
    }
    const { settings } = serving;
    const routed = zone.workers?.find(request.host, splitTarget(target).path);
    const route = findRoute(judged.judgement.changes);
    const balanced =
      routed == null && route?.connectTo === undefined ? zone.balancers?.find(request.host) : undefined;
    const choice = balanced?.choose({
      request,
      state: this.#balancing,
      toOrigin: (member) => routeOrigin(toPoolOrigin(member, serving, named.name), route),
    });
    const own = serving.origin && routeOrigin(serving.origin, route);
    const origin = routed ?? (balanced === undefined ? own : choice?.origin);
    if (origin === undefined) {
      this.counts.unserved++;
      const page = createNoOriginResponse(request.id);
      return { ...(replaceError(judged, page) ?? page), ...reported, ...describe('unserved') };
    }
    const told = addOriginFields(
      request,
      { settings, country: this.#knowsCountries ? judged.geo.country : undefined },
      origin.worker === undefined ? [] : describeClient(request, judged.geo, named.name),
    );
    const { claims } = zone;
    const forward = {
      kind: 'forward',
      origin,
      zone: named.id,
      target,
      claims,
      ...told,
      ...serving.forwarding,
      ...addCookies(listForwardChanges(judged, route), choice, visitorCookie),
      ...(choice === undefined ? {} : { choice }),
      ...(isDeveloped(request, settings) ? { compresses: false } : {}),
    } as const;
    if (judged.awaited === undefined) this.counts.forwarded++;
    const answered = judged.awaited === undefined ? reported : this.#inspectResponse(judged);
    const plain: ForwardDirective = { ...forward, ...describe('forwarded'), ...answered };
    return followAnswer(this.#learner?.follow(plain, judged) ?? plain, rates);
  }

  /** The request counts when its response is judged, and its events combine both. */
  #inspectResponse(judgedRequest: JudgedRequest): {
    readonly inspectResponse: ResponseInspection;
    readonly onResponse: (outcome: ExchangeOutcome) => void;
  } {
    let judged = judgedRequest;
    const { zone: named } = judged.zone.configuration;
    return {
      inspectResponse: createResponseInspection({
        judged,
        judging: this.#judging,
        onJudged: (after) => {
          judged = after;
          const { verdict, triggered, exhausted } = after.judgement;
          if (exhausted !== undefined) this.#countExhausted(named.name);
          const hasEvents = triggered.length > 0;
          if (verdict.kind !== 'block')
            return { answer: undefined, about: { zone: named, verdict: 'forwarded', hasEvents } };
          return {
            answer: createBlockResponse(after.request.id, verdict.response),
            about: { zone: named, verdict: 'blocked', ruleId: verdict.by.ruleId, hasEvents },
          };
        },
      }),
      onResponse: (outcome) => {
        const { verdict, triggered } = judged.judgement;
        if (verdict.kind === 'block') this.counts.blocked++;
        else this.counts.forwarded++;
        if (triggered.length > 0) this.#recorder.record(createPendingEvents(judged, outcome));
      },
    };
  }

  #countExhausted(name: string): void {
    const isCounted = this.#exhausted.has(name) || this.#exhausted.size < countedZonesMax;
    const label = isCounted ? name : otherZones;
    this.#exhausted.set(label, (this.#exhausted.get(label) ?? 0) + 1);
  }

  #countAnswer({ kind }: Judgement['verdict']): void {
    if (kind === 'challenge') this.counts.challenged++;
    else if (kind === 'block') this.counts.blocked++;
  }
}

function followAnswer(directive: ForwardDirective, rates: Ruling['rates']): ForwardDirective {
  return rates === undefined ? directive : countByResponse(directive, rates);
}

/** Rules that replace errors do not change challenges or the response that a rule defines itself. */
function isOwnPage(verdict: Judgement['verdict']): boolean {
  return verdict.kind === 'block' && verdict.response === undefined && verdict.answer === undefined;
}

/** A zone, and how it serves one request. */
interface ServedZone {
  readonly zone: EdgeZone;
  readonly serving: Serving;
}

/** Whether responses of the origin pass unchanged. */
function isDeveloped({ receivedAtMs }: IncomingRequest, { developmentModeEndsAtMs }: ZoneSettings): boolean {
  return developmentModeEndsAtMs !== undefined && receivedAtMs < developmentModeEndsAtMs;
}

function addSecureFields(
  directive: Directive,
  { isSecure }: IncomingRequest,
  { secureFields }: Serving,
): Directive {
  return secureFields === undefined || !isSecure ? directive : { ...directive, responseFields: secureFields };
}

/**
 * The verdict for an answer of the edge, by the verdict of the rules. Solutions of challenges are answered although no
 * rule stopped them.
 */
const answerVerdicts = {
  pass: 'answered',
  redirect: 'answered',
  answer: 'answered',
  block: 'blocked',
  challenge: 'challenged',
} as const;

/** Undefined if there is no redirect. The URL has no port: this edge may be behind other servers. */
function redirectScheme(
  { isSecure, host, target }: IncomingRequest,
  { ssl, always_use_https }: ZoneSettings,
): EdgeResponse | undefined {
  const isWrong = isSecure ? ssl === 'off' : always_use_https === 'on' && ssl !== 'off';
  if (!isWrong || !target.startsWith('/')) return undefined;
  const location = `${isSecure ? 'http' : 'https'}://${host}${target}`;
  return createEdgeResponse(301, 'text/plain; charset=utf-8', 'Moved permanently.\n', [
    ['location', location],
  ]);
}
