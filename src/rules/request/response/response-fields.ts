/** The fields of a response, for expressions that are evaluated when its head is available. */
import type { RequestView, Value } from '#expressions';
import { joinHeader, lowerNames, parseMediaType } from '../headers.ts';
import { listNames, listValues, type Pairs, toMap } from '../pairs.ts';

export interface ResponseFacts {
  readonly status: number;
  /** As binary strings, unchanged. */
  readonly headers: Pairs;
}

type Reader = (response: ResponseFacts) => Value;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['http.response.code', ({ status }) => status],
  ...['http.response.headers', 'raw.http.response.headers'].flatMap((key): [string, Reader][] => [
    [key, ({ headers }) => toMap(lowerNames(headers))],
    [`${key}.names`, ({ headers }) => listNames(headers)],
    [`${key}.values`, ({ headers }) => listValues(headers)],
  ]),
  [
    'http.response.content_type.media_type',
    ({ headers }) => parseMediaType(joinHeader(headers, 'content-type')),
  ],
]);

/** The same request with the fields of its response. */
export function addResponse(view: RequestView, response: ResponseFacts): RequestView {
  return view.withValues((key) => readers.get(key)?.(response));
}
