/**
 * A call that restores an earlier version of a ruleset has no body: its expressions are in the object. They are parsed
 * and compiled before the call starts, like those of a body, so that the object finds them compiled.
 */
import type { OperationId, PlainReply, WrittenResponse } from '#contract';
import type { Call } from '../context/handler.ts';

const readings: Partial<Record<OperationId, OperationId>> = {
  'rulesets.restoreVersion': 'rulesets.getVersion',
  'accountRulesets.restoreVersion': 'accountRulesets.getVersion',
};

/** The call that reads the version; undefined for any other call. */
export function toReading({ operation, input, actor, requestId }: Call): Call | undefined {
  const reading = readings[operation];
  return reading && { operation: reading, input: { ...input, query: {} }, actor, requestId };
}

/** Undefined if there is no such version: the restoring call reports the error. */
export function parseVersion(response: WrittenResponse | PlainReply): unknown {
  if (response.status !== 200 || typeof response.body !== 'string') return undefined;
  return (JSON.parse(response.body) as { readonly result: unknown }).result;
}
