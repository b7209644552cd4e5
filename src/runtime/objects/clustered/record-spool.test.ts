import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { Position } from '#journal';
import { RecordSpool } from './record-spool.ts';

test('RecordSpool keeps few records in memory and more in a file, and reads both alike', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-spool-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'records');
  const spool = new RecordSpool(() => path);
  const payloadOf = (position: number): Buffer => Buffer.alloc(400_000, position);
  for (let position = 1; position <= 5; position++)
    spool.add({ position: position as Position, time: position * 10, payload: payloadOf(position) });
  ok(existsSync(path));
  for (let position = 1; position <= 5; position++) {
    const record = spool.read(position as Position);
    equal(Buffer.compare(record.payload, payloadOf(position)), 0);
    equal(record.time, position * 10);
    const part = payloadOf(position).subarray(5, 25);
    const found = spool.readPart(position as Position, { offset: 5, bytes: 20, crc: crc32(part) });
    deepEqual(found, part);
  }
  spool.clear();
  equal(existsSync(path), false);
  throws(() => spool.read(1 as Position), /no record was fetched/);
});
