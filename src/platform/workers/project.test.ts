/** Built and loaded projects: the meaning of their modules, and messages about invalid ones. */
import { deepEqual, doesNotMatch, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { test, type TestContext } from 'node:test';
import { describeError } from './errors/describe-error.ts';
import { type BuiltProject, buildProjects, ProjectBuilder } from './project.ts';
import { createProject, type Files, writeFiles } from './testing.ts';
import { WorkerSet } from './worker-set.ts';

/** Unless it has a configuration, `index.ts` is its main module. */
function project(t: TestContext, files: Files): string {
  return createProject(t, {
    'wrangler.json': { main: 'index.ts', compatibility_date: '2026-11-01' },
    ...files,
  });
}

const workers = new WorkerSet({ onError: (error) => ok(false, String(error)) });

async function run(built: BuiltProject): Promise<unknown> {
  return (await workers.load([built])).workers[0]!.exports['default'];
}

async function load(directory: string): Promise<unknown> {
  const [built] = await buildProjects({ path: directory });
  return await run(built!);
}

test('buildProjects resolves imports and compiles code as Wrangler does', async (t) => {
  const directory = project(t, {
    'package.json': { name: 'made-by-npm-init', type: 'commonjs' },
    'index.ts': `
      import { a } from './a';
      import { b } from './b.js';
      import { c } from './c';
      import { d } from './d.mjs';
      import { e } from 'dependency';
      import { inner, version } from './old.js';
      import common, { named } from 'common';
      import { Nothing } from 'not-installed';
      import { join } from 'path';
      import { kind } from 'conditional';
      import { element } from './element';
      enum Colour { Red = 3 }
      class Point { constructor(readonly x: number) {} }
      function twice(value: (n: number) => number, _context: unknown) { return (n: number) => 2 * value.call(undefined, n); }
      class Decorated { @twice two(n: number) { return n; } }
      const later = await import('./later');
      const none: Nothing | undefined = undefined;
      export default [a, b, c, d, e, version, inner, common.named, named, typeof join, kind, element,
        Colour.Red, new Point(4).x, new Decorated().two(5), later.f, none, Point.name];`,
    'a.ts': 'export const a: string = "a";',
    'b.ts': 'export const b = "b" as const;',
    'c/index.ts': 'export const c = "c";',
    'd.mjs': 'export const d = "d";',
    'later.js': 'export const f = "f";',
    'old.js': "const inner = require('./inner.js'); exports.version = 1; exports.inner = inner.n;",
    'inner.js': "module.exports = { n: require('node:path').sep };",
    'element.jsx':
      'const h = (name, _props, child) => name + child;\n/** @jsx h */\nexport const element = <p>hi</p>;',
    'node_modules/dependency/package.json': { name: 'dependency', type: 'module', exports: './main.js' },
    'node_modules/dependency/main.js': "export { e } from './extensionless';",
    'node_modules/dependency/extensionless.js': 'export const e = "e";',
    'node_modules/common/package.json': { name: 'common', main: 'main.js' },
    'node_modules/common/main.js':
      "Object.defineProperty(exports, '__esModule', { value: false }); exports.named = 'named';",
    'node_modules/conditional/package.json': {
      name: 'conditional',
      exports: { node: './node.js', workerd: './workerd.js', default: './other.js' },
    },
    'node_modules/conditional/node.js': "export const kind = 'node';",
    'node_modules/conditional/workerd.js': "export const kind = 'workerd';",
    'node_modules/conditional/other.js': "export const kind = 'other';",
  });
  deepEqual(await load(directory), [
    ...['a', 'b', 'c', 'd', 'e', 1, '/', 'named', 'named', 'function', 'workerd', 'phi'],
    ...[3, 4, 10, 'f', undefined, 'Point'],
  ]);
});

test('buildProjects gives text, data, JSON and WebAssembly files, by the rules of the configuration', async (t) => {
  const directory = project(t, {
    'wrangler.json': {
      main: 'index.ts',
      rules: [
        { type: 'Text', globs: ['**/*.md'], fallthrough: true },
        { type: 'Data', globs: ['**/*.dat'] },
      ],
    },
    'index.ts': `
      import text from './a.txt';
      import sql from './b.sql';
      import page from './page.html';
      import note from './notes/n.md';
      import data from './c.dat';
      import plain from './d.json';
      import wasm from './e.wasm';
      import again from './e.wasm?module';
      import packaged from 'dependency/text.txt';
      export default [text, sql, page, note, [...new Uint8Array(data)], data instanceof ArrayBuffer, plain,
        wasm instanceof WebAssembly.Module, again instanceof WebAssembly.Module, packaged];`,
    'a.txt': 'hello "you"\n',
    'b.sql': 'SELECT 1',
    'page.html': '<p>',
    'notes/n.md': '# n',
    'c.dat': Buffer.from([0, 255]),
    'd.json': { d: 1 },
    'e.wasm': Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
    'node_modules/dependency/package.json': { name: 'dependency' },
    'node_modules/dependency/text.txt': 'packaged',
  });
  const expected = [
    'hello "you"\n',
    'SELECT 1',
    '<p>',
    '# n',
    [0, 255],
    true,
    { d: 1 },
    true,
    true,
    'packaged',
  ];
  deepEqual(await load(directory), expected);
  // A rule for data without fallthrough leaves no default for .bin.
  writeFiles(directory, { 'index.ts': "import x from './x.bin'; export default x;", 'x.bin': 'x' });
  await rejects(load(directory), /index\.ts:1:15: No loader is configured for "\.bin" files/);
});

test('buildProjects honours alias, define and the environment of the process', async (t) => {
  const directory = project(t, {
    'wrangler.json': {
      main: 'index.ts',
      compatibility_date: '2025-05-01',
      compatibility_flags: ['nodejs_compat'],
      alias: { 'far-away': './near', fs: './no-files' },
      define: { VERSION: '"1.2"', 'config.debug': 'false' },
      vars: { GREETING: 'hi', LIMITS: { n: 1 } },
    },
    'index.ts': `
      import { near } from 'far-away';
      import { files } from 'fs';
      export default [near, files, VERSION, config.debug, process.env.NODE_ENV, process.env.GREETING, process.env.LIMITS, process.env.NONE];`,
    'near.ts': "export const near = 'near';",
    'no-files.ts': "export const files = 'none';",
  });
  deepEqual(await load(directory), ['near', 'none', '1.2', false, 'development', 'hi', '{"n":1}', undefined]);
  const [built] = await buildProjects({ path: directory, mode: 'production' });
  equal(((await run(built!)) as string[])[4], 'production');
});

test("buildProjects allows Node's modules by date and flags", async (t) => {
  const bare = "import { sep } from 'path'; export default sep;";
  const prefixed = "import { sep } from 'node:path'; export default sep;";
  const cases: [config: object, main: string, outcome: 'runs' | 'warns' | 'fails'][] = [
    [{ compatibility_date: '2026-08-04' }, bare, 'runs'],
    [{ compatibility_date: '2026-08-03' }, bare, 'fails'],
    [{ compatibility_date: '2026-08-03' }, prefixed, 'warns'],
    [{ compatibility_date: '2026-08-04', compatibility_flags: ['no_nodejs_compat'] }, bare, 'fails'],
    [{ compatibility_date: '2024-09-23', compatibility_flags: ['nodejs_compat'] }, bare, 'runs'],
    [{ compatibility_date: '2024-09-22', compatibility_flags: ['nodejs_compat'] }, bare, 'fails'],
    [{ compatibility_date: '2024-09-22', compatibility_flags: ['nodejs_compat'] }, prefixed, 'runs'],
    [{ compatibility_date: '2024-01-01', compatibility_flags: ['nodejs_compat_v2'] }, bare, 'runs'],
    [{ compatibility_date: '2024-01-01', compatibility_flags: ['nodejs_als'] }, prefixed, 'warns'],
    [{}, bare, 'runs'],
  ];
  for (const [config, main, outcome] of cases) {
    const directory = project(t, { 'wrangler.json': { main: 'index.ts', ...config }, 'index.ts': main });
    const label = JSON.stringify(config);
    if (outcome === 'fails') {
      await rejects(load(directory), /index\.ts:1:21: Could not resolve "path": .*nodejs_compat/, label);
      continue;
    }
    const [built] = await buildProjects({ path: directory });
    equal(await run(built!), '/', label);
    equal(built!.warnings.length, outcome === 'warns' ? 1 : 0, label);
  }
});

test('buildProjects names the file and the line of every mistake', async (t) => {
  const cases: [files: Files, message: RegExp][] = [
    [
      { 'index.ts': 'const a = 1;\nimport x from "nope";\nx(a);' },
      /^index\.ts:2:15: Could not resolve "nope"\n    2 \| import x/,
    ],
    [{ 'index.ts': "import './src/a';", 'src/a.ts': 'let a;\nexport const = ;' }, /^src\/a\.ts:2:14: /],
    [
      { 'index.ts': "import { b } from './b'; b();", 'b.ts': 'export const a = 1;' },
      /^index\.ts:1:10: No matching export in "b\.ts" for import "b"/,
    ],
    [
      { 'index.ts': "import 'cloudflare:nope';" },
      /cloudflare:nope is a part of the platform that Gatehouse does not have/,
    ],
    [{ 'wrangler.json': { main: 'indx.ts' } }, /^there is no module .*indx\.ts: correct main/],
    [
      { 'index.ts': 'export default 1', 'wrangler.json': { main: 'index.ts', rules: [{ type: 'Txt' }] } },
      /must be one of ESModule/,
    ],
  ];
  for (const [files, message] of cases) {
    await rejects(load(project(t, files)), { name: 'ConfigError', message });
  }
});

test('ProjectBuilder tells which files to watch, also when it fails, and builds what has changed', async (t) => {
  const directory = project(t, {
    'index.ts':
      "import { a } from './a';\nimport text from './t.txt';\nimport 'dependency';\nexport default a + text;",
    'a.ts': 'export const a = 1;',
    't.txt': '!',
    'node_modules/dependency/package.json': { name: 'dependency', main: 'main.js' },
    'node_modules/dependency/main.js': 'globalThis.__dependency = 1;',
  });
  const list = (files: ReadonlySet<string>): string[] =>
    [...files]
      .map((file) => relative(directory, file))
      .filter((name) => !name.startsWith('.'))
      .sort();
  await using builder = new ProjectBuilder({ path: directory });
  const files = new Set<string>();
  const [first] = await builder.build(files);
  equal(await run(first!), '1!');
  deepEqual(list(files), ['a.ts', 'index.ts', 't.txt', 'wrangler.json']);
  writeFiles(directory, { 'a.ts': 'export const a = 2;', 't.txt': '?' });
  const [second] = await builder.build(new Set());
  equal(await run(second!), '2?');
  writeFiles(directory, { 'a.ts': 'export const a = ;' });
  const failed = new Set<string>();
  await rejects(builder.build(failed), /^ConfigError: a\.ts:1:18: /);
  deepEqual(list(failed), ['a.ts', 'index.ts', 'wrangler.json']);
});

test('buildProjects runs files as they are with no_bundle', async (t) => {
  const wrangler = { main: 'src/index.js', no_bundle: true, rules: [{ type: 'Text', globs: ['**/*.md'] }] };
  const directory = project(t, {
    'wrangler.json': wrangler,
    'src/index.js': `
      import { a } from './deep/a.js';
      import note from './note.md';
      import { sep } from 'node:path';
      const { b } = await import('./b.mjs');
      import old from './old.cjs';
      globalThis.process = 'mine';
      export default [a, note, sep, b, old, process];`,
    'src/old.cjs':
      "const { a } = require('./deep/a.js'); const { sep } = require('path'); const note = require('./note.md');\n" +
      "let missing; try { require('./none.js'); } catch (error) { missing = error.message; }\n" +
      'module.exports = { a, sep, note, missing, own: typeof process.version };',
    'src/deep/a.js': "import note from '../note.md'; export const a = 'a' + note;",
    'src/b.mjs': "export const b = 'b';",
    'src/note.md': 'n',
  });
  const missing = 'No such module "./none.js".';
  const old = { a: 'an', sep: '/', note: 'n', missing, own: 'string' };
  deepEqual(await load(directory), ['an', 'n', '/', 'b', old, 'mine']);
  writeFiles(directory, { 'src/index.js': "import 'hono';" });
  await rejects(load(directory), /No such module "hono"\.\n {2}imported from "index\.js"/);
});

test('errors of a bundle name the files and lines of the project', async (t) => {
  const directory = project(t, {
    'index.ts': "import { Thrower } from './src/thrower';\n\n\nexport default () => new Thrower().go();",
    'src/thrower.ts':
      'interface Unused { a: string }\n\nexport class Thrower {\n  go(): never {\n    throw new RangeError("far");\n  }\n}\n',
  });
  process.setSourceMapsEnabled(true);
  t.after(() => process.setSourceMapsEnabled(false));
  const fail = (await load(directory)) as () => never;
  try {
    fail();
  } catch (error) {
    const text = describeError(error);
    match(text, /^RangeError: far\n {4}at .*go \(.*src\/thrower\.ts:5:11\)\n {4}at .*index\.ts:4:36/);
    doesNotMatch(text, /worker\.js/);
  }
});

test('ProjectBuilder starts the bundler again after it has ended', async (t) => {
  const directory = project(t, { 'index.ts': 'export default 1;' });
  await using builder = new ProjectBuilder({ path: directory });
  await builder.build(new Set());
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ');
  // One that an earlier test has stopped may still be in the list.
  const bundlers = children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('esbuild'));
  for (const pid of bundlers) process.kill(Number(pid), 'SIGKILL');
  await rejects(
    builder.build(new Set()),
    /^ConfigError: the bundler has failed \(.*\); the next build starts it again$/,
  );
  const [built] = await builder.build(new Set());
  equal(await run(built!), 1);
});
