/** Calls of an API in this process, without a server between: for rehearsals and tests. */
import type { ApiRequest, ApiResponse } from '#contract';
import type { ClientOptions } from './client.ts';

export function fetchFrom(
  answer: (request: ApiRequest) => Promise<ApiResponse>,
): NonNullable<ClientOptions['fetch']> {
  return async (url, { method = 'GET', headers, body }) => {
    const { pathname, search } = new URL(url);
    const {
      status,
      headers: fields,
      body: content,
    } = await answer({
      method,
      target: `${pathname}${search}`,
      headers: Object.fromEntries(new Headers(headers)),
      address: '127.0.0.1',
      readBody: async () => new TextEncoder().encode((body as string | undefined) ?? ''),
    });
    const isStream = typeof content === 'object' && content !== null && !(content instanceof Uint8Array);
    const sent = isStream ? toStream(content) : (content as string | null);
    return new Response(sent, { status, headers: fields });
  };
}

/** Browsers, whose types the page is checked with, do not have `ReadableStream.from` yet. */
function toStream(pieces: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
