/** Counts a request by the answer that its visitor gets: that of the origin, or what the edge says when the origin fails. */
import type { ForwardDirective, HeaderField } from '../wire/exchange.ts';
import type { RequestRates } from './rate-counters.ts';

export function countByResponse(directive: ForwardDirective, rates: RequestRates): ForwardDirective {
  let headers: readonly HeaderField[] = [];
  return {
    ...directive,
    onOriginHead: (head) => {
      headers = head.headers;
    },
    onResponse: (outcome) => {
      rates.countResponse({ status: outcome.edgeStatus, headers });
      directive.onResponse?.(outcome);
    },
  };
}
