/** The thread that reads the bytes of a `Blob` while another one waits for them (`read-blob.ts`). */
import { parentPort } from 'node:worker_threads';
import { type BlobQuestion, readingState } from './blob-question.ts';

parentPort!.on('message', ({ blob, state, bytes }: BlobQuestion) => {
  const finish = (outcome: number): void => {
    Atomics.store(state, 0, outcome);
    Atomics.notify(state, 0);
  };
  blob.arrayBuffer().then(
    (read) => {
      bytes.set(new Uint8Array(read));
      finish(readingState.read);
    },
    () => finish(readingState.failed),
  );
});
