/** Waiting for conditions that no event announces. */
import { setTimeout as delay } from 'node:timers/promises';

/**
 * The number of checks before it gives up: on a busy machine each takes longer, so that it does not give up earlier.
 */
const looksMax = 5_000;
/** Soon at first, then less and less often, so that checking does not delay what it waits for. */
const betweenLooksMsMin = 4;
const betweenLooksMsMax = 40;

export async function eventually(
  isSo: () => boolean | Promise<boolean>,
  what = 'the condition',
): Promise<void> {
  for (let looks = 0; !(await isSo()); looks++) {
    if (looks === looksMax) throw new Error(`${what}: it did not come about`);
    await delay(Math.min(betweenLooksMsMin + looks, betweenLooksMsMax));
  }
}
