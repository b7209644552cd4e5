/** Handles calls whose object was in a process that has ended. The process is restarted within a second. */
import { diskRefusalOf } from '#files';

interface LostError {
  readonly retryable?: boolean;
  readonly durableObjectReset?: boolean;
}

/**
 * Whether the object was lost during the call: it is unknown whether the call took effect. A write that the disk
 * refused did not.
 */
export function isLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { retryable, durableObjectReset } = error as LostError;
  return retryable === true && durableObjectReset === true && diskRefusalOf(error) === undefined;
}

/** Whether another host of the cluster has the object: inspecting an object only works on its host. */
export function isElsewhere(error: unknown): error is Error {
  return error instanceof Error && (error as { readonly code?: unknown }).code === 'OBJECT_ELSEWHERE';
}

/** For calls that change nothing: repeats the call once, after waiting until the object is available again. */
export async function askAgainIfLost<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!isLost(error)) throw error;
    return ask();
  }
}
