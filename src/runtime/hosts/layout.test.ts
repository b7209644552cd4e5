import { equal } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hostsFile } from '#objects';
import { chooseHostCount } from './layout.ts';

test('chooseHostCount gives a new directory two hosts if there are two cores, and keeps what a directory has', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-layout-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const ofNew = Math.min(2, availableParallelism());
  equal(chooseHostCount(join(directory, 'missing')), ofNew);
  equal(chooseHostCount(directory), ofNew);
  mkdirSync(join(directory, 'journal'));
  equal(chooseHostCount(directory), 1, 'made by one process');
  writeFileSync(join(directory, hostsFile), '{"hosts": 5, "first": 0}');
  equal(chooseHostCount(directory), 5);
});
