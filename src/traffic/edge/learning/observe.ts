/** What may be learned from a request that passed: nothing, if a detector finds anything in it. */
import { listLearnedValues, type ObservedValues } from '#learning';
import { RequestFields } from '#request';
import { readField } from '../wire/exchange.ts';
import type { JudgedRequest } from '../judging/judged-request.ts';

/** Whatever rules the zone has. Undefined if nothing may be learned, or there is nothing. */
export function observeValues({ facts, judgement, hasFindings }: JudgedRequest): ObservedValues | undefined {
  const { ip, path, uri, headers, body, receivedAtMs } = facts;
  if (ip === undefined || judgement.verdict.kind !== 'pass' || judgement.triggered.length > 0)
    return undefined;
  // Rules seldom leave the detectors out; then they look now.
  if (hasFindings ?? new RequestFields({ ...facts, look: undefined }).attacks.size > 0) return undefined;
  const contentType = readField(headers, 'content-type');
  const values = listLearnedValues({ query: uri.query ?? '', contentType, body });
  return { ip, path, values, day: Math.floor(receivedAtMs / 86_400_000) };
}

/** Only answers that are none of errors: an attack that fails is no example. */
export function isLearnedFrom(status: number): boolean {
  return status >= 200 && status < 400;
}
