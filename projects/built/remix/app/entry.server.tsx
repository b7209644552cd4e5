import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare';
import { RemixServer } from '@remix-run/react';
import { renderToReadableStream } from 'react-dom/server';

export default async function answer(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  _load: AppLoadContext,
): Promise<Response> {
  const body = await renderToReadableStream(<RemixServer context={context} url={request.url} />, {
    signal: request.signal,
  });
  await body.allReady;
  headers.set('content-type', 'text/html');
  return new Response(body, { status, headers });
}
