import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { SourceWatcher } from './source-watcher.ts';

test('SourceWatcher tells of watched files only, also when they are replaced, and of neighbours when asked', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-watch-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const [watched, other, fresh] = ['watched.ts', 'other.ts', 'fresh.ts'].map((name) => join(directory, name));
  writeFileSync(watched!, '1');
  const events = new EventEmitter();
  let changes = 0;
  using watcher = new SourceWatcher(() => void (changes++, events.emit('change')));
  watcher.watch([watched!], { neighbours: false });

  // If the first change had counted, it would have been reported before the second, or with it.
  writeFileSync(other!, '1');
  writeFileSync(fresh!, '2');
  const replaced = once(events, 'change');
  renameSync(fresh!, watched!);
  await replaced;
  const written = once(events, 'change');
  writeFileSync(watched!, '3');
  await written;
  assert.equal(changes, 2);

  watcher.watch([watched!], { neighbours: true });
  const neighbour = once(events, 'change');
  writeFileSync(other!, '2');
  await neighbour;
  assert.equal(changes, 3);
});
