/** What rules that change requests and answers mean for the forwarding of a request. Nothing in a zone that has none. */
import { StepBudget, Variants } from '#base';
import { RequestView } from '#expressions';
import {
  errorStatusMin,
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
 * Cookies of the edge: that of a visitor that rules count, and that which keeps it with the origin that answers; which one
 * that is, is known then.
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

/** The origin of the zone as rules choose it. A Worker beside the edge is reached without a network. */
export function routeOrigin(origin: Origin, route: Route | undefined): Origin {
  if (route === undefined || origin.worker !== undefined) return origin;
  const { connectTo = origin.connectTo ?? origin.host, port = origin.port, serverName = origin.host } = route;
  const choice = { host: serverName, connectTo, port };
  return routed.find(origin, choice, () => ({ ...origin, ...choice }));
}

type ResponseHead = Parameters<NonNullable<ForwardDirective['replaceError']>>[0];

/** If its rules take too long, the response goes on as far as they got. */
function createResponseChange(judged: JudgedRequest): NonNullable<ForwardDirective['changeResponse']> {
  return (head) =>
    listFieldOperations(
      runResponseRules(judged, 'response', head)?.changes,
      'http_response_headers_transform',
    );
}

/**
 * The answer that rules give in place of an error, of the origin or of the edge; undefined if it stays. What the edge says
 * beside its page stays, such as when to come back.
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

/** Cloudflare's words for what differs from request to request. None of the values can have markup in it. */
function fillTokens(content: string, { request, geo }: JudgedRequest): string {
  if (!content.includes('::')) return content;
  return content
    .replaceAll('::RAY_ID::', request.id)
    .replaceAll('::CLIENT_IP::', request.clientAddress)
    .replaceAll('::GEO::', geo.country ?? '');
}
