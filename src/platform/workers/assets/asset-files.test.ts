import { deepEqual, equal } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { AssetFiles } from './asset-files.ts';

const paths = [
  '_worker.js/index.js',
  '_worker.js/chunks/a.mjs',
  'sub/_worker.js/index.js',
  'a.js',
  'a.js.map',
  'sub/a.js.map',
  'sub/deep/a.js.map',
  'sub/deep/er/b.txt',
  'build/keep.txt',
  'build/drop.txt',
  'nested/build/drop.txt',
  '#hash',
  '!bang',
  'with space',
  'trailing ',
  'star*',
  'range5',
  'rangex',
  'range]',
  'range-',
  'range^',
  '..a',
  '...',
];

const lists: readonly (readonly string[])[] = [
  ['_worker.js'],
  ['/_worker.js'],
  ['_worker.js/'],
  ['_worker.js/*', '!_worker.js/index.js'],
  ['_worker.js/', '!_worker.js/index.js'],
  ['*.map'],
  ['/*.map'],
  ['sub/*.map'],
  ['sub/**/*.map'],
  ['sub/**'],
  ['**/deep'],
  ['**/build/*', '!**/keep.txt'],
  ['*', '!a.js'],
  ['/*', '!/build/'],
  ['build/', '', '  ', '# build'],
  ['\\#hash', '\\!bang'],
  ['#hash', '!bang'],
  ['with space  ', 'trailing\\ '],
  ['star\\*', 'a?js'],
  ['range[0-9]'],
  ['range[!0-9]'],
  ['range[]x]'],
  ['range[^x-]'],
  ['range[\\]]'],
  ['a.js\\'],
  ['/'],
  ['**'],
  ['sub/a.js.map\r', 'a.js\r'],
  ['sub/deep/**/b.txt'],
  ['s*/d**p/*'],
  ['range[[:digit:]]', '.*'],
];

test('AssetFiles leaves out what git leaves out', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-ignore-'));
  t.after(() => rmSync(root, { recursive: true }));
  equal(spawnSync('git', ['init', '-q', root]).status, 0);
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
  for (const lines of lists) {
    writeFileSync(join(root, '.assetsignore'), lines.join('\n'));
    // Git does not treat the carriage return as part of a line end.
    writeFileSync(join(root, '.gitignore'), lines.map((line) => line.replace('\r', '')).join('\n'));
    const { stdout } = spawnSync('git', ['check-ignore', '-z', '--stdin'], {
      cwd: root,
      input: paths.join('\0'),
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
    });
    const files = new AssetFiles(root);
    deepEqual(
      paths.filter((path) => files.find(path) === undefined),
      stdout.split('\0').filter((path) => path !== ''),
      JSON.stringify(lines),
    );
  }
});

test('AssetFiles takes no notice of upper and lower case in .assetsignore', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-ignore-'));
  t.after(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'SECRET.txt'), '');
  writeFileSync(join(root, '.assetsignore'), 'secret.*');
  equal(new AssetFiles(root).find('/SECRET.txt'), undefined);
  writeFileSync(join(root, '.assetsignore'), 'other');
  equal(new AssetFiles(root).find('/SECRET.txt')?.endsWith('SECRET.txt'), true);
});
