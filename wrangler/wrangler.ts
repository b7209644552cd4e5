/**
 * Wrangler as npm has it, the newest and one of half a year before, against a real server: what each command does, and what
 * it prints.
 *
 *     npm run wrangler
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { eventually } from '../test/eventually.ts';
import { temporary } from '../test/server/gatehouse.ts';
import { domain, UploadSite } from '../test/wrangler/upload-site.ts';

interface Ran {
  readonly code: number;
  /** What it printed on both streams, without colours. */
  readonly said: string;
}

class Project {
  readonly #site: UploadSite;
  readonly #directory: string;
  readonly #program: string;

  constructor(t: TestContext, site: UploadSite, { packageName }: { readonly packageName: string }) {
    this.#site = site;
    this.#directory = temporary(t);
    this.#program = join(import.meta.dirname, 'node_modules', packageName, 'bin', 'wrangler.js');
  }

  write(files: Readonly<Record<string, string | object>>): void {
    for (const [name, content] of Object.entries(files)) {
      const file = join(this.#directory, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }

  /** The arguments are those of a shell without quotes. */
  async run(args: string, { input = '', token = this.#site.ready.token! } = {}): Promise<Ran> {
    const { promise, resolve } = Promise.withResolvers<Ran>();
    const child = execFile(
      process.execPath,
      [this.#program, ...args.split(' ')],
      {
        cwd: this.#directory,
        env: {
          PATH: process.env['PATH'],
          HOME: this.#directory,
          CI: '1',
          NO_COLOR: '1',
          DO_NOT_TRACK: '1',
          CLOUDFLARE_API_BASE_URL: this.#site.ready.api,
          CLOUDFLARE_API_TOKEN: token,
        },
      },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), said: stdout + stderr }),
    );
    child.stdin!.end(input);
    return await promise;
  }

  async succeed(args: string, input = ''): Promise<string> {
    const { code, said } = await this.run(args, { input });
    equal(code, 0, `wrangler ${args}: ${said}`);
    return said;
  }
}

const config = {
  name: 'hello',
  main: 'src/index.ts',
  compatibility_date: '2026-03-01',
  vars: { GREETING: 'hello' },
};
const says = (text: string): string => `
import note from './note.txt';
export default {
  fetch(request: Request, env: Record<string, string>): Response {
    return new Response([env.GREETING, '${text}', note, env.KEY ?? 'no key'].join(' '));
  },
};`;

for (const packageName of ['wrangler', 'wrangler-older']) {
  test(`${packageName} deploys a Worker, changes its secrets, goes back, and deletes it`, async (t) => {
    const site = await UploadSite.start(t);
    const project = new Project(t, site, { packageName });
    project.write({ 'wrangler.json': config, 'src/index.ts': says('one'), 'src/note.txt': 'noted' });
    match(await project.succeed('whoami'), /owner@gatehouse\.local/);
    const wrong = await project.run('deploy', { token: 'a'.repeat(40) });
    equal(wrong.code, 1);
    match(wrong.said, /9109|API token/);

    const first = await project.succeed('deploy');
    match(first, new RegExp(`hello\\.${domain.replaceAll('.', '\\.')}`));
    match(first, /Current Version ID: [0-9a-f-]{36}/);
    await eventually(async () => (await site.read('hello')) === 'hello one noted no key', 'it answers');
    project.write({ 'src/index.ts': says('two') });
    await project.succeed('deploy --message second');
    equal(await site.read('hello'), 'hello two noted no key');

    match(await project.succeed('secret put KEY', 'a-key'), /Success/);
    equal(await site.read('hello'), 'hello two noted a-key');
    deepEqual(JSON.parse(await project.succeed('secret list')), [{ name: 'KEY', type: 'secret_text' }]);
    project.write({ 'src/index.ts': 'export default {' });
    equal((await project.run('deploy')).code, 1);
    project.write({ 'src/index.ts': "throw new Error('at the top'); export default { fetch() {} };" });
    const broken = await project.run('deploy');
    equal(broken.code, 1);
    match(broken.said, /at the top/);
    match(broken.said, /10021/);
    equal(await site.read('hello'), 'hello two noted a-key', 'the version before goes on');

    project.write({ 'src/index.ts': says('three') });
    match(await project.succeed('versions upload --tag t3'), /Worker Version ID: [0-9a-f-]{36}/);
    equal(await site.read('hello'), 'hello two noted a-key', 'it is uploaded, not deployed');
    match(await project.succeed('versions list'), /t3/);
    const [newest] = (await site.call('GET W/hello/versions')).result.items;
    await project.succeed(`versions deploy ${newest.id}@100 --yes`);
    equal(await site.read('hello'), 'hello three noted a-key');
    match(await project.succeed('deployments list'), /second/);
    await project.succeed('rollback --message back --yes');
    equal(await site.read('hello'), 'hello two noted a-key');
    await project.succeed(`versions deploy ${newest.id}@100 --yes`);
    await project.succeed('secret delete KEY');
    equal(await site.read('hello'), 'hello three noted no key');
    await project.succeed('delete --force');
    equal((await site.call('GET A/workers/services/hello')).errors[0]?.code, 10007);
  });

  test(`${packageName} deploys objects with migrations, routes, custom domains and crons`, async (t) => {
    const site = await UploadSite.start(t);
    const { name: zone } = site.ready.zones.find(({ plan }) => plan === 'pro')!;
    const project = new Project(t, site, { packageName });
    const rooms = {
      name: 'rooms',
      main: 'index.js',
      compatibility_date: '2026-03-01',
      workers_dev: false,
      durable_objects: { bindings: [{ name: 'ROOMS', class_name: 'Room' }] },
      migrations: [{ tag: 'v1', new_sqlite_classes: ['Room'] }],
      routes: [`${zone}/rooms/*`, { pattern: `rooms.${zone}`, custom_domain: true }],
      triggers: { crons: ['0 0 1 1 *'] },
    };
    const code = (className: string): string => `
      import { DurableObject } from 'cloudflare:workers';
      export class ${className} extends DurableObject {
        async fetch() {
          const count = ((await this.ctx.storage.get('count')) ?? 0) + 1;
          await this.ctx.storage.put('count', count);
          return new Response(String(count));
        }
      }
      export default { fetch: (request, env) => env.ROOMS.getByName('a').fetch(request), scheduled() {} };`;
    project.write({ 'wrangler.json': rooms, 'index.js': code('Room') });
    await project.succeed('deploy');
    await eventually(async () => (await site.ask(zone, '/rooms/a')).status === 200, 'the route leads to it');
    const count = Number((await site.ask(`rooms.${zone}`, '/')).body);
    ok(count > 0);
    deepEqual(
      (await site.call('GET W/rooms/schedules')).result.schedules.map(({ cron }: { cron: string }) => cron),
      ['0 0 1 1 *'],
    );
    const bindings = [{ name: 'ROOMS', class_name: 'Hall' }];
    const migrations = [...rooms.migrations, { tag: 'v2', renamed_classes: [{ from: 'Room', to: 'Hall' }] }];
    project.write({
      'wrangler.json': { ...rooms, durable_objects: { bindings }, migrations },
      'index.js': code('Hall'),
    });
    await project.succeed('deploy');
    equal(Number((await site.ask(`rooms.${zone}`, '/')).body), count + 1, 'its objects are as they were');
  });

  test(`${packageName} is told what is not there`, async (t) => {
    const site = await UploadSite.start(t);
    const project = new Project(t, site, { packageName });
    const stores = { kv_namespaces: [{ binding: 'KV', id: '0'.repeat(32) }] };
    project.write({
      'wrangler.json': { ...config, ...stores },
      'src/index.ts': says('one'),
      'src/note.txt': 'noted',
    });
    const refused = await project.run('deploy');
    equal(refused.code, 1);
    match(refused.said, /the binding KV: uploaded Workers do not reach KV namespaces yet/);
    const list = await project.run('d1 list');
    equal(list.code, 1);
    match(list.said, /D1 databases of the account are not served yet/);
  });
}
