import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { VirtualClock } from '#base';
import { realFileSystem } from '#files';
import { Journal } from './journal.ts';
import type { JournalOptions } from './options.ts';

const segmentBytes = 1024 * 1024;

function temporary(t: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-journal-'));
  t.after(() => rmSync(parent, { recursive: true }));
  return join(parent, 'journal');
}

function open(
  directory: string,
  { fs = realFileSystem, ...options }: Partial<JournalOptions> = { ahead: 'hole' },
): Promise<Journal> {
  return Journal.open({ directory, fs, clock: new VirtualClock(), segmentBytes, ...options });
}

function texts(journal: Journal): string[] {
  return Array.from(journal.scan(journal.start), ({ payload }) => Buffer.from(payload).toString());
}

test('Journal.roll lets everything before it be dropped, although its file is not full', async (t) => {
  const directory = temporary(t);
  const journal = await open(directory);
  const old = journal.append([Buffer.from('old')]);
  await journal.roll();
  const young = journal.append([Buffer.from('young')]);
  await young.durable;
  await journal.dropBefore(old.end);
  deepEqual(texts(journal), ['young']);
  await journal.close();
  const again = await open(directory);
  deepEqual(texts(again), ['young']);
  await again.close();
});

for (const options of [{ ahead: 'hole' }, { durability: 'os' }] as const) {
  test(`Journal with ${JSON.stringify(options)} takes no more space than its records`, async (t) => {
    const directory = temporary(t);
    const journal = await open(directory, options);
    await journal.append([Buffer.from('one')]).durable;
    await journal.close();
    const file = readdirSync(directory).find((name) => name.endsWith('.log'));
    const { size, blocks } = statSync(join(directory, file!));
    equal(size, segmentBytes);
    equal(blocks * 512 < segmentBytes / 16, true);
    const again = await open(directory, options);
    deepEqual(texts(again), ['one']);
    await again.close();
  });
}

test('Journal.open reads the header of a log that it creates, and the whole of one that it finds', async (t) => {
  const directory = temporary(t);
  let bytes = 0;
  const openSync: typeof realFileSystem.openSync = (path, mode) => {
    const file = realFileSystem.openSync(path, mode);
    const readSync = file.readSync.bind(file);
    return Object.assign(file, {
      readSync: (buffer: Buffer, offset: number) => {
        bytes += buffer.length;
        return readSync(buffer, offset);
      },
    });
  };
  const fs = Object.assign(Object.create(realFileSystem) as typeof realFileSystem, { openSync });
  await (await open(directory, { fs })).close();
  equal(bytes < 1024, true);
  await (await open(directory, { fs })).close();
  equal(bytes >= segmentBytes, true);
});
