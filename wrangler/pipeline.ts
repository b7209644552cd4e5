/**
 * Follows the pipeline of docs/build/pipeline.md: its steps are run in order, as by a CI runner, with the two
 * environment variables that point to this server.
 */
import { equal, match, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../test/eventually.ts';
import { domain, UploadSite } from '../test/wrangler/upload-site.ts';
import { Project } from './project.ts';

interface Step {
  readonly run: string;
  readonly isForFailures: boolean;
}

const page = readFileSync(join(import.meta.dirname, '../docs/build/pipeline.md'), 'utf8');

function readSteps(): Step[] {
  const [workflow] = /(?<=```yaml\n)[^]*?(?=```)/.exec(page)!;
  return workflow
    .split(/^ {6}- /m)
    .slice(1)
    .flatMap((step) => {
      const run = /^(?: {8})?run: (.*)$/m.exec(step)?.[1];
      return run === undefined ? [] : [{ run, isForFailures: step.includes('if: failure()') }];
    });
}

const worker = (answer: string): string => `export default {
  async fetch(request, env) {
    const { n } = await env.DB.prepare('SELECT count(*) AS n FROM orders').first();
    return ${answer};
  },
};`;

test('the pipeline of the documentation deploys at a push, and goes back when its check fails', async (t) => {
  const site = await UploadSite.start(t);
  const project = new Project(t, site, { packageName: 'wrangler' });
  const { port } = new URL(site.ready.edge);
  mkdirSync(join(project.directory, 'node_modules/.bin'), { recursive: true });
  symlinkSync(project.program, join(project.directory, 'node_modules/.bin/wrangler'));
  await project.succeed('d1 create shop');
  const [{ uuid }] = JSON.parse(await project.succeed('d1 list --json'));
  project.write({
    'package.json': { name: 'shop', version: '1.0.0' },
    'wrangler.json': {
      name: 'shop',
      main: 'index.js',
      compatibility_date: '2026-03-01',
      d1_databases: [{ binding: 'DB', database_name: 'shop', database_id: uuid }],
    },
    'migrations/0001_orders.sql': 'CREATE TABLE orders (id INTEGER PRIMARY KEY);\n',
    'index.js': worker('new Response(`${n} orders, ${env.API_KEY}`)'),
    // The name is in no DNS.
    '.curlrc': `resolve = "shop.${domain}:${port}:127.0.0.1"\n`,
  });
  const env = {
    ...project.environment,
    API_KEY: 'a-key',
    SHOP: `http://shop.${domain}:${port}`,
    GITHUB_SHA: '0123abc',
  };
  const run = async (command: string): Promise<{ readonly isFine: boolean; readonly said: string }> => {
    const { promise, resolve } = Promise.withResolvers<{ isFine: boolean; said: string }>();
    execFile(
      'bash',
      ['-e', '-o', 'pipefail', '-c', command],
      { cwd: project.directory, env },
      (error, out, err) => resolve({ isFine: error === null, said: `${out}${err}` }),
    );
    return await promise;
  };
  const steps = readSteps().filter(({ run: command }) => command !== 'npm ci');
  equal(steps.length, 5, 'secret, migrations, deployment, check, way back');
  const push = async (): Promise<string[]> => {
    let hasFailed = false;
    const said: string[] = [];
    for (const { run: command, isForFailures } of steps) {
      if (isForFailures !== hasFailed) continue;
      const outcome = await run(command);
      said.push(outcome.said);
      hasFailed ||= !outcome.isFine;
    }
    said.push(hasFailed ? 'failed' : 'passed');
    return said;
  };

  const first = await push();
  equal(first.at(-1), 'passed', first.join('\n'));
  await eventually(async () => (await site.read('shop')) === '0 orders, a-key', 'the first push runs');
  project.write({
    'migrations/0002_first.sql': 'INSERT INTO orders VALUES (1);\n',
    'index.js': worker('new Response("broken", { status: 500 })'),
  });
  const second = await push();
  equal(second.at(-1), 'failed', second.join('\n'));
  equal(
    await site.read('shop'),
    '1 orders, a-key',
    'the code is that of the first push, and the migration stays',
  );
  const { deployments } = (await site.call('GET W/shop/deployments')).result;
  match(deployments[0].annotations['workers/message'], /the check failed/);
  ok(deployments.some(({ annotations }: any) => annotations['workers/message'] === '0123abc'));
});
