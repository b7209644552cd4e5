import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { realClock, type Timer } from '#base';
import { NotADatabaseError } from './copy-database.ts';
import { removeDatabase } from './remove-database.ts';

/** How often a copy in progress is looked at. */
const lookMs = 200;

/** Like `copyDatabase`, in a thread of its own. `onBytes` is told how long the copy is so far. */
export async function copyDatabaseAside(
  from: string,
  to: string,
  onBytes: (bytes: number) => void = () => {},
): Promise<void> {
  const file = new URL(`./copy-worker${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(file, { workerData: { from, to } });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on('message', ({ problem }: { readonly problem: string | undefined }) => {
    if (problem === undefined) resolve();
    else reject(new NotADatabaseError(from, problem));
  });
  worker.on('error', reject);
  worker.on('exit', (code) => reject(new Error(`the copy of ${from} ended with code ${code}`)));
  let timer: Timer;
  const look = (): void => {
    onBytes(statSync(to, { throwIfNoEntry: false })?.size ?? 0);
    timer = realClock.setTimer(realClock.now() + lookMs, look, 'housekeeping');
  };
  look();
  try {
    await promise;
  } catch (error) {
    removeDatabase(to);
    throw error;
  } finally {
    timer!.cancel();
  }
}
