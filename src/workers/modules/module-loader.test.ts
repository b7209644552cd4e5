import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { test, type TestContext } from 'node:test';
import { loadModule } from './module-loader.ts';

function project(t: TestContext, files: Record<string, string | Buffer>): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-load-'));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  return directory;
}

async function load(directory: string, main = 'index.ts'): Promise<{ value: unknown; files: string[] }> {
  const files = new Set<string>();
  const { exports } = await loadModule(join(directory, main), files);
  return { value: exports['default'], files: [...files].map((file) => relative(directory, file)).sort() };
}

test('loadModule resolves imports as bundlers do', async (t) => {
  const directory = project(t, {
    'index.ts': `
      import { a } from './a';
      import { b } from './b.js';
      import { c } from './c';
      import { d } from './d.mjs';
      import { e } from 'dependency';
      import { join } from 'node:path';
      const later = await import('./later');
      export default [a, b, c, d, e, typeof join, later.f];`,
    'a.ts': 'export const a: string = "a";',
    'b.ts': 'export const b = "b" as const;',
    'c/index.ts': 'export const c = "c";',
    'd.mjs': 'export const d = "d";',
    'later.js': 'export const f = "f";',
    'node_modules/dependency/package.json': '{"name":"dependency","type":"module","exports":"./main.js"}',
    'node_modules/dependency/main.js': 'export const e = "e";',
  });
  const { value, files } = await load(directory);
  assert.deepEqual(value, ['a', 'b', 'c', 'd', 'e', 'function', 'f']);
  assert.deepEqual(files, ['a.ts', 'b.ts', 'c/index.ts', 'd.mjs', 'index.ts', 'later.js']);
});

test('loadModule leaves out imports that only types use', async (t) => {
  const directory = project(t, {
    'index.ts': `
      import { Env, make } from './types';
      import { Nothing } from 'not-installed';
      // Env in a comment does not count.
      const env: Env = make();
      export default env as Nothing;`,
    'types.ts': 'export interface Env { n: number }\nexport const make = (): Env => ({ n: 1 });',
  });
  assert.deepEqual((await load(directory)).value, { n: 1 });
});

test('loadModule gives text, data, JSON and WebAssembly files', async (t) => {
  const directory = project(t, {
    'index.ts': `
      import text from './a.txt';
      import sql from './b.sql';
      import data from './c.bin';
      import plain from './d.json';
      import marked from './d.json' with { type: 'json' };
      import wasm from './e.wasm';
      export default [text, sql, [...new Uint8Array(data)], plain, marked, wasm instanceof WebAssembly.Module];`,
    'a.txt': 'hello "you"\n',
    'b.sql': 'SELECT 1',
    'c.bin': Buffer.from([0, 255]),
    'd.json': '{"d":1}',
    'e.wasm': Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
  });
  assert.deepEqual((await load(directory)).value, [
    'hello "you"\n',
    'SELECT 1',
    [0, 255],
    { d: 1 },
    { d: 1 },
    true,
  ]);
});

test('loadModule loads a fresh graph each time', async (t) => {
  const directory = project(t, {
    'index.ts': "import { version } from './version';\nexport default version;",
    'version.ts': 'export const version = 1;',
  });
  assert.equal((await load(directory)).value, 1);
  writeFileSync(join(directory, 'version.ts'), 'export const version = 2;');
  assert.equal((await load(directory)).value, 2);
});

