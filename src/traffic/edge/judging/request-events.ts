/** Creates the events of a judged request for the activity log. */
import {
  type Judged,
  type PendingEvents,
  type RecordedEvent,
  type SecurityEvent,
  explainJudgement,
  formatTime,
  type JudgedRule,
  listFoundBy,
  retentionMs,
  writeJudged,
} from '#events';
import { showText } from '#text';
import { RequestFields } from '#request';
import { RequestView } from '#expressions';
import { type Answer, describeRate, type Triggered } from '#firewall';
import { readField, type ExchangeOutcome } from '../wire/exchange.ts';
import type { JudgedRequest } from './judged-request.ts';
import { eventTextMax, matchedPartsMax } from './limits.ts';
import { parseReferer, type Referer } from './referer.ts';
import { siteName } from './request-facts.ts';

/** Events are created lazily, long after the request was answered. */
export function createPendingEvents(judged: JudgedRequest, outcome: ExchangeOutcome): PendingEvents {
  const { zone, judgement } = judged;
  return {
    zoneId: zone.configuration.zone.id,
    retentionMs: retentionMs[zone.configuration.zone.plan],
    count: judgement.triggered.length,
    bytes: countHeldBytes(judged),
    make: (detail) => createEvents(judged, outcome, detail),
  };
}

/** The bytes of the head, and of the body as it was judged: other computed values are not retained. */
function countHeldBytes({ request: { target, headers }, facts }: JudgedRequest): number {
  const head = headers.reduce((sum, [name, value]) => sum + name.length + value.length, target.length);
  return head + facts.body.length;
}

function createEvents(
  judged: JudgedRequest,
  outcome: ExchangeOutcome,
  detail: 'explained' | 'plain',
): readonly RecordedEvent[] {
  const { triggered } = judged.judgement;
  const common = createCommonFields(judged, outcome);
  const explanation = detail === 'plain' ? undefined : (judged.explanation ?? explainRequest(judged));
  const explained = explanation && writeJudged(explanation);
  return triggered.map((rule, index) => {
    const metadata = [...listMetadata(rule), ...listMatchedParts(explanation?.rules[index])];
    const event = createEvent(common, rule, { index, count: triggered.length, metadata });
    return explained === undefined ? { event } : { event, judged: explained };
  });
}

export function explainRequest({ zone, facts, judgement }: JudgedRequest): Judged {
  return explainJudgement(zone, new RequestView(new RequestFields(facts)), judgement);
}

/** The fields that the events of one request share, besides constants. */
type CommonFields = Pick<
  SecurityEvent,
  | 'datetime'
  | 'rayName'
  | 'clientIP'
  | 'clientAsn'
  | 'clientASNDescription'
  | 'clientCountryName'
  | 'clientRequestHTTPHost'
  | 'clientRequestHTTPMethodName'
  | 'clientRequestHTTPProtocol'
  | 'clientRequestPath'
  | 'clientRequestQuery'
  | 'clientRequestScheme'
  | 'userAgent'
  | 'edgeResponseStatus'
  | 'originResponseStatus'
> & { readonly referer: Referer };

function createCommonFields({ request, geo }: JudgedRequest, outcome: ExchangeOutcome): CommonFields {
  const { id, target, headers, clientAddress } = request;
  const question = target.indexOf('?');
  return {
    datetime: formatTime(request.receivedAtMs),
    rayName: id,
    clientIP: clientAddress,
    clientAsn: geo.asn === undefined ? '' : String(geo.asn),
    clientASNDescription: geo.asnDescription,
    clientCountryName: geo.country,
    clientRequestHTTPHost: request.host,
    clientRequestHTTPMethodName: request.method,
    clientRequestHTTPProtocol: `HTTP/${request.httpVersion}`,
    clientRequestPath: decodeText(question < 0 ? target : target.slice(0, question)),
    clientRequestQuery: decodeText(question < 0 ? '' : target.slice(question)),
    clientRequestScheme: request.isSecure ? 'https' : 'http',
    referer: parseReferer(readField(headers, 'referer')),
    userAgent: decodeText(readField(headers, 'user-agent')),
    edgeResponseStatus: outcome.edgeStatus,
    originResponseStatus: outcome.originStatus ?? 0,
  };
}

/** Assigns field by field: where every request is logged, copies of objects are most of the cost. */
function createEvent(
  common: CommonFields,
  { action, source, ruleId, rulesetId, ref, description }: Triggered,
  {
    index,
    count,
    metadata,
  }: {
    readonly index: number;
    readonly count: number;
    readonly metadata: SecurityEvent['metadata'];
  },
): SecurityEvent {
  const { rayName, referer } = common;
  return {
    id: `${rayName}-${index}`,
    datetime: common.datetime,
    action,
    source,
    kind: 'firewall',
    ruleId,
    rulesetId,
    ref,
    description,
    matchIndex: count - 1 - index,
    rayName,
    originatorRayName: rayName,
    clientIP: common.clientIP,
    clientIPClass: 'unknown',
    clientAsn: common.clientAsn,
    clientASNDescription: common.clientASNDescription,
    clientCountryName: common.clientCountryName,
    clientRequestHTTPHost: common.clientRequestHTTPHost,
    clientRequestHTTPMethodName: common.clientRequestHTTPMethodName,
    clientRequestHTTPProtocol: common.clientRequestHTTPProtocol,
    clientRequestPath: common.clientRequestPath,
    clientRequestQuery: common.clientRequestQuery,
    clientRequestScheme: common.clientRequestScheme,
    clientRefererHost: referer.host,
    clientRefererPath: referer.path,
    clientRefererQuery: referer.query,
    clientRefererScheme: referer.scheme,
    userAgent: common.userAgent,
    edgeColoName: siteName,
    edgeResponseStatus: common.edgeResponseStatus,
    originResponseStatus: common.originResponseStatus,
    sampleInterval: 1,
    metadata,
  };
}

/**
 * The parts in which a managed rule found something, as far as the explanation names them: `argument id`,
 * `JSON value items[3].note`.
 */
function listMatchedParts(rule: JudgedRule | undefined): SecurityEvent['metadata'] {
  if (rule === undefined || !managedSources.has(rule.source)) return [];
  const places = listFoundBy(rule).flatMap(({ where }) =>
    where === undefined ? [] : [`${where.kind} ${where.name}`.trimEnd()],
  );
  return [...new Set(places)].slice(0, matchedPartsMax).map((value) => ({ key: 'matched_part', value }));
}

const managedSources: ReadonlySet<string> = new Set<Triggered['source']>(['firewallManaged', 'waf']);

function listMetadata({ score, rate, asked, exhausted }: Triggered): SecurityEvent['metadata'] {
  if (rate !== undefined) return [{ key: 'rate', value: describeRate(rate) }];
  if (asked !== undefined) return listAnswer(asked.answer);
  if (score !== undefined) return [{ key: 'waf_score', value: String(score.total) }];
  return exhausted === undefined ? [] : [{ key: 'judging_budget_rule_id', value: exhausted.ruleId }];
}

function listAnswer(answer: Answer): SecurityEvent['metadata'] {
  const value = answer.kind === 'none' ? `none: ${answer.reason}` : `${answer.from} ${answer.status}`;
  return [{ key: 'asked', value }];
}

/** Decodes bytes from the wire. */
function decodeText(bytes: string): string {
  return showText(bytes.length > eventTextMax ? bytes.slice(0, eventTextMax) : bytes);
}
