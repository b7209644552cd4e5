/** The values that may be learned from a request that passed: none if a detector finds anything in it. */
import { listLearnedValues, type ObservedValues } from '#learning';
import { RequestFields } from '#request';
import { readField } from '../wire/exchange.ts';
import type { JudgedRequest } from '../judging/judged-request.ts';

/** Independent of the zone's rules. Undefined if nothing may be learned, or there are no values. */
export function observeValues({ facts, judgement, hasFindings }: JudgedRequest): ObservedValues | undefined {
  const { ip, path, uri, headers, body, receivedAtMs } = facts;
  if (ip === undefined || judgement.verdict.kind !== 'pass' || judgement.triggered.length > 0)
    return undefined;
  // The rules of a zone seldom use no detectors; then the detectors run now.
  if (hasFindings ?? new RequestFields({ ...facts, look: undefined }).attacks.size > 0) return undefined;
  const contentType = readField(headers, 'content-type');
  const values = listLearnedValues({ query: uri.query ?? '', contentType, body });
  return { ip, path, values, day: Math.floor(receivedAtMs / 86_400_000) };
}

/** Only responses that are not errors: a failed attack is not an example. */
export function isLearnedFrom(status: number): boolean {
  return status >= 200 && status < 400;
}
