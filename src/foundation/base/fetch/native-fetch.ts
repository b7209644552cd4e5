/**
 * Node's own `fetch`, outside the context of its caller. Its timers serve all requests of the process, so they must not
 * be timers of the object that happens to make the first request.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const apart = AsyncLocalStorage.snapshot();

export const nativeFetch = globalThis.fetch;

export function fetchApart(...args: Parameters<typeof fetch>): Promise<Response> {
  return apart(nativeFetch, ...args);
}

/**
 * Workers code passes a stream as the body of a request without `duplex`; Node requires it. Its only value describes
 * what the Workers platform does anyway: the answer arrives after the body has been sent.
 */
export function allowStreamBody(init: RequestInit | null | undefined): RequestInit | undefined {
  if (init === null || init === undefined) return undefined;
  const { body, duplex } = init as { readonly body?: unknown; readonly duplex?: unknown };
  if (duplex !== undefined || !isStream(body)) return init;
  // Not a copy: the fields of `init` may be getters of its class. Not a proxy of `init` itself: that may be frozen.
  return new Proxy<RequestInit>(
    {},
    {
      get: (_target, name) => (name === 'duplex' ? 'half' : (Reflect.get(init, name) as unknown)),
      has: (_target, name) => name === 'duplex' || Reflect.has(init, name),
    },
  );
}

function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
