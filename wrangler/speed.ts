/**
 * The time from a change to the first response of the new code, for one project with a bundle of 1 MB: uploaded to a
 * server, and reloaded by `wrangler dev` beside it. Printed, not asserted.
 */
import { ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../test/eventually.ts';
import { createForm, UploadSite } from '../test/wrangler/upload-site.ts';
import { Project } from './project.ts';

const rounds = 5;
const filling = `export const filling = ${JSON.stringify('x'.repeat(1024 * 1024))};`;
const code = (number: number): string =>
  `import { filling } from './filling.js';\nexport default { fetch: () => new Response('${number} ' + filling.length) };`;

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function time(change: () => Promise<unknown>, read: () => Promise<string>, wanted: string) {
  const start = performance.now();
  await change();
  while ((await read().catch(() => '')) !== wanted) await delay(5);
  return performance.now() - start;
}

test('upload to first answer of a bundle of 1 MB, beside wrangler dev', async (t) => {
  const site = await UploadSite.start(t);
  const project = new Project(t, site, { packageName: 'wrangler' });
  const config = { name: 'large', main: 'index.js', compatibility_date: '2026-03-01' };
  project.write({ 'wrangler.json': config, 'index.js': code(0), 'filling.js': filling });
  const port = await findPort();
  const dev = project.start(['dev', '--port', String(port), '--ip', '127.0.0.1']);
  // It prints each request, and would block if nothing read its output.
  dev.stdout!.resume();
  dev.stderr!.resume();
  t.after(async () => {
    dev.kill('SIGINT');
    if (dev.exitCode === null) await once(dev, 'exit');
  });
  const readDev = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/`)).text();
  await eventually(async () => (await readDev().catch(() => '')).startsWith('0 '), 'wrangler dev answers');
  const upload = (number: number) =>
    createForm({
      code: code(number),
      modules: { './filling.js': [filling, 'application/javascript+module'] },
    });
  ok((await site.call('PUT W/large', upload(0))).success);
  ok((await site.call('POST W/large/subdomain', { enabled: true })).success);
  const [here, there]: [number[], number[]] = [[], []];
  for (let number = 1; number <= rounds; number++) {
    const wanted = `${number} ${1024 * 1024}`;
    here.push(
      await time(
        () => site.call('PUT W/large', upload(number)),
        () => site.read('large'),
        wanted,
      ),
    );
    there.push(await time(async () => project.write({ 'index.js': code(number) }), readDev, wanted));
  }
  const show = (times: number[]): string => times.map((each) => `${Math.round(each)} ms`).join(', ');
  t.diagnostic(`upload to first answer here: ${show(here)}`);
  t.diagnostic(`change to first answer with wrangler dev: ${show(there)}`);
});
