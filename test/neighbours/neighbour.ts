/**
 * One who does its worst, and the others that must not notice. Each kind of harm is a file of this folder that exports an
 * `Attack`; `neighbours.test.ts` lists them. An attack gets a running server, keeps it as busy as it can until it is told
 * to stop, and says how often it tried: an attack that does nothing shows nothing.
 */
import type { WorkerSite } from '../edge/worker-site.ts';

export interface Attack {
  /** What it does, for the title of its test. */
  readonly name: string;
  /** Prepares the server: rules, objects. Called once, before anybody is measured. */
  prepare?(site: WorkerSite): Promise<void>;
  /** Attacks until the signal. Resolves to how often it tried. */
  run(site: WorkerSite, signal: AbortSignal): Promise<number>;
}

/** Does the same again and again, several times at once, until the signal. An attempt that fails counts as well. */
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
