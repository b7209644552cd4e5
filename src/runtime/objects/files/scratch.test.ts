import { equal, notEqual } from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Scratch } from './scratch.ts';

test('Scratch empties its directory and gives a path of its own to each who asks', (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-scratch-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const directory = join(parent, 'live');
  mkdirSync(directory);
  writeFileSync(join(directory, 'left-over.sqlite'), '');
  const scratch = new Scratch(directory);
  equal(existsSync(join(directory, 'left-over.sqlite')), false);
  const [first, second] = [scratch.pathFor('object', 0), scratch.pathFor('object', 0)];
  equal(dirname(first), directory);
  notEqual(first, second);
});

test('Scratch goes elsewhere when the disk has no room, and leaves nothing behind there', (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-scratch-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const scratch = new Scratch(join(parent, 'live'));
  const path = scratch.pathFor('object', 2 ** 60);
  notEqual(dirname(path), join(parent, 'live'));
  writeFileSync(path, 'scratch');
  scratch.clear();
  equal(existsSync(dirname(path)), false);
});
