import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { VirtualClock } from '#base';
import { realFileSystem } from '#files';
import { JournalDamageError, JournalRangeError } from './errors.ts';
import { Journal } from './journal.ts';
import type { JournalOptions } from './options.ts';
import { type Position, firstPosition } from './position.ts';

function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-journal-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return join(directory, 'journal');
}

function open(directory: string, options: Partial<JournalOptions> = {}): Promise<Journal> {
  return Journal.open({
    directory,
    fs: realFileSystem,
    clock: new VirtualClock(),
    segmentBytes: 4096,
    ...options,
  });
}

function texts(journal: Journal, from = journal.start, to?: Position): string[] {
  return Array.from(journal.scan(from, to), ({ payload }) => Buffer.from(payload).toString());
}

/** Appends records of 1,000 bytes, three to a segment. */
async function fill(journal: Journal, count: number): Promise<Position[]> {
  const positions: Position[] = [];
  for (let number = 0; number < count; number++) {
    const { position, durable } = journal.append([Buffer.from(`${number}`.padEnd(1000))]);
    await durable;
    positions.push(position);
  }
  return positions;
}

test('Journal reads back what was appended, by position and in order, also when opened again', async (t) => {
  const directory = temporaryDirectory(t);
  const journal = await open(directory);
  const first = journal.append([Buffer.from('hel'), Buffer.from('lo')]);
  const second = journal.append([Buffer.from('world')]);
  equal(first.position, firstPosition);
  equal(second.position, first.end);
  throws(() => journal.read(first.position), JournalRangeError);
  await second.durable;
  equal(Buffer.from(journal.read(first.position).payload).toString(), 'hello');
  equal(journal.read(second.position).end, journal.durableEnd);
  await journal.close();

  const again = await open(directory);
  deepEqual(texts(again), ['hello', 'world']);
  equal(again.cutBytes, 0);
  await again.append([Buffer.from('!')]).durable;
  deepEqual(texts(again, second.position), ['world', '!']);
  deepEqual(texts(again, again.start, second.position), ['hello']);
  await again.close();
});

test('Journal assigns positions at once and settles records in order, just before they are durable', async (t) => {
  const journal = await open(temporaryDirectory(t));
  const told: string[] = [];
  const appended = ['a', 'b', 'c'].map((name) => {
    const { durable } = journal.append([Buffer.from(name)], () => told.push(`${name} settled`));
    return durable.then(() => told.push(`${name} durable`));
  });
  equal(journal.busy, true);
  equal(journal.durableEnd, firstPosition);
  await Promise.all(appended);
  deepEqual(told, ['a settled', 'b settled', 'c settled', 'a durable', 'b durable', 'c durable']);
  equal(journal.durableEnd, journal.end);
  await journal.flush();
  equal(journal.busy, false);
  await journal.close();
});

test('Journal continues in a new segment when one is full, and cuts the old one to its records', async (t) => {
  const directory = temporaryDirectory(t);
  const journal = await open(directory);
  const positions = await fill(journal, 8);
  await journal.close();
  const names = readdirSync(directory).filter((name) => name.endsWith('.log'));
  deepEqual(names, ['0000000000000008.log', '0000000000000c20.log', '0000000000001838.log']);
  equal(statSync(join(directory, names[0]!)).size, 40 + 0xc20 - 8);

  const again = await open(directory);
  equal(texts(again).length, 8);
  for (const position of positions.toReversed()) equal(again.read(position).position, position);
  await again.close();
});

test('Journal writes a record that is larger than a segment into its own segment', async (t) => {
  const directory = temporaryDirectory(t);
  const journal = await open(directory);
  const large = Buffer.alloc(100_000, 'large');
  const sizes = [1, large.length, 2];
  const appended = sizes.map((size) => journal.append([large.subarray(0, size)]));
  await journal.flush();
  await journal.close();
  const again = await open(directory);
  deepEqual(
    appended.map(({ position }) => again.read(position).payload.length),
    sizes,
  );
  ok(large.equals(again.read(appended[1]!.position).payload));
  await again.close();
});

