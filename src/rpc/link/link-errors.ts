import { toCallerError } from '../caller-error.ts';

/** What callers get for an object whose process has ended: the text and the flags that Cloudflare documents. */
export function createLostError(): Error {
  return toCallerError(new Error('Network connection lost.'), { retryable: true, durableObjectReset: true });
}

export function createOverloadedError(): Error {
  return toCallerError(new Error('Durable Object is overloaded. Too much data queued.'), {
    overloaded: true,
  });
}
