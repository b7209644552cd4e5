/** Cutting long work into pieces between which the process serves others. */
import { setImmediate } from 'node:timers/promises';

/** Resolves after everything else that is ready to run has had its turn. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}
