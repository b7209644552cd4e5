/** The policy of the owner of the directory, who may see and change everything in it. */
import type { DurableObjectId } from '#objects';
import type { InspectionPolicy } from './inspection.ts';

/**
 * Called when a client may have changed the state of an object: by a restore, a replaced database or a written value.
 * Code that caches some of it reads it again. The client gets its answer once this has resolved.
 */
export type OnChanged = (className: string, id: DurableObjectId) => Promise<void>;

/** By default nothing of an object is cached. */
export function createOwnerPolicy(onChanged: OnChanged = async () => {}): InspectionPolicy {
  return {
    findZoneName: () => undefined,
    listSecretColumns: () => [],
    explainRefusal: () => undefined,
    perform: ({ className, id }, _note, work) => followChange(work, () => onChanged(className, id)),
  };
}

/**
 * Updates the caches of an object after a change, before the client gets its answer: it may have disconnected by then.
 * Also if the process of the object ended meanwhile, because it may have made the change.
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

/** It is unknown whether the object has made the change. */
function isUnknown(error: unknown): boolean {
  return (error as { readonly retryable?: boolean } | undefined)?.retryable === true;
}
