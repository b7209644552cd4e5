/**
 * Wrangler from npm, the newest and two older versions, against a real server: the effect and the output of each
 * command.
 *
 *     npm run wrangler
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../test/eventually.ts';
import { domain, UploadSite } from '../test/wrangler/upload-site.ts';
import './offered.ts';
import './pipeline.ts';
import { Project } from './project.ts';
import './recorded.ts';
import './speed.ts';
import './tail.ts';

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

const stores = `export default {
  async fetch(request, env) {
    if (new URL(request.url).pathname === '/send') { await env.MAIL.send('hello'); return new Response('sent'); }
    const { n } = await env.DB.prepare('SELECT count(*) AS n FROM orders').first();
    const file = await env.FILES.get('a/b.txt');
    return Response.json({
      value: await env.KV.get('a'), orders: n, file: file && await file.text(), mails: await env.KV.get('mails'),
    });
  },
  async queue(batch, env) { await env.KV.put('mails', batch.queue + ' ' + batch.messages.length); },
};`;

for (const packageName of ['wrangler', 'wrangler-older']) {
  test(`${packageName} deploys a Worker, changes its secrets, goes back, and deletes it`, async (t) => {
    const site = await UploadSite.start(t);
    const project = new Project(t, site, { packageName });
    project.write({ 'wrangler.json': config, 'src/index.ts': says('one'), 'src/note.txt': 'noted' });
    match(await project.succeed('whoami'), /owner@gatehouse\.local/);
    const wrong = await project.run('deploy', { token: 'a'.repeat(40) });
    equal(wrong.code, 1);
    match(wrong.said, /Authentication error \[code: 10000\]/);
    match(wrong.said, /Invalid access token \[code: 9109\]/);
    match(wrong.said, /It looks like you are authenticating Wrangler via a custom API token/);

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
    equal((await site.call('GET A/workers/services/hello')).errors[0]?.code, 10090);
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

  test(`${packageName} deploys Workers that call each other`, async (t) => {
    const site = await UploadSite.start(t);
    const auth = new Project(t, site, { packageName });
    auth.write({
      'wrangler.json': {
        name: 'auth',
        main: 'index.js',
        compatibility_date: '2026-03-01',
        durable_objects: { bindings: [{ name: 'ROOMS', class_name: 'Room' }] },
        migrations: [{ tag: 'v1', new_sqlite_classes: ['Room'] }],
      },
      'index.js': `
        import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
        export class Room extends DurableObject { told() { return this.ctx.id.name; } }
        export class Admin extends WorkerEntrypoint { greet(word) { return word + ' ' + this.ctx.props.by; } }
        export default { fetch: () => new Response('auth') };`,
    });
    const shop = new Project(t, site, { packageName });
    shop.write({
      'wrangler.json': {
        name: 'shop',
        main: 'src/index.ts',
        compatibility_date: '2026-03-01',
        upload_source_maps: true,
        services: [
          { binding: 'AUTH', service: 'auth' },
          { binding: 'ADMIN', service: 'auth', entrypoint: 'Admin', props: { by: 'shop' } },
        ],
        durable_objects: { bindings: [{ name: 'ROOMS', class_name: 'Room', script_name: 'auth' }] },
      },
      'src/index.ts': `
export default {
  async fetch(request: Request, env: any): Promise<Response> {
    if (request.url.endsWith('/throws')) throw new Error('of the shop');
    const answer = await env.AUTH.fetch(request);
    return Response.json([await answer.text(), await env.ADMIN.greet('by'), await env.ROOMS.getByName('a').told()]);
  },
};`,
    });
    const early = await shop.run('deploy');
    equal(early.code, 1);
    match(early.said, /class Room in script 'auth' that does not exist\. \[code: 10061\]/);
    await auth.succeed('deploy');
    await shop.succeed('deploy');
    await eventually(async () => (await site.ask(`shop.${domain}`, '/')).status === 200, 'it answers');
    deepEqual(JSON.parse(await site.read('shop')), ['auth', 'by shop', 'a']);
    equal((await site.ask(`shop.${domain}`, '/throws')).status, 500);
    await eventually(
      () => /of the shop[^]*src\/index\.ts:4:/.test(site.server.stderr),
      'the log names the source',
    );
    // Without a terminal it continues.
    match(await auth.succeed('delete'), /shop.*uses this Worker as a Service Binding/);
  });

  test(`${packageName} keeps KV, D1, queues and R2 of the account, and deploys Workers bound to them`, async (t) => {
    const site = await UploadSite.start(t);
    const project = new Project(t, site, { packageName });
    const shop = { name: 'shop', main: 'index.js', compatibility_date: '2026-03-01' };
    project.write({
      'wrangler.json': shop,
      'index.js': stores,
      'bulk.json': [
        { key: 'k1', value: 'v1' },
        { key: 'k2', value: 'djI=', base64: true },
      ],
      'keys.json': ['k1'],
      'file.sql': "INSERT INTO orders VALUES (7, 'seven');\nINSERT INTO orders VALUES (8, 'eight');\n",
      'broken.sql': "INSERT INTO orders VALUES (9, 'nine');\nINSERT INTO nowhere VALUES (1);\n",
      'migrations/0001_orders.sql': 'CREATE TABLE orders (id INTEGER PRIMARY KEY, body TEXT);\n',
      'migrations/0002_first.sql': "INSERT INTO orders VALUES (1, 'one');\n",
      'picture.txt': 'a picture',
    });
    await project.succeed('kv namespace create sessions');
    await project.succeed('d1 create orders');
    await project.succeed('queues create mail --delivery-delay-secs 0');
    await project.succeed('r2 bucket create pictures');
    const [{ id }] = JSON.parse(await project.succeed('kv namespace list'));
    const [{ uuid }] = JSON.parse(await project.succeed('d1 list --json'));
    match(await project.succeed('queues list'), /mail/);
    match(await project.succeed('r2 bucket list'), /pictures/);
    const bound = {
      ...shop,
      kv_namespaces: [{ binding: 'KV', id }],
      d1_databases: [{ binding: 'DB', database_name: 'orders', database_id: uuid }],
      r2_buckets: [{ binding: 'FILES', bucket_name: 'pictures' }],
      queues: {
        producers: [{ binding: 'MAIL', queue: 'mail' }],
        consumers: [{ queue: 'mail', max_batch_size: 1, max_batch_timeout: 0 }],
      },
    };
    project.write({ 'wrangler.json': bound });
    await project.succeed('d1 migrations apply DB --remote');
    await project.succeed('deploy');
    await eventually(async () => (await site.ask(`shop.${domain}`, '/')).status === 200, 'it answers');
    const told = async () => JSON.parse(await site.read('shop'));
    deepEqual(await told(), { value: null, orders: 1, file: null, mails: null });
    await project.succeed(`kv key put a value --namespace-id ${id} --remote`);
    equal((await project.succeed(`kv key get a --namespace-id ${id} --remote`)).trim(), 'value');
    await project.succeed(`kv bulk put bulk.json --namespace-id ${id} --remote`);
    match(await project.succeed(`kv key list --namespace-id ${id} --remote`), /"k2"/);
    await project.succeed(`kv bulk delete keys.json --namespace-id ${id} --remote --force`);
    await project.succeed(
      'r2 object put pictures/a/b.txt --file picture.txt --content-type text/plain --remote',
    );
    await project.succeed('d1 execute DB --remote --yes --file file.sql');
    const failed = await project.run('d1 execute DB --remote --yes --file broken.sql');
    equal(failed.code, 1, failed.said);
    equal(await site.read('shop', '/send'), 'sent');
    await eventually(async () => (await told()).mails === 'mail 1', 'the queue is consumed');
    deepEqual(await told(), { value: 'value', orders: 3, file: 'a picture', mails: 'mail 1' });
    await project.succeed('r2 object get pictures/a/b.txt --file got.txt --remote');
    equal(project.read('got.txt'), 'a picture');
    await project.succeed('d1 export orders --remote --output dump.sql');
    match(project.read('dump.sql'), /VALUES\(8,'eight'\)/);
    const { bookmark } = JSON.parse(await project.succeed('d1 time-travel info orders --json'));
    await project.succeed('d1 execute DB --remote --yes --command DELETE\u00a0FROM\u00a0orders');
    equal((await told()).orders, 0);
    await project.succeed(`d1 time-travel restore orders --bookmark ${bookmark} --json`);
    equal((await told()).orders, 3);
    await project.succeed('queues pause-delivery mail');
    await project.succeed('queues purge mail --force');
    const inUse = await project.run('queues delete mail');
    equal(inUse.code, 1);
    await project.succeed('delete --force');
    await project.succeed('queues delete mail');
    await project.succeed('d1 delete orders -y');
    await project.succeed('r2 object delete pictures/a/b.txt --remote');
    await project.succeed('r2 bucket delete pictures');
    await project.succeed(`kv namespace delete --namespace-id ${id} -y`);
  });
}

test('wrangler creates the stores that a project names without ids', async (t) => {
  const site = await UploadSite.start(t);
  const project = new Project(t, site, { packageName: 'wrangler' });
  const config = {
    name: 'made',
    main: 'index.js',
    compatibility_date: '2026-03-01',
    kv_namespaces: [{ binding: 'KV' }],
    d1_databases: [{ binding: 'DB' }],
    r2_buckets: [{ binding: 'FILES' }],
    queues: { producers: [{ binding: 'MAIL', queue: 'made-mail' }] },
  };
  const code =
    "export default { fetch: async (_, env) => Response.json([await env.KV.get('a'), (await env.DB.prepare('SELECT 1 AS one').first()).one]) };";
  project.write({ 'wrangler.json': config, 'index.js': code });
  await project.succeed('deploy');
  await eventually(async () => (await site.ask(`made.${domain}`)).body === '[null,1]', 'it answers');
  equal((await site.call('GET A/storage/kv/namespaces')).result[0].title, 'made-kv');
  await project.succeed('deploy');
  equal(
    (await site.call('GET A/storage/kv/namespaces')).result.length,
    1,
    'the second deployment takes the same',
  );
});

test('wrangler deploys a script in the older format', async (t) => {
  const site = await UploadSite.start(t);
  const project = new Project(t, site, { packageName: 'wrangler' });
  const code =
    "import note from './note.txt';\naddEventListener('fetch', (event) => event.respondWith(new Response(GREETING + ' ' + note)));";
  project.write({
    'wrangler.json': {
      name: 'classic',
      main: 'index.js',
      compatibility_date: '2026-03-01',
      vars: { GREETING: 'hello' },
    },
    'index.js': code,
    'note.txt': 'noted',
  });
  await project.succeed('deploy');
  await eventually(async () => (await site.ask(`classic.${domain}`)).body === 'hello noted', 'it answers');
});

for (const packageName of ['wrangler', 'wrangler-older']) {
  test(`${packageName} deploys static assets, without code and beside it`, async (t) => {
    const site = await UploadSite.start(t);
    const project = new Project(t, site, { packageName });
    const pages = { name: 'pages', compatibility_date: '2026-03-01', assets: { directory: 'public' } };
    project.write({
      'wrangler.json': pages,
      'public/index.html': '<h1>one</h1>',
      'public/_headers': '/*\n  x-from: rules\n',
      'public/_redirects': '/old /index.html 301\n',
    });
    await project.succeed('deploy');
    const ask = (path = '/') => site.ask(`pages.${domain}`, path);
    await eventually(async () => (await ask()).body === '<h1>one</h1>', 'the page is served');
    equal((await ask()).headers['x-from'], 'rules');
    equal((await ask('/old')).status, 301);
    project.write({
      'wrangler.json': { ...pages, main: 'index.js', assets: { directory: 'public', binding: 'ASSETS' } },
      'index.js': "export default { fetch: () => new Response('code') };",
      'public/two.txt': 'two',
    });
    await project.succeed('deploy');
    equal((await ask('/two.txt')).body, 'two');
    equal((await ask('/else')).body, 'code');
    await project.succeed('rollback --yes --message back');
    equal((await ask('/two.txt')).status, 404);
  });
}
