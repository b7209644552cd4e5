/** Creates the events of a judged request for the activity log. */
import {
  type Judged,
  type PendingEvents,
  type RecordedEvent,
  type SecurityEvent,
  explainJudgement,
  retentionMs,
} from '#events';
import { type RequestFacts, RequestFields } from '#request';
import { RequestView } from '#expressions';
import type { CompiledZone, Judgement, Triggered } from '#firewall';
import { readField, type IncomingRequest, type Outcome } from '../wire/exchange.ts';
import type { GeoFacts } from './geo.ts';
import { eventTextMax } from './limits.ts';
import { siteName } from './request-facts.ts';

export interface JudgedRequest {
  /** Solutions of challenges are not judged by rules. */
  readonly by: 'rules' | 'challenges';
  readonly request: IncomingRequest;
  readonly zone: CompiledZone;
  /**
   * The view that was judged is not kept: its computed values can be forty times as large, and would be held until the
   * response.
   */
  readonly facts: RequestFacts;
  readonly judgement: Judgement;
  readonly geo: GeoFacts;
}

/** Events are created later, long after the request was answered. */
export function createPendingEvents(judged: JudgedRequest, outcome: Outcome): PendingEvents {
  const { zone, judgement } = judged;
  return {
    zoneId: zone.configuration.zone.id,
    retentionMs: retentionMs[zone.configuration.zone.plan],
    count: judgement.triggered.length,
    bytes: countHeldBytes(judged),
    make: (detail) => createEvents(judged, outcome, detail),
  };
}

/** The bytes of the head, and of the body as it was judged: nothing else that was computed from them is held. */
function countHeldBytes({ request: { target, headers }, facts }: JudgedRequest): number {
  const head = headers.reduce((sum, [name, value]) => sum + name.length + value.length, target.length);
  return head + facts.body.length;
}

function createEvents(
  judged: JudgedRequest,
  outcome: Outcome,
  detail: 'explained' | 'plain',
): readonly RecordedEvent[] {
  const { judgement } = judged;
  const common = createCommonFields(judged, outcome);
  const count = judgement.triggered.length;
  const events = judgement.triggered.map((triggered, index) => ({
    ...common,
    ...createRuleFields(triggered, common.rayName, { index, count }),
  }));
  if (detail === 'plain') return events.map((event) => ({ event }));
  const explained = explainRequest(judged);
  return events.map((event) => ({ event, judged: explained }));
}

export function explainRequest({ zone, facts, judgement }: JudgedRequest): Judged {
  return explainJudgement(zone, new RequestView(new RequestFields(facts)), judgement);
}

type RuleFields = Pick<
  SecurityEvent,
  'id' | 'action' | 'source' | 'ruleId' | 'rulesetId' | 'ref' | 'description' | 'matchIndex' | 'metadata'
>;

function createRuleFields(
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

function createCommonFields(
  { request, geo }: JudgedRequest,
  outcome: Outcome,
): Omit<SecurityEvent, keyof RuleFields> {
  const { id, target, headers, clientAddress } = request;
  const question = target.indexOf('?');
  const referer = URL.parse(readField(headers, 'referer'));
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
    clientRequestPath: decodeText(question < 0 ? target : target.slice(0, question)),
    clientRequestQuery: decodeText(question < 0 ? '' : target.slice(question)),
    clientRequestScheme: request.isSecure ? 'https' : 'http',
    clientRefererHost: referer?.host.slice(0, eventTextMax) ?? '',
    clientRefererPath: referer?.pathname.slice(0, eventTextMax) ?? '',
    clientRefererQuery: referer?.search.slice(0, eventTextMax) ?? '',
    clientRefererScheme: referer?.protocol.slice(0, -1) ?? '',
    userAgent: decodeText(readField(headers, 'user-agent')),
    edgeColoName: siteName,
    edgeResponseStatus: outcome.edgeStatus,
    originResponseStatus: outcome.originStatus ?? 0,
    sampleInterval: 1,
  };
}

/** Decodes bytes from the wire. */
function decodeText(bytes: string): string {
  return Buffer.from(bytes.slice(0, eventTextMax), 'latin1').toString('utf8');
}
