/** The thread of `copyDatabaseAside`: SQLite works for minutes on a large file without a pause. */
import { parentPort, workerData } from 'node:worker_threads';
import { copyDatabase, NotADatabaseError } from './copy-database.ts';

const { from, to } = workerData as { readonly from: string; readonly to: string };
try {
  copyDatabase(from, to);
  parentPort!.postMessage({ problem: undefined });
} catch (error) {
  if (!(error instanceof NotADatabaseError)) throw error;
  parentPort!.postMessage({ problem: error.problem });
}
