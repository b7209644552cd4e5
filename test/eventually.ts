/** Waiting for what no event announces. */
import { setTimeout as delay } from 'node:timers/promises';

/** Looks that many times before it gives up: on a busy machine each of them takes longer, and nothing is given up sooner. */
const looksMax = 5_000;
/** Soon at first; then less and less often, so that looking does not hold up what it waits for. */
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
