/** Splits long work into pieces between which the event loop runs. */
import { setImmediate } from 'node:timers/promises';

/** Resolves after everything else that is ready to run has run. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}
