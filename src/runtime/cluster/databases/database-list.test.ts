import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { DatabaseList, readDatabaseUrls } from './database-list.ts';

const keys = Array.from({ length: 20_000 }, (_, index) => {
  const id = createHash('sha256').update(String(index)).digest('latin1');
  return `\u0001\u0000${id}`;
});

function countBy(list: DatabaseList): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) {
    const [name] = list.candidatesOf(key);
    counts[name!] = (counts[name!] ?? 0) + 1;
  }
  return counts;
}

test('DatabaseList spreads objects evenly, whatever the order of the databases', () => {
  const names = ['main', 'b', 'second', 'db-4', 'x5'];
  const listed = names.map((name) => ({ name, generation: 1 }));
  const counts = countBy(new DatabaseList(listed));
  for (const name of names) {
    const share = (counts[name]! * names.length) / keys.length;
    ok(share > 0.95 && share < 1.05, `${name} has ${share} of its share`);
  }
  deepEqual(countBy(new DatabaseList(listed.toReversed())), counts);
});

test('DatabaseList gives a database that is added its share, and keeps the place that an object had as a candidate', () => {
  const before = new DatabaseList([
    { name: 'a', generation: 1 },
    { name: 'b', generation: 1 },
  ]);
  const after = new DatabaseList([
    { name: 'a', generation: 1 },
    { name: 'b', generation: 1 },
    { name: 'c', generation: 2 },
  ]);
  let changed = 0;
  for (const key of keys) {
    const [place] = before.candidatesOf(key);
    const candidates = after.candidatesOf(key);
    equal(candidates.at(-1), place);
    if (candidates.length === 1) continue;
    equal(candidates[0], 'c');
    changed++;
  }
  ok(Math.abs(changed / keys.length - 1 / 3) < 0.02, `${changed} of ${keys.length}`);
});

test('DatabaseList never changes its mind about where an object is', () => {
  const list = new DatabaseList(['main', 'second', 'third'].map((name) => ({ name, generation: 1 })));
  const places = keys.slice(0, 8).map((key) => list.candidatesOf(key)[0]);
  // These results determined where existing objects were stored: they must not change.
  deepEqual(places, ['third', 'main', 'main', 'third', 'second', 'third', 'second', 'main']);
});

test('readDatabaseUrls names databases by what is behind the #, and refuses two of one name', () => {
  deepEqual(readDatabaseUrls('postgres://u:p@h/d'), [{ name: 'main', url: 'postgres://u:p@h/d' }]);
  deepEqual(readDatabaseUrls(['postgres://h/d#b', 'postgresql://h/e']), [
    { name: 'b', url: 'postgres://h/d' },
    { name: 'main', url: 'postgresql://h/e' },
  ]);
  deepEqual(
    readDatabaseUrls('postgres://h/d#b\n postgres://h/e#c ').map(({ name }) => name),
    ['b', 'c'],
  );
  for (const given of [
    [],
    ['postgres://h/d', 'postgres://h/e'],
    'postgres://h/d#a%20b',
    'mysql://x:hunter2@h/d',
    // An unencoded password must not be taken for another part of the URL.
    'postgres://x:hunter2/@h/d',
    'postgres://x:12/hunter2@h/d',
    'postgres://x:12?hunter2@h/d',
    'postgres://x:12#hunter2@h/d',
    'postgres://x:hunter2%@h/d',
    7,
  ]) {
    throws(
      () => readDatabaseUrls(given as string),
      (error: Error & { code?: string }) => {
        equal(error.code, 'CLUSTER_DATABASE_UNFIT');
        equal(error.message.includes('hunter2'), false);
        return true;
      },
    );
  }
});
