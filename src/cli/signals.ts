/** What a program that serves does about signals. */
import { once } from 'node:events';
import { exitCodes } from './command.ts';

/** How long running requests may take once `gatehouse dev` was told to stop. */
export const shutdownGraceMs = 10_000;

/** Resolves at the first signal, with its name; a second one ends the process at once. */
export async function waitForSignal(): Promise<string> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const first = await Promise.race(
    signals.map(async (signal) => {
      await once(process, signal);
      return signal;
    }),
  );
  for (const signal of signals) process.once(signal, () => process.exit(exitCodes.failure));
  return first;
}
