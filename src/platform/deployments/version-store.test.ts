import { deepEqual, equal, throws } from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { versionsKept } from './limits.ts';
import { VersionStore } from './version-store.ts';

const project = { path: '/project', environment: undefined, workers: [] };

function create(t: TestContext): VersionStore {
  const data = mkdtempSync(join(tmpdir(), 'gatehouse-versions-'));
  t.after(() => rmSync(data, { recursive: true }));
  return new VersionStore(data);
}

function run(store: VersionStore): number {
  const number = store.reserve();
  store.setCurrent(store.finish(number, project, `digest ${number}`));
  return number;
}

const numbers = (store: VersionStore): number[] => store.list().map(({ number }) => number);

test('VersionStore goes back step by step, and keeps what it went back from', (t) => {
  const store = create(t);
  for (let i = 0; i < 3; i++) run(store);
  equal(store.previous?.number, 2);
  store.setCurrent(store.previous);
  deepEqual([store.current?.number, store.previous?.number, numbers(store)], [2, 1, [1, 2, 3]]);
  store.setCurrent(store.previous);
  deepEqual([store.current?.number, store.previous], [1, undefined]);
  equal(run(store), 4);
  equal(store.previous?.number, 1);
});

test('VersionStore removes the oldest versions, never the one that runs, and builds that were not finished', (t) => {
  const store = create(t);
  for (let i = 0; i < 3; i++) run(store);
  store.setCurrent(store.get(1)!);
  const unfinished = store.reserve();
  equal(store.get(unfinished), undefined);
  for (let i = 0; i < versionsKept + 2; i++) store.finish(store.reserve(), project, 'digest');
  equal(existsSync(store.folderOf(unfinished)), true, 'its number is free again');
  store.setCurrent(store.get(2)!);
  equal(numbers(store).length, versionsKept + 1);
  equal(numbers(store)[0], 2);
});

test('VersionStore knows its versions, and which one runs, while a file or its copy is whole', (t) => {
  const store = create(t);
  for (let i = 0; i < 2; i++) run(store);
  const folder = dirname(store.folderOf(2));
  for (const name of ['state.json', '1/version.json', '2/version.json']) {
    rmSync(join(folder, name));
    deepEqual([store.current?.number, store.previous?.number, numbers(store)], [2, 1, [1, 2]]);
  }
  equal(run(store), 3, 'a version whose file is missing counts');
  truncateSync(join(folder, 'state.json.copy'), 10);
  equal(store.current?.number, 3);
  truncateSync(join(folder, 'state.json'), 10);
  throws(() => store.current, /state\.json is damaged, .*put it back from a backup/);
});
