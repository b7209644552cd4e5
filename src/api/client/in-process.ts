/** Calls an API in this process, without a server in between: for rehearsals and tests. */
import type { ApiRequest, ApiResponse } from '#contract';
import type { ClientOptions } from './client.ts';
import { toStream } from './body-texts.ts';

export function fetchFrom(
  answer: (request: ApiRequest) => Promise<ApiResponse>,
): NonNullable<ClientOptions['fetch']> {
  return async (url, { method = 'GET', headers, body, signal }) => {
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
      ...(body instanceof ReadableStream ? { content: body } : {}),
      ...(signal === null || signal === undefined ? {} : { signal }),
    });
    const isStream = typeof content === 'object' && content !== null && !(content instanceof Uint8Array);
    const sent = isStream ? toStream(content) : (content as string | null);
    return new Response(sent, { status, headers: fields });
  };
}
