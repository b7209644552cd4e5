/**
 * A killed program leaves child processes for a moment, until they notice: they still hold its directory and its ports.
 * The next process waits for them, and only then reports that something is in use.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** They notice within a tenth of a second, on a machine that schedules them. */
const waitMsMax = 3_000;
const retryMs = 50;

const takenCodes: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'DIRECTORY_LOCKED']);

/** Tries to acquire something until it is free. */
export async function waitForPredecessor<Taken>(take: () => Promise<Taken>): Promise<Taken> {
  for (const beganMs = performance.now(); ;) {
    try {
      return await take();
    } catch (error) {
      const isTaken = takenCodes.has((error as NodeJS.ErrnoException).code);
      if (!isTaken || performance.now() - beganMs > waitMsMax) throw error;
      await delay(retryMs);
    }
  }
}
