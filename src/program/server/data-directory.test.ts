import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkDataDirectory, claimDataDirectory } from './data-directory.ts';

test('claimDataDirectory creates its directory, recognises it later, and does not touch any other', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
  t.after(() => rmSync(base, { recursive: true }));
  const fresh = join(base, 'a', 'b');
  claimDataDirectory(fresh, 'control plane');
  assert.equal(statSync(fresh).mode & 0o777, 0o700);
  writeFileSync(join(fresh, 'more'), '');
  claimDataDirectory(fresh, 'control plane');

  const empty = join(base, 'empty');
  mkdirSync(empty);
  claimDataDirectory(empty, 'control plane');
  assert.deepEqual(readdirSync(empty), ['gatehouse.json', 'gatehouse.json.copy']);

  const foreign = join(base, 'foreign');
  mkdirSync(join(foreign, 'journal'), { recursive: true });
  assert.throws(
    () => claimDataDirectory(foreign, 'control plane'),
    /foreign has other content \(journal, and no gatehouse\.json\): choose another/,
  );
  assert.deepEqual(readdirSync(foreign), ['journal']);

  const file = join(base, 'file');
  writeFileSync(file, '');
  assert.throws(
    () => claimDataDirectory(file, 'control plane'),
    /file is not a directory: choose another directory with --data$/,
  );

  rmSync(join(empty, 'gatehouse.json.copy'));
  for (const [mark, message] of [
    [
      '{"holds": "control plane", "format": 2}',
      /was written by another version: its format is 2, this one reads 1/,
    ],
    ['nonsense', /its content is unknown: .*gatehouse\.json is damaged/],
  ] as const) {
    writeFileSync(join(empty, 'gatehouse.json'), mark);
    assert.throws(() => claimDataDirectory(empty, 'control plane'), message);
  }

  assert.throws(
    () => claimDataDirectory(fresh, 'edge'),
    /does not belong to the edge: choose another directory with --data/,
  );
});

test('claimDataDirectory creates several levels, and reports where the system refuses', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
  t.after(() => rmSync(base, { recursive: true }));
  claimDataDirectory(join(base, 'a', 'b'), 'control plane');
  assert.deepEqual(readdirSync(join(base, 'a', 'b')), ['gatehouse.json', 'gatehouse.json.copy']);
  assert.throws(() => claimDataDirectory('/proc/nope/data', 'control plane'));
});

test('claimDataDirectory tells the data of a directory and a host of a cluster apart, and says what to do', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
  t.after(() => rmSync(base, { recursive: true }));
  const [alone, host] = [join(base, 'alone'), join(base, 'host')];
  claimDataDirectory(alone, 'control plane');
  claimDataDirectory(host, 'cluster host');
  claimDataDirectory(host, 'cluster host');
  assert.throws(
    () => claimDataDirectory(alone, 'cluster host'),
    /alone has data of its own, which a cluster does not serve: move it with gatehouse cluster import/,
  );
  assert.throws(() => claimDataDirectory(host, 'control plane'), /start it with --cluster/);
});

test('checkDataDirectory accepts what it is asked for, and nothing else', (t) => {
  const base = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
  t.after(() => rmSync(base, { recursive: true }));
  const [data, fresh] = [join(base, 'data'), join(base, 'fresh')];
  claimDataDirectory(data, 'control plane');
  checkDataDirectory(data, 'control plane');
  checkDataDirectory(fresh, 'nothing');
  checkDataDirectory(fresh, 'nothing');
  assert.throws(() => checkDataDirectory(data, 'nothing'), /data is not empty: choose a directory/);
  assert.throws(
    () => checkDataDirectory(fresh, 'control plane'),
    /there is no data of gatehouse serve in .*fresh: choose the directory with --data/,
  );
});

test('claimDataDirectory takes a directory whose first start was killed while it wrote its mark', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
  t.after(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'gatehouse.json.0123456789abcdef.tmp'), '');
  claimDataDirectory(directory, 'control plane');
  checkDataDirectory(directory, 'control plane');
});

test('a directory that a restore has not finished may not be used, whatever it holds already', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
  t.after(() => rmSync(directory, { recursive: true }));
  claimDataDirectory(directory, 'control plane');
  writeFileSync(join(directory, 'restore.unfinished'), '');
  const message = /a restore into .* did not finish: repeat it, or choose another directory/;
  assert.throws(() => claimDataDirectory(directory, 'control plane'), message);
  assert.throws(() => checkDataDirectory(directory, 'control plane'), message);
});

test('claimDataDirectory goes by the copy of a mark that is lost or damaged, and makes none up without it', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-data-'));
  t.after(() => rmSync(directory, { recursive: true }));
  claimDataDirectory(directory, 'control plane');
  writeFileSync(join(directory, 'more'), '');
  const mark = join(directory, 'gatehouse.json');
  const text = readFileSync(mark, 'utf8');
  for (const damage of [
    () => rmSync(mark),
    () => writeFileSync(mark, ''),
    () => writeFileSync(mark, text.replace('"format":1', '"format":3')),
    () => writeFileSync(mark, text.replace('written', 'wvitten')),
    () => rmSync(`${mark}.copy`),
    // As version 0.1.0 wrote it.
    () => [rmSync(`${mark}.copy`), writeFileSync(mark, '{"holds":"control plane","format":1}\n')],
  ]) {
    damage();
    const warnings: string[] = [];
    claimDataDirectory(directory, 'control plane', (message) => warnings.push(message));
    assert.equal(warnings.length, 1, String(damage));
    claimDataDirectory(directory, 'control plane', (message) => warnings.push(message));
    assert.equal(warnings.length, 1, 'it is whole again');
    assert.throws(() => claimDataDirectory(directory, 'Worker'), /does not belong to a Worker/);
  }
  for (const file of [mark, `${mark}.copy`]) writeFileSync(file, text.replace('"format":1', '"format":3'));
  assert.throws(
    () => claimDataDirectory(directory, 'control plane'),
    /its content is unknown: .* is damaged.* Put back gatehouse\.json/s,
  );
});
