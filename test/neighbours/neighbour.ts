/**
 * An attacker, and the bystanders that must not be affected. Each kind of attack is a file of this folder that exports
 * an `Attack`; `neighbours.test.ts` lists them. An attack gets a running server, keeps it as busy as it can until the
 * signal, and returns the number of attempts: an attack that does nothing proves nothing.
 */
import type { WorkerSite } from '../edge/worker-site.ts';

export interface Attack {
  /** Its description, for the title of its test. */
  readonly name: string;
  /** Prepares the server: rules, objects. Called once, before the measurement. */
  prepare?(site: WorkerSite): Promise<void>;
  /** Attacks until the signal. Resolves to the number of attempts. */
  run(site: WorkerSite, signal: AbortSignal): Promise<number>;
}

/** Repeats an attempt, several at a time, until the signal. Failed attempts count as well. */
export async function repeat(
  clients: number,
  signal: AbortSignal,
  attempt: () => Promise<unknown>,
): Promise<number> {
  let attempts = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (!signal.aborted) {
        await attempt().catch(() => {});
        attempts++;
      }
    }),
  );
  return attempts;
}
