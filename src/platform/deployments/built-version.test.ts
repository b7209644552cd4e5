import { deepEqual, equal, notEqual } from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildVersion } from './built-version.ts';
import { readVersion } from './version-store.ts';

test('buildVersion keeps all that runs, static files included, and tells equal builds by their digest', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-built-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'project');
  mkdirSync(join(path, 'public'), { recursive: true });
  const config = {
    name: 'site',
    main: 'index.js',
    compatibility_date: '2026-11-01',
    assets: { directory: 'public' },
  };
  writeFileSync(join(path, 'wrangler.json'), JSON.stringify(config));
  writeFileSync(join(path, 'index.js'), 'export default { fetch: () => new Response("built") };');
  writeFileSync(join(path, 'public', 'a.txt'), 'one');
  // Neither files that Wrangler excludes, nor targets of links outside the folder.
  mkdirSync(join(path, 'public', '_worker.js'));
  writeFileSync(join(path, 'public', '_worker.js', 'index.js'), 'server()');
  writeFileSync(join(path, 'public', '.assetsignore'), '_worker.js\n');
  writeFileSync(join(path, 'public', '.dev.vars'), 'KEY=1');
  writeFileSync(join(path, 'public', '_headers'), '');
  symlinkSync('../wrangler.json', join(path, 'public', 'link.json'));
  symlinkSync('nowhere', join(path, 'public', 'broken'));
  symlinkSync('a.txt', join(path, 'public', 'inside.txt'));
  const build = (name: string): ReturnType<typeof buildVersion> => {
    mkdirSync(join(directory, name));
    return buildVersion({ path, environment: undefined, workers: [] }, join(directory, name));
  };
  const first = await build('1');
  equal((await build('2')).digest, first.digest);
  writeFileSync(join(path, 'public', 'a.txt'), 'two');
  notEqual((await build('3')).digest, first.digest);
  rmSync(path, { recursive: true });
  const read = readVersion(join(directory, '1'));
  deepEqual(read, first.projects);
  const { assets } = read[0]!.config;
  equal(readFileSync(join(assets!.directory, 'a.txt'), 'utf8'), 'one');
  deepEqual(readdirSync(assets!.directory).toSorted(), ['.assetsignore', '_headers', 'a.txt', 'inside.txt']);
});
