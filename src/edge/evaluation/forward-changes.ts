/** What rules that change requests and answers mean for the forwarding of a request. Nothing in a zone that has none. */
import { StepBudget } from '#base';
import { RequestView } from '#expressions';
import { listFieldOperations } from '#firewall';
import { RequestFields } from '#request';
import type { JudgedRequest } from '../judging/judged-request.ts';
import { triedCpuMsMax, triedStepsMax } from '../judging/limits.ts';
import type { ForwardDirective } from '../wire/exchange.ts';

type ForwardChanges = Pick<ForwardDirective, 'requestOperations' | 'changeResponse'>;

const nothing: ForwardChanges = {};

export function listForwardChanges(judged: JudgedRequest): ForwardChanges {
  const { zone, judgement } = judged;
  if (judgement.changes === undefined && !zone.changesResponses) return nothing;
  const requestOperations = listFieldOperations(judgement.changes, 'http_request_late_transform');
  return {
    ...(requestOperations === undefined ? {} : { requestOperations }),
    ...(zone.changesResponses ? { changeResponse: createResponseChange(judged) } : {}),
  };
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
