/** The error for callers of an object whose host was ended because of it. The first sentences are Cloudflare's. */
import { describeEnd, type EndReason } from '#processes';
import { type Address, toCallerError } from '#rpc';
import { findCulprit } from './object-pauses.ts';

/** Undefined if another object was the cause, or it is unknown: then callers get the error of a lost connection. */
export function explainLoss(reason: EndReason, { className, id }: Address): Error | undefined {
  const culprit = findCulprit(reason);
  if (culprit === undefined || culprit.className !== className || culprit.id !== id) return undefined;
  const what =
    reason.kind === 'statement'
      ? 'Durable Object storage operation exceeded timeout which caused object to be reset.'
      : 'Durable Object exceeded its CPU time limit and was reset.';
  return toCallerError(new Error(`${what} Its process was ended: ${describeEnd(reason)}`), {
    durableObjectReset: true,
  });
}
