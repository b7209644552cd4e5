/** The thread of `copyDatabaseAside`: SQLite works for minutes on a large file without a pause. */
import { parentPort, workerData } from 'node:worker_threads';
import { copyDatabase, NotADatabaseError } from './copy-database.ts';

const { from, to } = workerData as { readonly from: string; readonly to: string };
const tell = (problem: string | undefined): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
  parentPort!.postMessage({ problem });
};
try {
  copyDatabase(from, to);
  tell(undefined);
} catch (error) {
  if (!(error instanceof NotADatabaseError)) throw error;
  tell(error.problem);
}
