import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Log, VirtualClock, measureDirectory } from '#base';
import { DataSizeLimit } from './data-size-limit.ts';

const kibibyte = 1024;
const dayMs = 86_400_000;

/** Files that represent events and history, each of 64 KiB. */
class Files {
  readonly directory: string;
  readonly events = ['e1', 'e2', 'e3'];
  readonly history = ['h1', 'h2'];
  readonly asked: string[] = [];
  readonly logged: string[] = [];

  constructor(t: TestContext) {
    this.directory = mkdtempSync(join(tmpdir(), 'gatehouse-size-'));
    t.after(() => rmSync(this.directory, { recursive: true }));
    for (const name of [...this.events, ...this.history]) {
      writeFileSync(join(this.directory, name), Buffer.alloc(64 * kibibyte, 1));
    }
  }

  limit(bytesMax: number): DataSizeLimit {
    const log = (message: string): number => this.logged.push(message);
    return new DataSizeLimit({
      directory: this.directory,
      bytesMax,
      historyMs: 4 * dayMs,
      dropEvents: async (bytes) => {
        this.asked.push('events');
        let freed = 0;
        while (freed < bytes && this.events.length > 0) freed += this.#remove(this.events);
        return freed;
      },
      shortenHistory: async (retentionMs) => {
        this.asked.push(`history ${retentionMs / dayMs}`);
        if (this.history.length === 0) return 0;
        this.#remove(this.history);
        return 1;
      },
      clock: new VirtualClock(),
      log: { warn: log, error: log } as unknown as Log,
    });
  }

  #remove(names: string[]): number {
    unlinkSync(join(this.directory, names.shift()!));
    return 64 * kibibyte;
  }
}

test('DataSizeLimit drops nothing while the directory is small enough', async (t) => {
  const files = new Files(t);
  const limit = files.limit(1024 * kibibyte);
  equal(await limit.enforce(), await measureDirectory(files.directory));
  deepEqual([files.asked, files.logged], [[], []]);
  await limit.stop();
});

test('DataSizeLimit drops the oldest events first, and no more than it must', async (t) => {
  const files = new Files(t);
  const limit = files.limit(200 * kibibyte);
  await limit.stop();
  deepEqual([files.events, files.asked], [['e3'], ['events']]);
  ok((await measureDirectory(files.directory)) <= 200 * kibibyte);
});

test('DataSizeLimit shortens history step by step when there are no events left', async (t) => {
  const files = new Files(t);
  const limit = files.limit(70 * kibibyte);
  await limit.stop();
  deepEqual(files.asked, ['events', 'history 2']);
  deepEqual([files.events, files.history], [[], ['h2']]);
});

test('DataSizeLimit says so when nothing more can be dropped', async (t) => {
  const files = new Files(t);
  const limit = files.limit(1);
  writeFileSync(join(files.directory, 'zones'), Buffer.alloc(kibibyte));
  await limit.stop();
  deepEqual([files.events, files.history], [[], []]);
  equal(files.logged.at(-1), 'the data directory is larger than data_bytes, and nothing more can be dropped');
});

test('measureDirectory counts what is allocated, in subdirectories as well', async (t) => {
  const files = new Files(t);
  ok((await measureDirectory(files.directory)) >= 5 * 64 * kibibyte);
  equal(await measureDirectory(join(files.directory, 'none')), 0);
});
