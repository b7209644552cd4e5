/** Losing or damaging one of the two files changes nothing; losing or damaging both never looks like a value. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type DecidingFile,
  isPartOfDecidingFile,
  readDecidingFile,
  removeDecidingFile,
  writeDecidingFile,
} from './deciding-file.ts';
import { realFileSystem as fs } from './file-system.ts';

interface Value {
  readonly first: number;
}

function parse(value: object): Value | undefined {
  const { first } = value as { readonly first?: unknown };
  return typeof first === 'number' ? { first } : undefined;
}

function open(t: TestContext): { path: string; read: () => DecidingFile<Value>; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-deciding-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'hosts.json');
  return { path, folder, read: () => readDecidingFile(fs, path, { keys: ['first'], parse }) };
}

test('readDecidingFile answers what was written last, and nothing before that', (t) => {
  const { path, folder, read } = open(t);
  assert.deepEqual(read(), { state: 'absent' });
  for (const first of [0, 3]) {
    writeDecidingFile(fs, path, { first });
    assert.deepEqual(read(), { state: 'whole', value: { first }, flaw: undefined });
  }
  assert.deepEqual(
    readdirSync(folder).filter((name) => !isPartOfDecidingFile(name, 'hosts.json')),
    [],
  );
  removeDecidingFile(fs, path);
  assert.deepEqual(read(), { state: 'absent' });
});

test('readDecidingFile goes by the copy, whichever bit is wrong and wherever it is cut', (t) => {
  const { path, read } = open(t);
  writeDecidingFile(fs, path, { first: 3 });
  const whole = readFileSync(path);
  for (const damaged of [path, `${path}.copy`]) {
    for (let bit = 0; bit < whole.length * 8; bit += 5) {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(damaged, bytes);
      const found = read();
      assert.equal(found.state, 'whole', bytes.toString());
      if (found.state !== 'whole') return;
      assert.deepEqual(found.value, { first: 3 }, bytes.toString());
      assert.match(found.flaw ?? '', new RegExp(damaged), bytes.toString());
    }
    for (let length = 0; length < whole.length; length += 3) {
      writeFileSync(damaged, whole.subarray(0, length));
      assert.deepEqual((read() as { value?: Value }).value, { first: 3 });
    }
    rmSync(damaged);
    assert.deepEqual((read() as { value?: Value }).value, { first: 3 });
    writeFileSync(damaged, whole);
  }
});

test('readDecidingFile goes by the later of two, and makes nothing up from two that are damaged', (t) => {
  const { path, read } = open(t);
  writeDecidingFile(fs, path, { first: 0 });
  const yesterday = readFileSync(path);
  writeDecidingFile(fs, path, { first: 3 });
  writeFileSync(path, yesterday);
  assert.deepEqual((read() as { value?: Value }).value, { first: 3 });
  writeDecidingFile(fs, path, { first: 7 });
  writeFileSync(`${path}.copy`, yesterday);
  assert.deepEqual((read() as { value?: Value }).value, { first: 7 });
  writeFileSync(path, '{"first":7');
  rmSync(`${path}.copy`);
  assert.deepEqual(read(), {
    state: 'damaged',
    reason: `${path} is damaged, and ${path}.copy is missing`,
  });
});

test('readDecidingFile takes a file of an older version, which has neither checksum nor copy', (t) => {
  const { path, read } = open(t);
  writeFileSync(path, '{"first":3}\n');
  const found = read();
  assert.equal(found.state, 'whole');
  writeDecidingFile(fs, path, (found as { value: Value }).value);
  assert.deepEqual(read(), { state: 'whole', value: { first: 3 }, flaw: undefined });
  writeFileSync(path, '{"first":3,"chdcksum":"00000000"}\n');
  rmSync(`${path}.copy`);
  assert.equal(read().state, 'damaged', 'a checksum that lost its name is not an older version');
});
