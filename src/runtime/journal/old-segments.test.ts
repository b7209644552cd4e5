import { deepEqual, equal, rejects } from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { VirtualClock } from '#base';
import { realFileSystem } from '#files';
import { Journal } from './journal.ts';

/** A copy of a log that 0.1.0 wrote: seven records in three segments of version 1. */
function copyCaptured(t: TestContext, name: 'version-1-closed' | 'version-1-killed'): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-journal-'));
  t.after(() => rmSync(directory, { recursive: true }));
  cpSync(join(import.meta.dirname, 'testdata', name), join(directory, 'journal'), { recursive: true });
  return join(directory, 'journal');
}

function open(directory: string): Promise<Journal> {
  return Journal.open({ directory, fs: realFileSystem, clock: new VirtualClock(), segmentBytes: 512 });
}

function textsIn(journal: Journal): string[] {
  return Array.from(journal.scan(journal.start), ({ payload }) =>
    Buffer.from(payload).toString().replace(/\.+$/, ''),
  );
}

const records = Array.from({ length: 7 }, (_, number) => `record ${number} `);

for (const name of ['version-1-closed', 'version-1-killed'] as const) {
  test(`Journal reads a log that 0.1.0 wrote (${name}), and continues in a segment with a salt`, async (t) => {
    const directory = copyCaptured(t, name);
    const journal = await open(directory);
    deepEqual(textsIn(journal), records);
    deepEqual(await Array.fromAsync(journal.scrub()), []);
    const before = new Set(readdirSync(directory).filter((file) => file.endsWith('.log')));
    const { position, durable } = journal.append([Buffer.from('a later one')]);
    await durable;
    equal(Buffer.from(journal.read(position).payload).toString(), 'a later one');
    await journal.close();

    const again = await open(directory);
    deepEqual(textsIn(again), [...records, 'a later one']);
    deepEqual(await Array.fromAsync(again.scrub()), []);
    await again.close();
    const versions = readdirSync(directory)
      .filter((file) => file.endsWith('.log'))
      .map((file) => [before.has(file), readFileSync(join(directory, file)).readUInt32LE(8)]);
    deepEqual(versions, [
      [true, 1],
      [true, 1],
      [true, 1],
      [false, 2],
    ]);
  });
}

test('Journal reports a damaged record in a segment that 0.1.0 wrote', async (t) => {
  const directory = copyCaptured(t, 'version-1-closed');
  const file = join(directory, '0000000000000338.log');
  const bytes = readFileSync(file);
  bytes[32 + 40]! ^= 1;
  writeFileSync(file, bytes);
  await rejects(open(directory), { name: 'JournalDamageError', file, offset: 32, position: 0x338 });
});
