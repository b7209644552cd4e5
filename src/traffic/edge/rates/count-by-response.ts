/**
 * Counts a request by the response that its visitor gets: that of the origin, or the one of the edge when the origin
 * fails. If other processes share counts with this one, they are notified before the visitor gets the response: its
 * next request may arrive at one of them. A response that rules may replace is counted when it is sent.
 */
import type {
  ForwardDirective,
  HeaderField,
  InspectedResponse,
  ResponseInspection,
  ResponseRuling,
} from '../wire/exchange.ts';
import type { RequestRates } from './rate-counters.ts';

export function countByResponse(directive: ForwardDirective, rates: RequestRates): ForwardDirective {
  let headers: readonly HeaderField[] = [];
  const isFinal = directive.inspectResponse === undefined && directive.replaceError === undefined;
  return {
    ...directive,
    ...(isFinal && rates.isShared ? { inspectResponse: notifyBefore(rates, directive.about) } : {}),
    onOriginHead: (head) => {
      headers = head.headers;
    },
    onResponse: (outcome) => {
      rates.countResponse({ status: outcome.edgeStatus, headers });
      void rates.notifyOthers();
      directive.onResponse?.(outcome);
    },
  };
}

/** Counts a response when its head is available, and delays it until the other processes have the count. */
function notifyBefore(rates: RequestRates, about: ForwardDirective['about']): ResponseInspection {
  const pass: ResponseRuling = { answer: undefined, about };
  return {
    heldBytesMax: 0,
    readsBody: () => false,
    judge({ head: { status, headers } }: InspectedResponse) {
      rates.countResponse({ status, headers });
      return rates.notifyOthers()?.then(() => pass) ?? pass;
    },
  };
}
