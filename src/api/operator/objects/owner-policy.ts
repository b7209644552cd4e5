/** The owner of the directory may see and change everything in it. */
import type { DurableObjectId } from '#objects';
import type { InspectionPolicy } from './inspection.ts';

/**
 * Called when an object may have another state because a client wanted it: it was put back, has another database, or a value
 * was written. Code that keeps some of it in memory reads it again. The client is told when this has resolved.
 */
export type OnChanged = (className: string, id: DurableObjectId) => Promise<void>;

/** By default nothing of an object is kept in memory. */
export function createOwnerPolicy(onChanged: OnChanged = async () => {}): InspectionPolicy {
  return {
    findZoneName: () => undefined,
    listSecretColumns: () => [],
    explainRefusal: () => undefined,
    perform: ({ className, id }, _note, work) => followChange(work, () => onChanged(className, id)),
  };
}

/**
 * Lets those who keep some of the object in memory follow a change, before the client is told of it: the client may be
 * gone by then. Also if the process of the object ended meanwhile, because it may have made the change.
 */
export async function followChange<T>(work: () => Promise<T>, follow: () => Promise<void>): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    if (isUnknown(error) || isUnknown((error as Error).cause)) await follow().catch(() => {});
    throw error;
  }
  await follow();
  return result;
}

/** It is unknown whether the object has done what it was asked for. */
function isUnknown(error: unknown): boolean {
  return (error as { readonly retryable?: boolean } | undefined)?.retryable === true;
}
