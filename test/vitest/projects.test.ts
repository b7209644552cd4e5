import { deepEqual, match, ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
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

const config = (options: string, settings = ''): string =>
  `import { cloudflareTest } from '@cloudflare/vitest-plugin';\n` +
  `export default { plugins: [cloudflareTest(${options})], test: { testTimeout: 100, ${settings} } };\n`;
const wrangler = (more: object = {}): string =>
  JSON.stringify({ name: 'bad', main: 'index.ts', compatibility_date: '2026-04-01', ...more });
const calls = `import { exports } from 'cloudflare:workers';\nimport { it } from 'vitest';\n`;

/** Each a project with one fault, and what is said of it. */
const badProjects: Readonly<
  Record<string, { readonly files: Readonly<Record<string, string>>; readonly says: RegExp }>
> = {
  'a configuration that is not there': {
    files: {
      'vitest.config.ts': config(`{ wrangler: { configPath: './missing.jsonc' } }`),
      'a.test.ts': calls,
    },
    says: /configPath: ".\/missing.jsonc" .* names a file that does not exist: .*missing\.jsonc/,
  },
  'a module that throws when it is loaded': {
    files: {
      'vitest.config.ts': config(`{ wrangler: { configPath: './wrangler.jsonc' } }`),
      'wrangler.jsonc': wrangler(),
      'index.ts': `throw new Error('no luck');`,
      'a.test.ts': `${calls}it('calls it', async () => { await exports.default.fetch('https://example.com/'); });\n`,
    },
    says: /calls it: no luck/,
  },
  'a test that never yields, beside one that never ends': {
    files: {
      'vitest.config.ts': config(`{ wrangler: { configPath: './wrangler.jsonc' } }`),
      'wrangler.jsonc': wrangler(),
      'index.ts': `export default { fetch: () => new Promise(() => {}) };`,
      'a.test.ts':
        `${calls}it('waits', async () => { await exports.default.fetch('https://example.com/'); });\n` +
        `it('loops', () => { for (;;); });\n`,
    },
    says: /code has not yielded for 5 s, in the test "loops"/,
  },
  'options and functions that are not supported': {
    files: {
      'vitest.config.ts': config(`{ main: './index.ts', miniflare: { hyperdrives: {} } }`),
      'index.ts': `export default {};`,
      'a.test.ts': calls,
    },
    says: /miniflare\.hyperdrives is not supported by Gatehouse; it takes .*kvNamespaces/,
  },
};

test('a fault of a project is reported and never hangs', async (t) => {
  const sources = createFolder(t);
  for (const [index, { files }] of Object.values(badProjects).entries()) {
    for (const [name, text] of Object.entries(files)) {
      const file = join(sources, String(index), name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
  const outcomes = await run(t, sources);
  for (const [index, [name, { says }]] of Object.entries(badProjects).entries())
    match(failuresOf(outcomes[index]!).join('\n'), says, name);
});
