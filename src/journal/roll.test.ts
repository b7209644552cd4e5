import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { realFileSystem, VirtualClock } from '#base';
import { Journal } from './journal.ts';

const segmentBytes = 1024 * 1024;

function temporary(t: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-journal-'));
  t.after(() => rmSync(parent, { recursive: true }));
  return join(parent, 'journal');
}

function open(directory: string): Promise<Journal> {
  return Journal.open({
    directory,
    fs: realFileSystem,
    clock: new VirtualClock(),
    segmentBytes,
    ahead: 'hole',
  });
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

test('Journal with a hole ahead takes no more space than its records', async (t) => {
  const directory = temporary(t);
  const journal = await open(directory);
  await journal.append([Buffer.from('one')]).durable;
  await journal.close();
  const file = readdirSync(directory).find((name) => name.endsWith('.log'));
  const { size, blocks } = statSync(join(directory, file!));
  equal(size, segmentBytes);
  equal(blocks * 512 < segmentBytes / 16, true);
  const again = await open(directory);
  deepEqual(texts(again), ['one']);
  await again.close();
});
