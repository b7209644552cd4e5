/** Calls of an API in this process, without a server between: for rehearsals and tests. */
import type { ApiRequest, ApiResponse } from '#api';
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
    const sent = isStream ? ReadableStream.from(encode(content)) : (content as string | null);
    return new Response(sent, { status, headers: fields });
  };
}

async function* encode(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield typeof piece === 'string' ? encoder.encode(piece) : piece;
}
