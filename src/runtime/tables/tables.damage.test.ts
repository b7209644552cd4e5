import assert from 'node:assert/strict';
import { cpSync, readFileSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { Tables, TablesDamageError } from '#tables';
import { bytes, collect, ownerNumber, temporaryDirectory } from './testing.ts';

const owners = Array.from({ length: 30 }, (_, i) => ownerNumber(i));

/** A closed store of two runs with several blocks each, and its contents. */
async function createStore(directory: string): Promise<Map<string, unknown>> {
  const tables = Tables.open({ directory, durable: false });
  for (const [round, size] of [400, 60].entries()) {
    const batch = owners.map((owner, i) => ({
      owner,
      key: `key ${i % 3}`,
      value: bytes('v'.repeat(size + i)),
    }));
    tables.apply([...batch, { owner: owners[round]!, drop: true }], round + 1);
    await tables.flush();
  }
  const contents = await readAll(tables);
  assert.equal(tables.stats().runs, 2);
  await tables.close();
  return contents;
}

async function readAll(tables: Tables): Promise<Map<string, unknown>> {
  const contents = new Map<string, unknown>();
  for (const owner of owners) {
    contents.set(owner, await tables.list(owner));
    for (const key of ['key 0', 'key 1', 'key 2']) contents.set(owner + key, await tables.get(owner, key));
  }
  contents.set('owners', await collect(tables.owners()));
  return contents;
}

/** Uses a store that may be damaged: each result is right, or a damage error. */
async function expectDetected(directory: string, contents: Map<string, unknown>): Promise<void> {
  let tables: Tables;
  try {
    tables = Tables.open({ directory, durable: false });
  } catch (error) {
    assert.ok(error instanceof TablesDamageError, String(error));
    assert.equal(error.code, 'TABLES_DAMAGED');
    assert.ok(error.message.includes(error.file) && error.message.includes(error.problem));
    return;
  }
  assert.notDeepEqual(await collect(tables.scrub()), [], 'scrub finds it');
  await assert.rejects(readAll(tables), TablesDamageError);
  await assert.rejects(tables.compact(), TablesDamageError);
  for (const owner of owners) {
    const listed = await tables.list(owner).catch((error: unknown) => error);
    if (!(listed instanceof TablesDamageError)) assert.deepEqual(listed, contents.get(owner));
  }
  await tables.close();
}

test('Tables detects a flipped bit in any byte of any file', async (t) => {
  const directory = temporaryDirectory(t);
  const store = join(directory, 'store');
  const contents = await createStore(store);
  const files = readdirSync(store).map((name) => ({
    path: join(store, name),
    sound: readFileSync(join(store, name)),
  }));
  assert.equal(files.length, 3);
  const place = fc
    .constantFrom(...files)
    .chain((file) => fc.tuple(fc.constant(file), fc.nat(file.sound.length - 1), fc.nat(7)));
  await fc.assert(
    fc.asyncProperty(place, async ([{ path, sound }, at, bit]) => {
      const damaged = Buffer.from(sound);
      damaged[at]! ^= 1 << bit;
      writeFileSync(path, damaged);
      await expectDetected(store, contents);
      writeFileSync(path, sound);
    }),
    { numRuns: 200 },
  );
  const tables = Tables.open({ directory: store });
  assert.deepEqual(await readAll(tables), contents);
  await tables.close();
});

test('Tables detects a file that is cut, grown, torn, missing or another one', async (t) => {
  const directory = temporaryDirectory(t);
  const store = join(directory, 'store');
  const contents = await createStore(store);
  const names = readdirSync(store);
  const copy = join(directory, 'copy');
  const damage = async (harm: (path: string) => void): Promise<void> => {
    for (const name of names) {
      cpSync(store, copy, { recursive: true });
      harm(join(copy, name));
      await expectDetected(copy, contents);
      rmSync(copy, { recursive: true });
    }
  };
  const sizeOf = (path: string): number => readFileSync(path).length;
  await damage((path) => truncateSync(path, sizeOf(path) - 1));
  await damage((path) => truncateSync(path, sizeOf(path) >>> 1));
  await damage((path) => truncateSync(path, 0));
  await damage((path) => truncateSync(path, sizeOf(path) + 1));
  await damage((path) => writeFileSync(path, readFileSync(path).fill(0, sizeOf(path) >>> 1)));
  await damage((path) => rmSync(path));
  const [, otherRun] = names;
  await damage((path) => cpSync(join(store, path.endsWith(otherRun!) ? names[0]! : otherRun!), path));
});

test('Tables detects damage that comes while it is open', async (t) => {
  const store = join(temporaryDirectory(t), 'store');
  await createStore(store);
  const tables = Tables.open({ directory: store, cacheBytesMax: 0 });
  const [name] = readdirSync(store);
  const path = join(store, name!);
  const sound = readFileSync(path);
  writeFileSync(path, Buffer.from(sound).fill(0, 0, 100));
  const problem = 'the checksum of this block does not match';
  assert.deepEqual(await collect(tables.scrub()), [{ file: path, offset: 0, problem }]);
  await assert.rejects(readAll(tables), { name: 'TablesDamageError', file: path, offset: 0, problem });
  writeFileSync(path, sound);
  assert.deepEqual(await collect(tables.scrub()), []);
  renameSync(path, `${path}.gone`);
  const [damage] = await collect(tables.scrub());
  assert.match(damage!.problem, /cannot be read: Error: ENOENT/);
  await tables.close();
});
