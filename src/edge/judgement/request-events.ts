/** From a judged request to the events of the activity log. */
import type { PendingEvents, RecordedEvent, SecurityEvent } from '#events';
import { retentionMs } from '#events';
import type { RequestView } from '#rules';
import type { CompiledZone, Judgement, Triggered } from '#firewall';
import type { IncomingRequest, Outcome } from '../wire/exchange.ts';
import { explainJudgement } from './explain-judgement.ts';
import type { GeoFacts } from './geo.ts';
import { eventTextMax } from './limits.ts';

export interface JudgedRequest {
  readonly request: IncomingRequest;
  readonly zone: CompiledZone;
  readonly view: RequestView;
  readonly judgement: Judgement;
  readonly hasClearance: boolean;
  readonly geo: GeoFacts;
}

/** Nothing is made of them before their turn: the request is long answered then. */
export function eventsOf(judged: JudgedRequest, outcome: Outcome): PendingEvents {
  const { zone, judgement } = judged;
  return {
    zoneId: zone.configuration.zone.id,
    retentionMs: retentionMs[zone.configuration.zone.plan],
    count: judgement.triggered.length,
    make: () => recorded(judged, outcome),
  };
}

function recorded(judged: JudgedRequest, outcome: Outcome): readonly RecordedEvent[] {
  const { zone, view, judgement, hasClearance } = judged;
  // Judging once more gives the same, this time with reports: reading a field twice costs nothing.
  const { steps } = zone.judge({ view, hasClearance, wantsReports: true });
  const explained = explainJudgement(zone, view, { ...judgement, steps });
  const common = commonFields(judged, outcome);
  const count = judgement.triggered.length;
  return judgement.triggered.map((triggered, index) => ({
    event: { ...common, ...ruleFields(triggered, common.rayName, { index, count }) },
    judged: explained,
  }));
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
    clientRefererHost: referer?.host ?? '',
    clientRefererPath: referer?.pathname.slice(0, eventTextMax) ?? '',
    clientRefererQuery: referer?.search.slice(0, eventTextMax) ?? '',
    clientRefererScheme: referer?.protocol.slice(0, -1) ?? '',
    userAgent: text(fieldOf(headers, 'user-agent')),
    edgeColoName: 'LOCAL',
    edgeResponseStatus: outcome.edgeStatus,
    originResponseStatus: outcome.originStatus ?? 0,
    sampleInterval: 1,
  };
}

/** From the wire's bytes to text. */
function text(bytes: string): string {
  return Buffer.from(bytes.slice(0, eventTextMax), 'latin1').toString('utf8');
}

export function fieldOf(headers: IncomingRequest['headers'], name: string): string {
  return headers.find(([other]) => other.toLowerCase() === name)?.[1] ?? '';
}