for (const [title, manifest] of [
  ['without a type', '{"name":"made-by-npm-init"}'],
  ['of the type commonjs', '{"name":"made-by-npm-init","type":"commonjs"}'],
  ['of the type module', '{"name":"modern","type":"module"}'],
] as const) {
  test(`loadModule takes .js files of a package ${title} as ES modules`, async (t) => {
    const directory = project(t, {
      'package.json': manifest,
      'src/index.js': `
        import { a } from './a.js';
        import { b } from './b';
        import sideEffect from './empty.js';
        import * as nothing from './nothing.js';
        import common from 'common';
        import { modern } from 'modern-dependency';
        const later = await import('./later.js');
        export default [a, b, sideEffect, Object.keys(nothing), common.c, modern, later.default];`,
      'src/a.js': "export const a = 'a';",
      'src/b.js': "export { a as b } from './a.js';",
      'src/empty.js': 'const require = (n) => n; export default require(1);',
      'src/nothing.js': 'globalThis.__nothing = 1;',
      'src/later.js': 'const value = await Promise.resolve("later");\nexport default value;',
      'node_modules/common/package.json': '{"name":"common","main":"main.js"}',
      'node_modules/common/main.js': 'exports.c = typeof module;',
      'node_modules/modern-dependency/package.json':
        '{"name":"modern-dependency","type":"module","exports":"./main.js"}',
      'node_modules/modern-dependency/main.js': "export const modern = 'modern';",
    });
    const { value } = await load(directory, 'src/index.js');
    assert.deepEqual(value, ['a', 'a', 1, [], 'object', 'modern', 'later']);
  });
}

test('loadModule still takes files of the package that are written as CommonJS', async (t) => {
  const files = (version: number) => ({
    'package.json': '{"type":"commonjs"}',
    'index.js': `
      import { version, inner } from './old.js';
      import whole from './old.cjs';
      export default [version, inner, whole.version];`,
    'old.js': `const inner = require('./inner.js'); exports.version = ${version}; exports.inner = inner.n;`,
    'inner.js': `module.exports = { n: ${version} };`,
    'old.cjs': `module.exports = { version: ${version} };`,
  });
  const directory = project(t, files(1));
  const first = await load(directory, 'index.js');
  assert.deepEqual(first.value, [1, 1, 1]);
  assert.deepEqual(first.files, ['index.js', 'inner.js', 'old.cjs', 'old.js']);
  for (const [name, content] of Object.entries(files(2))) writeFileSync(join(directory, name), content);
  assert.deepEqual((await load(directory, 'index.js')).value, [2, 2, 2]);
});

test('loadModule says that a main module written as CommonJS must be an ES module', async (t) => {
  const directory = project(t, { 'package.json': '{"type":"commonjs"}', 'index.js': 'module.exports = {};' });
  await assert.rejects(load(directory, 'index.js'), /module is not defined in ES module scope/);
});

test('loadModule notes the files that it met before it failed', async (t) => {
  const directory = project(t, { 'index.ts': "import './a';", 'a.ts': 'export const = ;' });
  const files = new Set<string>();
  await assert.rejects(loadModule(join(directory, 'index.ts'), files), /a\.ts/);
  assert.deepEqual([...files], [join(directory, 'index.ts'), join(directory, 'a.ts')]);
});

test('loadModule says what a module needs that is not there', async (t) => {
  const cases: [string, RegExp][] = [
    ["import 'cloudflare:nope';", /cloudflare:nope, imported by .*index.ts, is a part of the platform/],
    ["import './missing';", /Cannot find module .*missing/],
    ['const a: number = 1;\nexport const = ;', /index\.ts:2: /],
    ['export enum E { A }', /index.ts: .*enum.*install esbuild/],
    ['throw new Error("at load")', /^Error: at load$/],
  ];
  for (const [source, message] of cases)
    await assert.rejects(load(project(t, { 'index.ts': source })), message);
});

test('loadModule names a main module that does not exist', async (t) => {
  await assert.rejects(
    load(project(t, {}), 'indx.ts'),
    /^ConfigError: there is no module .*indx\.ts: correct main/,
  );
});

test('loadModule compiles what is more than types with the esbuild of the project', async (t) => {
  const directory = project(t, {
    'index.tsx': 'export default <p>hi</p>;',
    'node_modules/esbuild/package.json': '{"name":"esbuild","main":"main.js"}',
    'node_modules/esbuild/main.js': `
      exports.transformSync = (source, options) => ({ code: 'export default ' + JSON.stringify([source, options.loader]) });`,
  });
  assert.deepEqual((await load(directory, 'index.tsx')).value, ['export default <p>hi</p>;', 'tsx']);
});
