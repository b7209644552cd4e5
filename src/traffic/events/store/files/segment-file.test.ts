import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { realFileSystem as fs } from '#files';
import { formatName, writeHeader } from '../blocks/segment-format.ts';
import { SegmentFile } from './segment-file.ts';

test('SegmentFile sets a file aside of which nothing is whole, and removes one that was just begun', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-segment-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const said: string[] = [];
  const parts = { fs, directory, onDamage: ({ message }: Error) => void said.push(message) };
  const name = { expiresMs: Date.parse('2026-01-15T00:30:00Z'), number: 1 };
  const file = formatName(name);

  writeFileSync(join(directory, file), writeHeader(name));
  equal(SegmentFile.open(parts, name), undefined);
  deepEqual([readdirSync(directory), said], [[], []]);

  for (const rest of [Buffer.from('a block that was cut'), undefined]) {
    const content = rest === undefined ? '' : Buffer.concat([writeHeader(name), rest]);
    writeFileSync(join(directory, file), content);
    equal(SegmentFile.open(parts, name), undefined);
    deepEqual(readdirSync(directory), [`${file}.damaged`]);
    match(said.pop()!, /no block of it is whole: set aside as \S+\.events\.damaged/);
  }
});
