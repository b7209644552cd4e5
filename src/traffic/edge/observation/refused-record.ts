/** The record of a request whose head could not be parsed. */
import type { Refusal } from '../wire/refusal.ts';
import type { RequestRecord } from './edge-observer.ts';

type RefusedFacts = Pick<
  RequestRecord,
  'id' | 'receivedAtMs' | 'peerAddress' | 'sentBytes' | 'sentBodyBytes'
>;

export function createRefusedRecord(refusal: Refusal, facts: RefusedFacts): RequestRecord {
  return {
    ...facts,
    request: undefined,
    zone: undefined,
    verdict: 'refused',
    ruleId: undefined,
    hasEvents: false,
    outcome: { originStatus: undefined, edgeStatus: refusal.status, refusal: refusal.code },
    reason: refusal.message,
    isPrivateOrigin: false,
    isComplete: true,
    receivedBytes: 0,
    judgedMs: undefined,
    firstByteMs: 0,
    endMs: 0,
    origin: undefined,
    trace: undefined,
  };
}
