/** Calls whose outcome is known when they are made, or that have no callable result. */
import type { RemoteCall } from '../reference.ts';

export function settledCall(result: Promise<unknown>): RemoteCall {
  return {
    result,
    pipeline: () => settledCall(Promise.reject(new TypeError('the result of fetch() cannot be called'))),
  };
}

/** Calls on its result fail with the same error. */
export function failedCall(reason: unknown): RemoteCall {
  return { result: Promise.reject(reason), pipeline: () => failedCall(reason) };
}
