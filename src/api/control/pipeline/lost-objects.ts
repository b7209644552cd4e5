/** What happens to a call whose object is in a process that has ended. The process is started again within a second. */
import { diskRefusalOf } from '#base';

interface LostError {
  readonly retryable?: boolean;
  readonly durableObjectReset?: boolean;
}

/**
 * Whether the object was lost while it was asked: it is unknown whether it did what it was asked to do. One whose write the
 * disk has refused did not.
 */
export function isLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { retryable, durableObjectReset } = error as LostError;
  return retryable === true && durableObjectReset === true && diskRefusalOf(error) === undefined;
}

/** Whether another host of the cluster has the object: what looks into objects works on that host only. */
export function isElsewhere(error: unknown): error is Error {
  return error instanceof Error && (error as { readonly code?: unknown }).code === 'OBJECT_ELSEWHERE';
}

/** For what changes nothing: asks once more, and waits until the object is there again. */
export async function askAgainIfLost<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isLost(error)) throw error;
    return ask();
  }
}
