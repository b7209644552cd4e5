/** What rules that change requests and answers mean for the forwarding of a request. Nothing in a zone that has none. */
import { StepBudget, Variants } from '#base';
import { RequestView } from '#expressions';
import { listFieldOperations, type Route } from '#firewall';
import { RequestFields } from '#request';
import type { BalancedChoice } from '../balancing/balancer.ts';
import type { JudgedRequest } from '../judging/judged-request.ts';
import { triedCpuMsMax, triedStepsMax } from '../judging/limits.ts';
import type { ForwardDirective, Origin } from '../wire/exchange.ts';

type ForwardChanges = Pick<ForwardDirective, 'hostHeader' | 'requestOperations' | 'changeResponse'>;

const nothing: ForwardChanges = {};

export function listForwardChanges(judged: JudgedRequest, route: Route | undefined): ForwardChanges {
  const { zone, judgement } = judged;
  if (judgement.changes === undefined && !zone.changesResponses) return nothing;
  const requestOperations = listFieldOperations(judgement.changes, 'http_request_late_transform');
  const hostHeader = route?.hostHeader;
  return {
    ...(hostHeader === undefined ? {} : { hostHeader }),
    ...(requestOperations === undefined ? {} : { requestOperations }),
    ...(zone.changesResponses ? { changeResponse: createResponseChange(judged) } : {}),
  };
}

/** The cookie that keeps the visitor with the origin that answers; which one that is, is known then. */
export function addSession(changes: ForwardChanges, choice: BalancedChoice | undefined): ForwardChanges {
  if (choice?.hasSession !== true) return changes;
  const { changeResponse } = changes;
  return {
    ...changes,
    changeResponse: (head) => {
      const operations = changeResponse?.(head);
      const { cookie } = choice;
      if (cookie === undefined) return operations;
      return [...(operations ?? []), { operation: 'add', name: 'set-cookie', value: cookie }];
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

/** If its rules take too long, the response goes on as far as they got. */
function createResponseChange({
  zone,
  facts,
  judgement,
}: JudgedRequest): NonNullable<ForwardDirective['changeResponse']> {
  return ({ status, headers }) => {
    const view = new RequestView(new RequestFields({ ...facts, response: { status, headers } }));
    const budget = new StepBudget(triedStepsMax, { cpuMsMax: triedCpuMsMax });
    const { skippedPhases = {} } = judgement;
    const after = zone.changeForwarded('response', view, { budget, skippedPhases });
    return listFieldOperations(after?.changes, 'http_response_headers_transform');
  };
}
