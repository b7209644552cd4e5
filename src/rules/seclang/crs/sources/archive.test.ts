import { deepEqual, equal, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readArchive } from './archive.ts';
import { listTarFiles } from './tar.ts';

interface Entry {
  readonly name: string;
  readonly content?: string;
  readonly kind?: string;
  readonly prefix?: string;
}

/** One entry of a tar archive in the standard format. */
function tarEntry({ name, content = '', kind = '0', prefix = '' }: Entry): Buffer {
  const header = Buffer.alloc(512);
  header.write(name.slice(0, 100), 0, 'latin1');
  header.write('0000644\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(kind, 156);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  header.write('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content, 0, 'latin1');
  return Buffer.concat([header, body]);
}

const tarOf = (...entries: readonly Entry[]): Buffer =>
  Buffer.concat([...entries.map(tarEntry), Buffer.alloc(1024)]);

function writeArchive(t: TestContext, bytes: Buffer): { readonly path: string; readonly sha256: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-crs-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'crs.tar.gz');
  writeFileSync(path, bytes);
  return { path, sha256: createHash('sha256').update(bytes).digest('hex') };
}

const rule = 'SecRule ARGS "@rx a" "id:1,phase:2,pass,ver:\'OWASP_CRS/4.9.0\'"\n';

test('readArchive reads the rules of an archive whose checksum is right, and no other', async (t) => {
  const tar = tarOf(
    { name: 'crs-4.9.0/', kind: '5' },
    { name: 'crs-4.9.0/rules/REQUEST-1.conf', content: rule },
    { name: 'rules/words.data', prefix: 'crs-4.9.0', content: 'x\n' },
    { name: 'link.conf', kind: '2' },
    { name: 'crs-4.9.0/tests/long.yaml', content: 'y'.repeat(2_000) },
  );
  const { path, sha256 } = writeArchive(t, gzipSync(tar));
  const { files, data, version } = await readArchive(path, sha256.toUpperCase());
  deepEqual(
    [files, data, version],
    [[{ name: 'REQUEST-1.conf', text: rule }], [{ name: 'words.data', text: 'x\n' }], '4.9.0'],
  );
  await rejects(readArchive(path, 'f'.repeat(64)), new RegExp(`its sha256 is ${sha256}`));
});

test('listTarFiles takes long names of both kinds', async () => {
  const long = `${'folder/'.repeat(20)}REQUEST-2.conf`;
  const pax = `${`path=${long}`.length + 5} path=${long}\n`;
  const listOf = async (...entries: readonly Entry[]) =>
    (await listTarFiles(tarOf(...entries), 'test')).map(({ path }) => path);
  deepEqual(await listOf({ name: '././@LongLink', kind: 'L', content: `${long}\0` }, { name: 'cut' }), [
    long,
  ]);
  deepEqual(await listOf({ name: 'pax', kind: 'x', content: pax }, { name: 'cut' }), [long]);
});

test('readArchive refuses what is damaged, no archive, or too large', async (t) => {
  const tar = tarOf({ name: 'a.conf', content: rule });
  const refuses = async (bytes: Buffer, reason: RegExp): Promise<void> => {
    const { path, sha256 } = writeArchive(t, bytes);
    await rejects(readArchive(path, sha256), { name: 'CrsError', message: reason });
  };
  await refuses(Buffer.from('no archive'), /cannot be unpacked/);
  await refuses(gzipSync(tar).subarray(0, 40), /cannot be unpacked/);
  await refuses(gzipSync(Buffer.from('x'.repeat(1_000))), /this is not a tar archive/);
  await refuses(gzipSync(tar.subarray(0, 540)), /the archive is truncated/);
  await refuses(gzipSync(tarOf({ name: 'README', content: 'x' })), /there is no \.conf file/);
  const bomb = gzipSync(Buffer.alloc(129 * 1024 * 1024));
  equal(bomb.length < 200_000, true);
  await refuses(bomb, /cannot be unpacked/);
});
