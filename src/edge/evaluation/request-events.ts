/** From a judged request to the events of the activity log. */
import {
  type Judged,
  type PendingEvents,
  type RecordedEvent,
  type SecurityEvent,
  explainJudgement,
  retentionMs,
} from '#events';
import { bodyBytesMax, type RequestFacts, RequestFields } from '#request';
import { RequestView } from '#expressions';
import type { CompiledZone, Judgement, Triggered } from '#firewall';
import { fieldOf, type IncomingRequest, type Outcome } from '../wire/exchange.ts';
import type { GeoFacts } from './geo.ts';
import { eventTextMax } from './limits.ts';
import { siteName } from './request-facts.ts';

export interface JudgedRequest {
  /** Solutions of challenges are judged by themselves: no rule is asked. */
  readonly by: 'rules' | 'challenges';
  readonly request: IncomingRequest;
  readonly zone: CompiledZone;
  /** Not the view that was judged: what a view has computed can be forty times as large, and is held until the answer is. */
  readonly facts: RequestFacts;
  readonly judgement: Judgement;
  readonly geo: GeoFacts;
}

/** Nothing is made of them before their turn: the request is long answered then. */
export function eventsOf(judged: JudgedRequest, outcome: Outcome): PendingEvents {
  const { zone, judgement } = judged;
  return {
    zoneId: zone.configuration.zone.id,
    retentionMs: retentionMs[zone.configuration.zone.plan],
    count: judgement.triggered.length,
    bytes: heldBytes(judged.request),
    make: (detail) => recorded(judged, outcome, detail),
  };
}

/** What the request itself takes: nothing that was computed from it is held. */
function heldBytes({ target, headers, body }: IncomingRequest): number {
  const head = headers.reduce((sum, [name, value]) => sum + name.length + value.length, target.length);
  return head + (body === undefined ? 0 : Math.min(body.declaredLength ?? bodyBytesMax, bodyBytesMax));
}

function recorded(
  judged: JudgedRequest,
  outcome: Outcome,
  detail: 'explained' | 'plain',
): readonly RecordedEvent[] {
  const { judgement } = judged;
  const common = commonFields(judged, outcome);
  const count = judgement.triggered.length;
  const events = judgement.triggered.map((triggered, index) => ({
    ...common,
    ...ruleFields(triggered, common.rayName, { index, count }),
  }));
  if (detail === 'plain') return events.map((event) => ({ event }));
  const explained = explainedJudgement(judged);
  return events.map((event) => ({ event, judged: explained }));
}

export function explainedJudgement({ zone, facts, judgement }: JudgedRequest): Judged {
  return explainJudgement(zone, new RequestView(new RequestFields(facts)), judgement);
}

type RuleFields = Pick<
  SecurityEvent,
  'id' | 'action' | 'source' | 'ruleId' | 'rulesetId' | 'ref' | 'description' | 'matchIndex' | 'metadata'
>;

function ruleFields(
  { action, source, ruleId, rulesetId, ref, description, score }: Triggered,
  rayName: string,
  { index, count }: { readonly index: number; readonly count: number },
): RuleFields {
  const metadata = score === undefined ? [] : [{ key: 'waf_score', value: String(score.total) }];
  return {
    id: `${rayName}-${index}`,
    action,
    source,
    ruleId,
    rulesetId,
    ref,
    description,
    matchIndex: count - 1 - index,
    metadata,
  };
}

function commonFields(
  { request, geo }: JudgedRequest,
  outcome: Outcome,
): Omit<SecurityEvent, keyof RuleFields> {
  const { id, target, headers, clientAddress } = request;
  const question = target.indexOf('?');
  const referer = URL.parse(fieldOf(headers, 'referer'));
  return {
    datetime: new Date(request.receivedAtMs).toISOString(),
    kind: 'firewall',
    rayName: id,
    originatorRayName: id,
    clientIP: clientAddress,
    clientIPClass: 'unknown',
    clientAsn: geo.asn === undefined ? '' : String(geo.asn),
    clientASNDescription: geo.asnDescription,
    clientCountryName: geo.country,
    clientRequestHTTPHost: request.host,
    clientRequestHTTPMethodName: request.method,
    clientRequestHTTPProtocol: `HTTP/${request.httpVersion}`,
    clientRequestPath: text(question < 0 ? target : target.slice(0, question)),
    clientRequestQuery: text(question < 0 ? '' : target.slice(question)),
    clientRequestScheme: request.isSecure ? 'https' : 'http',
    clientRefererHost: referer?.host.slice(0, eventTextMax) ?? '',
    clientRefererPath: referer?.pathname.slice(0, eventTextMax) ?? '',
    clientRefererQuery: referer?.search.slice(0, eventTextMax) ?? '',
    clientRefererScheme: referer?.protocol.slice(0, -1) ?? '',
    userAgent: text(fieldOf(headers, 'user-agent')),
    edgeColoName: siteName,
    edgeResponseStatus: outcome.edgeStatus,
    originResponseStatus: outcome.originStatus ?? 0,
    sampleInterval: 1,
  };
}

/** From the wire's bytes to text. */
function text(bytes: string): string {
  return Buffer.from(bytes.slice(0, eventTextMax), 'latin1').toString('utf8');
}
