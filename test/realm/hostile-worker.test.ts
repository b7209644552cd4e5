/**
 * What an uploaded Worker can reach beyond itself, and that whatever it does ends nothing but its own process: the API,
 * the page and another Worker answer a client that asks all the time.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { eventually } from '../eventually.ts';
import { domain, UploadSite } from '../wrangler/upload-site.ts';
import { hostileWorker, ways } from './hostile-worker.ts';

const calm = "export default { fetch: () => new Response('calm') };";
/**
 * `npm run hostile` tries all ways: each that ends the process costs the start of another, later each time. `npm test` has
 * those of `test/hostile/`, and of what a child sends `src/processes/channel/hostile-child.test.ts`.
 */
const isSweep = process.env['GATEHOUSE_WAYS'] === 'all';

const object = {
  bindings: [
    { type: 'durable_object_namespace', name: 'DOOR', class_name: 'Door' },
    { type: 'plain_text', name: 'GREETING', text: 'hello' },
  ],
  migrations: { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Door'] }] },
};

/** Returns the folders of both. */
async function deploy(site: UploadSite): Promise<{ readonly own: string; readonly other: string }> {
  const folder = join(site.directory, 'data', 'workers');
  const hostile = await site.deploy('hostile', { code: hostileWorker, metadata: object });
  ok(hostile.success, JSON.stringify(hostile.errors) + site.server.stderr);
  const [own] = readdirSync(folder);
  ok((await site.deploy('calm', { code: calm })).success);
  for (const name of ['hostile', 'calm'])
    await eventually(async () => (await site.ask(`${name}.${domain}`)).status === 200, `${name} serves`);
  const other = readdirSync(folder).find((name) => name !== own);
  return { own: join(folder, own!), other: join(folder, other!) };
}

function post(
  site: UploadSite,
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly body: string }> {
  return site.ask(`hostile.${domain}`, path, { method: 'POST', body: JSON.stringify(body) });
}

test('an uploaded Worker has one restricted process, no environment, no listeners and no files but its own', async (t) => {
  const site = await UploadSite.start(t, { environment: { SECRET_OF_THE_SHELL: 'seen' } });
  const { own, other } = await deploy(site);
  const folder = join(site.directory, 'data');
  const files = [
    ...['certificates.key', 'edge.secret']
      .map((name) => join(folder, name))
      .filter((file) => existsSync(file)),
    join(other, 'gatehouse.json'),
    join(site.directory, 'ready.json'),
    '/etc/passwd',
  ];
  for (const path of ['/look', '/object/look']) {
    const { body } = await post(site, path, { files, folder, own });
    const { found, secrets, doors } = JSON.parse(body) as Record<string, Record<string, any>>;
    for (const [road, said] of Object.entries(found!)) {
      if (typeof said === 'string') continue;
      const { env, send, handles, ...rest } = said as Record<string, string>;
      equal(env, '', `${path} ${road}: the environment`);
      ok(send === 'undefined' || send!.startsWith('refused'), `${path} ${road}: send ${send}`);
      for (const [name, result] of Object.entries({ handles, ...rest }))
        match(`${result}`, /^refused|^undefined$/, `${path} ${road}: ${name}`);
    }
    for (const [file, said] of Object.entries(secrets!))
      for (const [how, result] of Object.entries(said as object))
        match(`${result}`, /^refused: /, `${path} ${file}: ${how}`);
    for (const [door, result] of Object.entries(doors!)) match(`${result}`, /refused/, `${path} ${door}`);
    const seen = Object.values(found!).filter((each) => typeof each !== 'string').length;
    ok(seen >= 10, `roads that lead to a process: ${seen}`);
  }
  equal(readFileSync('/etc/passwd', 'utf8').endsWith('x'), false);
});

/** Asks again and again; `failures` are those that were not answered. */
class Client {
  readonly failures: string[] = [];
  answers = 0;
  #isOver = false;
  readonly #running: Promise<void>[];

  constructor(asks: Readonly<Record<string, () => Promise<boolean>>>) {
    this.#running = Object.entries(asks).map(([name, ask]) => this.#askAll(name, ask));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async #askAll(name: string, ask: () => Promise<boolean>): Promise<void> {
    while (!this.#isOver) {
      const isAnswered = await ask().catch(() => false);
      if (isAnswered) this.answers++;
      else this.failures.push(name);
      await new Promise(setImmediate);
    }
  }
}

async function tryAllWays(t: TestContext): Promise<void> {
  const site = await UploadSite.start(t);
  await deploy(site);
  const bystander = spawn('sleep', ['3600'], { stdio: 'ignore' });
  t.after(() => bystander.kill('SIGKILL'));
  const page = new URL(site.ready.api).origin;
  const client = new Client({
    api: async () => (await site.call('GET /user/tokens/verify')).status === 200,
    page: async () => (await fetch(`${page}/livez`)).status === 200,
    'another Worker': async () => (await site.read('calm')) === 'calm',
  });
  const { pid } = bystander;
  let before = 0;
  for (const path of ['/attack', '/object/attack'])
    for (const way of ways) {
      const { body } = await post(site, path, { way, pid }).catch(() => ({ body: 'cut' }));
      t.diagnostic(`${path} ${way}: ${body.slice(0, 60)}`);
      await eventually(
        async () => (await site.ask(`hostile.${domain}`)).body === 'fine',
        `${path} ${way}: it serves again`,
      );
      deepEqual(client.failures, [], `${path} ${way}`);
      ok(client.answers > before, `${path} ${way}: others were answered meanwhile`);
      before = client.answers;
    }
  await client.stop();
  deepEqual(client.failures, []);
  equal(site.server.process.exitCode ?? bystander.exitCode ?? bystander.signalCode, null);
  ok(/because it broke the protocol/.test(site.server.stderr));
}

if (isSweep) test('a Worker that tries to end or to stall the program ends its own process only', tryAllWays);
