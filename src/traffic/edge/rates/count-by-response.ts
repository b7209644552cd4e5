/**
 * Counts a request by the answer that its visitor gets: that of the origin, or what the edge says when the origin fails.
 * Where other processes count with this one, they are told before the visitor gets the answer: its next request may meet one
 * of them. An answer that rules may replace counts when it is sent.
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
    ...(isFinal && rates.isShared ? { inspectResponse: tellBefore(rates, directive.about) } : {}),
    onOriginHead: (head) => {
      headers = head.headers;
    },
    onResponse: (outcome) => {
      rates.countResponse({ status: outcome.edgeStatus, headers });
      void rates.tellOthers();
      directive.onResponse?.(outcome);
    },
  };
}

/** Counts an answer when its head is there, and holds it back until the other processes know. */
function tellBefore(rates: RequestRates, about: ForwardDirective['about']): ResponseInspection {
  const pass: ResponseRuling = { answer: undefined, about };
  return {
    bodyBytesMax: 0,
    readsBody: () => false,
    judge({ head: { status, headers } }: InspectedResponse) {
      rates.countResponse({ status, headers });
      return rates.tellOthers()?.then(() => pass) ?? pass;
    },
  };
}
