/** Calls a function of the configuration, which is in another thread. */
import { nativeFetch } from '#base';
import type { Answer } from '#workers';
import { functionHeaders } from '../function-headers.ts';

export function callFunction(
  { url, token }: { readonly url: string; readonly token: string },
  number: number,
): Answer {
  return async (request) => {
    const headers = new Headers(request.headers);
    headers.set(functionHeaders.token, token);
    headers.set(functionHeaders.number, String(number));
    headers.set(functionHeaders.url, request.url);
    const body = request.body === null ? null : await request.arrayBuffer();
    const { method } = request;
    const response = await nativeFetch(url, { method, headers, body, redirect: 'manual' });
    if (response.headers.has(functionHeaders.failed))
      throw new Error(`a function of the Vitest configuration has failed: ${await response.text()}`);
    const { status, statusText } = response;
    return new Response(response.body, { status, statusText, headers: response.headers });
  };
}
