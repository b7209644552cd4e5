/**
 * Applies rules that change requests and responses to the forwarding of a request. Costs nothing in a zone without such
 * rules.
 */
import { StepBudget } from '#work';
import { RequestView } from '#expressions';
import { errorStatusMin } from '#rulesets';
import {
  findServedError,
  type Judgement,
  listCopiedFields,
  listFieldOperations,
  type Route,
} from '#firewall';
import { RequestFields } from '#request';
import type { BalancedChoice } from '../balancing/balancer.ts';
import type { JudgedRequest } from '../judging/judged-request.ts';
import { triedCpuMsMax, triedStepsMax } from '../judging/limits.ts';
import { createEdgeResponse, type EdgeResponse } from '../wire/edge-response.ts';
import { type ForwardDirective, type Origin, readField } from '../wire/exchange.ts';
import { Variants } from './variants.ts';

type ForwardChanges = Pick<
  ForwardDirective,
  'hostHeader' | 'requestOperations' | 'changeResponse' | 'replaceError'
>;

const nothing: ForwardChanges = {};

export function listForwardChanges(judged: JudgedRequest, route: Route | undefined): ForwardChanges {
  const { zone, judgement } = judged;
  if (judgement.changes === undefined && !zone.changesResponses && !zone.replacesErrors) return nothing;
  const copied = listCopiedFields(judgement.changes);
  const written = listFieldOperations(judgement.changes, 'http_request_late_transform');
  const requestOperations = copied === undefined ? written : [...copied, ...(written ?? [])];
  const hostHeader = route?.hostHeader;
  return {
    ...(hostHeader === undefined ? {} : { hostHeader }),
    ...(requestOperations === undefined ? {} : { requestOperations }),
    ...(zone.replacesErrors ? { replaceError: (head) => replaceError(judged, head) } : {}),
    ...(zone.changesResponses ? { changeResponse: createResponseChange(judged) } : {}),
  };
}

/**
 * Cookies that the edge sets: the one of a visitor that rules count, and the one that keeps the visitor with the origin
 * that answers. The latter is known only after the origin has answered.
 */
export function addCookies(
  changes: ForwardChanges,
  choice: BalancedChoice | undefined,
  visitorCookie: string | undefined,
): ForwardChanges {
  if (choice?.hasSession !== true && visitorCookie === undefined) return changes;
  const { changeResponse } = changes;
  return {
    ...changes,
    changeResponse: (head) => {
      const operations = changeResponse?.(head);
      const cookies = [choice?.cookie, visitorCookie].filter((cookie) => cookie !== undefined);
      if (cookies.length === 0) return operations;
      return [
        ...(operations ?? []),
        ...cookies.map((value) => ({ operation: 'add', name: 'set-cookie', value }) as const),
      ];
    },
  };
}

const routed = new Variants<Origin>();

/** The origin of the zone as rules choose it. A Worker on the same host is reached without a network. */
export function routeOrigin(origin: Origin, route: Route | undefined): Origin {
  if (route === undefined || origin.worker !== undefined) return origin;
  const { connectTo = origin.connectTo ?? origin.host, port = origin.port, serverName = origin.host } = route;
  const choice = { host: serverName, connectTo, port };
  return routed.find(origin, choice, () => ({ ...origin, ...choice }));
}

type ResponseHead = Parameters<NonNullable<ForwardDirective['replaceError']>>[0];

/** If its rules take too long, the response continues with the changes made so far. */
function createResponseChange(judged: JudgedRequest): NonNullable<ForwardDirective['changeResponse']> {
  return (head) =>
    listFieldOperations(
      runResponseRules(judged, 'response', head)?.changes,
      'http_response_headers_transform',
    );
}

/**
 * The response that rules substitute for an error of the origin or of the edge; undefined if the error stays.
 * `Retry-After` of the replaced response stays.
 */
export function replaceError(judged: JudgedRequest, head: ResponseHead): EdgeResponse | undefined {
  if (!judged.zone.replacesErrors || head.status < errorStatusMin) return undefined;
  const served = findServedError(runResponseRules(judged, 'error', head)?.changes);
  if (served === undefined) return undefined;
  const { content, contentType, status = head.status } = served;
  const wait = readField(head.headers, 'retry-after');
  return createEdgeResponse(
    status,
    `${contentType}; charset=utf-8`,
    fillTokens(content, judged),
    wait === '' ? [] : [['retry-after', wait]],
  );
}

function runResponseRules(
  { zone, facts, judgement }: JudgedRequest,
  group: 'error' | 'response',
  { status, headers }: ResponseHead,
): Judgement | undefined {
  const view = new RequestView(new RequestFields({ ...facts, response: { status, headers } }));
  const budget = new StepBudget(triedStepsMax, { cpuMsMax: triedCpuMsMax });
  const { skippedPhases = {} } = judgement;
  return zone.changeForwarded(group, view, { budget, skippedPhases });
}

/** Cloudflare's tokens for values that differ between requests. None of the values can contain markup. */
function fillTokens(content: string, { request, geo }: JudgedRequest): string {
  if (!content.includes('::')) return content;
  return content
    .replaceAll('::RAY_ID::', request.id)
    .replaceAll('::CLIENT_IP::', request.clientAddress)
    .replaceAll('::GEO::', geo.country ?? '');
}
