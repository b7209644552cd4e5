import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { type FileSystem, realFileSystem } from '#files';
import { Tables } from '#tables';
import { runsMax } from './limits.ts';
import { bytes, collect, ownerNumber, temporaryDirectory, text } from './testing.ts';

const owner = ownerNumber(1);

test('Tables answers from memory at once, and with a promise only when the disk must be read', async (t) => {
  const tables = Tables.open({ directory: temporaryDirectory(t) });
  tables.apply([{ owner, key: '', value: bytes('') }], 1);
  assert.deepEqual(tables.get(owner, ''), bytes(''));
  assert.equal(tables.get(owner, 'absent'), undefined);
  await tables.flush();
  const first = tables.get(owner, '');
  assert.ok(first instanceof Promise);
  assert.deepEqual(await first, bytes(''));
  assert.deepEqual(tables.get(owner, ''), bytes(''), 'the block is in the cache now');
  assert.equal(tables.get(ownerNumber(2), ''), undefined, 'the filter knows that it is absent');
  await tables.close();
});

test('Tables keeps its position across reopenings, touched or applied', async (t) => {
  const directory = temporaryDirectory(t);
  const tables = Tables.open({ directory });
  assert.equal(tables.position, 0);
  tables.touch(5);
  await tables.flush();
  assert.equal(tables.position, 5);
  tables.apply([{ owner, key: 'a', value: bytes('1') }], 9);
  assert.equal(tables.position, 5);
  await tables.flush();
  tables.apply([{ owner, key: 'b', value: bytes('2') }], 10);
  await tables.close();
  const reopened = Tables.open({ directory });
  assert.equal(reopened.position, 9);
  assert.equal(await reopened.get(owner, 'b'), undefined);
  assert.equal(text(await reopened.get(owner, 'a')), '1');
  await reopened.close();
});

test('Tables.apply refuses what is not valid, and then applies nothing of the batch', async (t) => {
  const tables = Tables.open({ directory: temporaryDirectory(t) });
  const good = { owner, key: 'a', value: bytes('1') };
  tables.apply([], 3);
  for (const position of [3, 2, -1, 3.5, NaN, 2 ** 53]) {
    assert.throws(() => tables.apply([good], position), RangeError, String(position));
  }
  const bad = [
    { owner: 'short', key: 'a', value: null },
    { owner: 'short', drop: true as const },
    { owner: '\u0100'.padEnd(34), key: 'a', value: null },
    { owner, key: '\u0100', value: null },
    { owner, key: 'k'.repeat(65_536), value: null },
  ];
  for (const change of bad) assert.throws(() => tables.apply([good, change], 4), RangeError);
  assert.throws(() => tables.touch(2), RangeError);
  assert.throws(() => tables.get('short', 'a'), RangeError);
  await assert.rejects(tables.list('short'), RangeError);
  await assert.rejects(tables.list(owner, { limit: -1 }), RangeError);
  await assert.rejects(collect(tables.owners('x'.repeat(35))), RangeError);
  assert.equal(tables.stats().memtableRows, 0);
  await tables.close();
});

test('Tables accepts keys and values of any size up to the limit', async (t) => {
  const tables = Tables.open({ directory: temporaryDirectory(t), durable: false, cacheBytesMax: 10_000 });
  const keys = ['', 'k', 'k'.repeat(65_534), 'k'.repeat(65_535)];
  const large = new Uint8Array(3_000_000).fill(7);
  tables.apply(
    keys.map((key) => ({ owner, key, value: large })),
    1,
  );
  await tables.flush();
  for (const key of keys) assert.equal(Buffer.compare((await tables.get(owner, key))!, large), 0);
  assert.deepEqual(
    (await tables.list(owner, { reverse: true })).map(([key]) => key),
    keys.toReversed(),
  );
  assert.ok(tables.stats().cacheBytes <= 10_000);
  await tables.close();
});

test('Tables.list sees the state at the call, whatever is applied, flushed or merged meanwhile', async (t) => {
  const directory = temporaryDirectory(t);
  const tables = Tables.open({ directory, durable: false });
  const keys = Array.from({ length: 1000 }, (_, i) => String(i).padStart(4, '0'));
  const put = (value: string, position: number): void =>
    tables.apply(
      keys.map((key) => ({ owner, key, value: bytes(value) })),
      position,
    );
  put('old', 1);
  await tables.flush();
  put('new', 2);
  const listing = tables.list(owner);
  const iterator = tables.iterate(owner);
  const first = await iterator.next();
  tables.apply([{ owner, drop: true }], 3);
  await tables.flush();
  await tables.compact();
  assert.equal(tables.stats().runs, 0);
  assert.ok(readdirSync(directory).length > 1, 'the iterator holds its run');
  assert.deepEqual(await tables.list(owner), []);
  const listed = await listing;
  assert.deepEqual(
    listed.map(([key]) => key),
    keys,
  );
  assert.ok(listed.every(([, value]) => text(value) === 'new'));
  assert.deepEqual([first.value, ...(await collect(iterator))], listed);
  await tables.close();
  assert.deepEqual(readdirSync(directory), ['manifest'], 'and nobody holds it any more');
});

test('Tables.flush is joined by a second call, and apply works meanwhile', async (t) => {
  const tables = Tables.open({ directory: temporaryDirectory(t), memtableBytesMax: 1000 });
  tables.apply([{ owner, key: 'a', value: new Uint8Array(2000) }], 1);
  assert.equal(tables.needsFlush, true);
  const flushing = tables.flush();
  assert.equal(tables.flush(), flushing);
  assert.equal(tables.needsFlush, false);
  tables.apply([{ owner, key: 'a', value: null }], 2);
  assert.equal(await tables.get(owner, 'a'), undefined);
  await flushing;
  assert.equal(tables.position, 1);
  assert.equal(await tables.get(owner, 'a'), undefined);
  await tables.close();
});

