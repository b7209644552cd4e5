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