test('Journal.dropBefore removes whole segments only, and reads of dropped records are out of range', async (t) => {
  const directory = temporaryDirectory(t);
  const journal = await open(directory);
  const positions = await fill(journal, 9);
  await journal.dropBefore(positions[5]!);
  equal(journal.start, positions[3]);
  throws(() => journal.read(positions[2]!), JournalRangeError);
  equal(journal.read(positions[3]!).position, positions[3]);
  deepEqual(journal.segmentsBefore(positions[6]!), [{ start: positions[3], end: positions[6] }]);
  await journal.dropBefore(journal.end);
  equal(journal.start, positions[6]);
  await journal.close();
  const again = await open(directory);
  equal(again.start, positions[6]);
  equal(texts(again).length, 3);
  await again.close();
});

test('Journal.scan ends with what was durable at its start, and refuses history that was dropped meanwhile', async (t) => {
  const journal = await open(temporaryDirectory(t));
  const positions = await fill(journal, 7);
  const scan = journal.scan(journal.start);
  equal(scan.next().value?.position, positions[0]);
  await fill(journal, 4);
  equal([...scan].length, 6);
  const late = journal.scan(journal.start);
  equal(late.next().value?.position, positions[0]);
  await journal.dropBefore(positions[6]!);
  throws(() => [...late], JournalRangeError);
  await journal.close();
});

test('Journal keeps times in order when the clock is set back, also across a restart', async (t) => {
  const directory = temporaryDirectory(t);
  const early = new VirtualClock({ start: 1_000 });
  const late = new VirtualClock({ start: 5_000 });
  const journal = await open(directory, { clock: late });
  await fill(journal, 3);
  await journal.close();
  const again = await open(directory, { clock: early });
  equal(again.append([Buffer.from('x')]).time, 5_000);
  await again.close();
  const times = Array.from((await open(directory)).scan(firstPosition), ({ time }) => time);
  deepEqual(times, [5_000, 5_000, 5_000, 5_000]);
});

test('Journal of durability os appends, rolls and reopens like one of durability disk', async (t) => {
  const directory = temporaryDirectory(t);
  const journal = await open(directory, { durability: 'os' });
  await fill(journal, 7);
  await journal.close();
  const again = await open(directory, { durability: 'disk' });
  equal(texts(again).length, 7);
  await again.close();
});

test('Journal.close makes pending records durable, and nothing can be appended afterwards', async (t) => {
  const directory = temporaryDirectory(t);
  const journal = await open(directory);
  const { durable } = journal.append([Buffer.from('last words')]);
  await Promise.all([journal.close(), durable]);
  await journal.close();
  throws(() => journal.append([Buffer.from('too late')]), /closed journal/);
  const again = await open(directory);
  deepEqual(texts(again), ['last words']);
  await again.close();
});

test('Journal.open refuses a directory whose parent does not exist', async (t) => {
  await rejects(open(join(temporaryDirectory(t), 'no', 'parent')), { code: 'ENOENT' });
});

test('Journal with durability os also finds a flipped byte of a log that was closed', async (t) => {
  const directory = temporaryDirectory(t);
  const journal = await open(directory, { durability: 'os' });
  const [, second] = await fill(journal, 3);
  await journal.close();
  const path = join(
    directory,
    readdirSync(directory).find((name) => name.endsWith('.log'))!,
  );
  const file = realFileSystem.openSync(path, 'edit');
  file.writeSync(Buffer.from('!'), 32 + second! - firstPosition + 500);
  file.closeSync();
  await rejects(open(directory), JournalDamageError);
});

test('Journal.read puts a large record into the memory that it is given', async (t) => {
  const journal = await open(temporaryDirectory(t));
  const large = Buffer.alloc(100_000, 'abc');
  const appended = journal.append([large]);
  await appended.durable;
  const memory = Buffer.alloc(200_000);
  const { payload } = journal.read(appended.position, (bytes) => memory.subarray(0, bytes));
  ok(large.equals(payload));
  equal(payload.buffer, memory.buffer);
  await journal.close();
});
