import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { LineQueue } from './line-queue.ts';
import type { LineSink } from './line-sink.ts';

/** A disk whose answers the test controls. */
class HeldSink implements LineSink {
  readonly name = 'held';
  readonly written: string[] = [];
  reopened = 0;
  closed = 0;
  #waiting: PromiseWithResolvers<void> | undefined;
  #called = Promise.withResolvers<void>();

  write(bytes: Buffer): Promise<void> {
    this.#waiting = Promise.withResolvers();
    this.written.push(bytes.toString());
    this.#called.resolve();
    return this.#waiting.promise;
  }

  /** Resolves when there is a write. */
  async asked(): Promise<void> {
    await this.#called.promise;
    this.#called = Promise.withResolvers();
  }

  succeed(): void {
    this.#waiting!.resolve();
  }

  fail(error: Error): void {
    this.#waiting!.reject(error);
  }

  async reopen(): Promise<void> {
    this.reopened++;
  }

  async close(): Promise<void> {
    this.closed++;
  }
}

test('LineQueue writes what was added together, one write at a time', async () => {
  const sink = new HeldSink();
  const queue = new LineQueue({ sink, onDropped: () => {} });
  queue.add('a\n');
  queue.add('b\n');
  const flushed = queue.flush();
  await sink.asked();
  queue.add('c\n');
  deepEqual(sink.written, ['a\nb\n']);
  sink.succeed();
  await sink.asked();
  sink.succeed();
  await flushed;
  deepEqual(sink.written, ['a\nb\n', 'c\n']);
  deepEqual(queue.counts, { written: 3, dropped: 0, queuedBytes: 0 });
});

test('LineQueue drops what a disk that does not answer leaves no room for, counts it and says so', async () => {
  const sink = new HeldSink();
  const said: number[] = [];
  const queue = new LineQueue({ sink, bytesMax: 10, onDropped: (lines) => said.push(lines) });
  queue.add('1234\n');
  void queue.flush();
  await sink.asked();
  for (let count = 0; count < 100; count++) queue.add('5678\n');
  deepEqual(queue.counts, { written: 0, dropped: 99, queuedBytes: 10 });
  // The rest is reported with the next message.
  deepEqual(said, [1]);
  sink.succeed();
  await sink.asked();
  deepEqual(sink.written, ['1234\n', '5678\n']);
  sink.succeed();
});

test('LineQueue goes on after a write that failed, and says why', async () => {
  const sink = new HeldSink();
  const said: unknown[] = [];
  const queue = new LineQueue({
    sink,
    onDropped: (lines, error) => said.push([lines, (error as Error).message]),
  });
  queue.add('a\n');
  const failed = queue.flush();
  await sink.asked();
  sink.fail(new Error('ENOSPC'));
  await failed;
  deepEqual(said, [[1, 'ENOSPC']]);
  queue.add('b\n');
  const flushed = queue.flush();
  await sink.asked();
  sink.succeed();
  await flushed;
  deepEqual(queue.counts, { written: 1, dropped: 1, queuedBytes: 0 });
});

test('LineQueue.close writes what is left, and does not close a sink that is still busy', async () => {
  const sink = new HeldSink();
  const queue = new LineQueue({ sink, onDropped: () => {} });
  queue.add('a\n');
  const closed = queue.close();
  await sink.asked();
  sink.succeed();
  await closed;
  equal(sink.closed, 1);
  queue.add('late\n');
  equal(queue.counts.dropped, 1);
});

test('LineQueue.reopen waits for the write in progress, and needs no line', async () => {
  const sink = new HeldSink();
  const queue = new LineQueue({ sink, onDropped: () => {} });
  queue.reopen();
  await queue.flush();
  equal(sink.reopened, 1);
  queue.add('a\n');
  const flushed = queue.flush();
  await sink.asked();
  queue.reopen();
  equal(sink.reopened, 1);
  sink.succeed();
  await flushed;
  equal(sink.reopened, 2);
});
