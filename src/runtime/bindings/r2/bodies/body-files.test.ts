import { deepEqual, equal, rejects } from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BodyFiles } from './body-files.ts';

test('BodyFiles.collect deletes what was not written to its end, and what has not been recorded for 30 days', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-bodies-'));
  t.after(() => rmSync(root, { recursive: true }));
  const directory = join(root, 'bucket');
  mkdirSync(directory);
  const dated = ['kept', 'old'];
  const day = 86_400;
  const now = statSync(directory).mtimeMs / 1000;
  for (const file of [...dated, 'lost', 'left.tmp']) writeFileSync(join(directory, file), file);
  for (const file of dated) utimesSync(join(directory, file), now, now - 31 * day);
  const files = new BodyFiles(directory);
  files.collect((file) => file === 'kept');
  deepEqual(readdirSync(directory), ['kept', 'lost']);
  writeFileSync(join(directory, 'written.tmp'), '');
  // A later life of the bucket's object finds files that an earlier one is still writing.
  new BodyFiles(directory).collect((file) => file === 'kept');
  deepEqual(readdirSync(directory), ['kept', 'lost', 'written.tmp']);
});

test('BodyFiles.read fails where bytes changed on the disk, also as a stream', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bodies-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const files = new BodyFiles(directory);
  files.collect(() => true);
  for (const size of [10, 1024 * 1024]) {
    const written = await files.write(new Uint8Array(size), { names: ['md5'], bytesMax: size });
    const readAll = async (): Promise<number> => {
      const body = await files.read([written], { offset: 0, length: size }, written.digests.get('md5'));
      return (await new Response(body as ReadableStream).arrayBuffer()).byteLength;
    };
    equal(await readAll(), size);
    const path = join(directory, written.file);
    const bytes = readFileSync(path);
    bytes[5]! ^= 4;
    writeFileSync(path, bytes);
    await rejects(readAll(), /is damaged: it has other bytes than were put/);
  }
});
