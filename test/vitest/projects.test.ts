import { deepEqual, match, ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { refusedTestNames } from '../../src/platform/vitest/modules/module-names.ts';
import { type Outcome, prepareProjects, runProject } from '../../vitest/run-project.ts';

const root = join(import.meta.dirname, '..', '..');
const modules = join(root, 'node_modules');

function createFolder(t: TestContext): string {
  const into = mkdtempSync(join(tmpdir(), 'gatehouse-vitest-'));
  t.after(() => rmSync(into, { recursive: true, force: true }));
  return into;
}

async function run(t: TestContext, sources: string): Promise<Outcome[]> {
  const folders = prepareProjects(sources, { side: 'gatehouse', into: createFolder(t), modules });
  const outcomes: Outcome[] = [];
  for (const folder of folders) outcomes.push(await runProject(folder, { modules, timeoutMs: 240_000 }));
  return outcomes;
}

function failuresOf({ report, output }: Outcome): string[] {
  ok(report !== undefined, output);
  const tests = report.files.flatMap((file) => file.tests);
  const failed = tests
    .filter(({ state }) => state !== 'passed')
    .map(({ name, errors }) => `${name}: ${errors.join(', ')}`);
  return [...failed, ...report.files.flatMap(({ errors }) => errors), ...report.errors];
}

test('a project made for @cloudflare/vitest-plugin passes with one line changed', async (t) => {
  const [outcome] = await run(t, join(root, 'vitest', 'examples'));
  deepEqual(failuresOf(outcome!), []);
  deepEqual(outcome!.report!.files.map(({ tests }) => tests.length).toSorted(), [1, 4, 7]);
});

/** Its main module throws, and one of its tests never yields. */
const badProject: Readonly<Record<string, string>> = {
  'vitest.config.ts':
    `import { cloudflareTest } from '@cloudflare/vitest-plugin';\n` +
    `export default { plugins: [cloudflareTest({ wrangler: { configPath: './wrangler.jsonc' } })], ` +
    'test: { testTimeout: 2_000, hookTimeout: 120_000 } };\n',
  'wrangler.jsonc': JSON.stringify({ name: 'bad', main: 'index.ts', compatibility_date: '2026-04-01' }),
  'index.ts': `throw new Error('no luck');`,
  'a.test.ts':
    `import { exports } from 'cloudflare:workers';\nimport { it } from 'vitest';\n` +
    `it('calls it', async () => { await exports.default.fetch('https://example.com/'); }, 120_000);\n` +
    `import * as cloudflare from 'cloudflare:test';\n` +
    `it.each(${JSON.stringify(Object.keys(refusedTestNames))})('asks for %s', (name) => { cloudflare[name]({}); });\n`,
  'b.test.ts': `import { it } from 'vitest';\nit('loops', () => { for (;;); });\n`,
};

test('a main module that throws, names that are not there and a test that never yields are reported, and nothing hangs', async (t) => {
  const sources = createFolder(t);
  mkdirSync(join(sources, 'bad'));
  for (const [name, text] of Object.entries(badProject)) writeFileSync(join(sources, 'bad', name), text);
  const [outcome] = await run(t, sources);
  const failures = failuresOf(outcome!).join('\n');
  match(failures, /calls it: no luck/);
  match(failures, /code has not yielded for 9 s/);
  for (const [name, reason] of Object.entries(refusedTestNames))
    ok(
      failures.includes(
        `asks for ${name}: ${name} of cloudflare:test is not supported by Gatehouse: ${reason}`,
      ),
    );
});