test('Tables.compact frees the space of deleted rows', async (t) => {
  const tables = Tables.open({ directory: temporaryDirectory(t), durable: false });
  const owners = Array.from({ length: 200 }, (_, i) => ownerNumber(i));
  tables.apply(
    owners.map((each) => ({ owner: each, key: 'a', value: new Uint8Array(1000) })),
    1,
  );
  await tables.flush();
  const { bytesOnDisk } = tables.stats();
  tables.apply(
    owners.slice(0, 50).map((each) => ({ owner: each, drop: true })),
    2,
  );
  await tables.flush();
  await tables.compact();
  assert.ok(tables.stats().bytesOnDisk < 0.76 * bytesOnDisk);
  assert.deepEqual(await collect(tables.owners()), owners.slice(50));
  await tables.close();
});

test('Tables merges runs by itself, and flush waits for a merge when there are too many', async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let runsFlushed = 0;
  let isFlushCall = false;
  const open: FileSystem['open'] = async (path, mode) => {
    // A flush that does not wait creates its run within the call. Any other run is a merge.
    if (isFlushCall) runsFlushed += 1;
    else if (path.endsWith('.run.tmp')) await released;
    return realFileSystem.open(path, mode);
  };
  const fs = { ...realFileSystem, open };
  const tables = Tables.open({ directory: temporaryDirectory(t), durable: false, fs });
  let position = 0;
  const putAndFlush = (): Promise<void> => {
    tables.apply([{ owner, key: String(++position), value: new Uint8Array(100) }], position);
    isFlushCall = true;
    const flushing = tables.flush();
    isFlushCall = false;
    return flushing;
  };
  while (tables.stats().runs < runsMax) await putAndFlush();
  assert.equal(runsFlushed, runsMax);
  const flushing = putAndFlush();
  assert.equal(runsFlushed, runsMax, 'this one waits');
  release();
  await flushing;
  assert.equal(tables.position, position);
  assert.ok(tables.stats().runs < runsMax);
  assert.equal((await tables.list(owner)).length, position);
  await tables.close();
});

test('Tables.get respects a drop even where the filter reports the key as present', async (t) => {
  const tables = Tables.open({ directory: temporaryDirectory(t), durable: false, cacheBytesMax: 0 });
  const keys = Array.from({ length: 2000 }, (_, i) => `key ${i}`);
  tables.apply(
    keys.map((key) => ({ owner, key, value: bytes('old') })),
    1,
  );
  await tables.flush();
  const others = Array.from({ length: 300 }, (_, i) => ({
    owner: ownerNumber(i + 2),
    key: 'other',
    value: bytes('new'),
  }));
  tables.apply([{ owner, drop: true }, ...others], 2);
  await tables.flush();
  assert.equal(tables.stats().runs, 2);
  for (const key of keys) assert.equal(await tables.get(owner, key), undefined);
  await tables.close();
});

test('Tables.close ends everything except readers', async (t) => {
  const tables = Tables.open({ directory: temporaryDirectory(t) });
  tables.apply([{ owner, key: 'a', value: bytes('1') }], 1);
  await tables.flush();
  const reading = tables.get(owner, 'a');
  tables.apply([{ owner, key: 'b', value: bytes('2') }], 2);
  const flushing = tables.flush();
  await Promise.all([tables.close(), tables.close()]);
  assert.equal(text(await reading), '1');
  await flushing;
  assert.throws(() => tables.get(owner, 'a'), /closed/);
  assert.throws(() => tables.apply([], 3), /closed/);
  await assert.rejects(tables.flush(), /closed/);
  await assert.rejects(tables.compact(), /closed/);
  await assert.rejects(collect(tables.iterate(owner)), /closed/);
});

test('Tables holds 100,000 owners in little memory', async (t) => {
  const tables = Tables.open({
    directory: temporaryDirectory(t),
    durable: false,
    memtableBytesMax: 4 * 1024 * 1024,
  });
  const count = 100_000;
  const perBatch = 500;
  for (let number = 0; number < count; number += perBatch) {
    const batch = Array.from({ length: perBatch }, (_, i) => {
      const value = bytes(String(number + i));
      return { owner: ownerNumber(number + i), key: 'value', value };
    });
    tables.apply(batch, number + 1);
    if (tables.needsFlush) await tables.flush();
  }
  await tables.flush();
  await tables.compact();
  const { runs, rowsOnDisk, indexBytes, memtableBytes, bytesOnDisk } = tables.stats();
  assert.deepEqual({ runs, rowsOnDisk, memtableBytes }, { runs: 1, rowsOnDisk: count, memtableBytes: 0 });
  assert.ok(indexBytes < 4 * count, `an owner costs less than four bytes of memory: ${indexBytes / count}`);
  assert.ok(bytesOnDisk < 30 * count, `and less than 30 on disk: ${bytesOnDisk / count}`);
  for (let number = 0; number < count; number += 997) {
    assert.equal(text(await tables.get(ownerNumber(number), 'value')), String(number));
  }
  let seen = 0;
  for await (const each of tables.owners('')) assert.equal(each, ownerNumber(seen++));
  assert.equal(seen, count);
  let vain = 0;
  for (let number = count; number < 2 * count; number += 100) {
    if (tables.get(ownerNumber(number), 'value') instanceof Promise) vain += 1;
  }
  assert.ok(vain < 40, `${vain} of 1000 lookups of absent owners read the disk`);
  await tables.close();
});
