/**
 * The requests of `wrangler deploy` and related commands, against a real server: `npm run wrangler` uses Wrangler
 * itself.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { accountObjectName } from '#control';
import { openRecorded } from '#hosts';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { createForm, domain, type Envelope, UploadSite } from './upload-site.ts';

function codeOf({ errors }: Envelope): number | undefined {
  return errors[0]?.code;
}

const says = (text: string): string =>
  `export default { fetch: (request, env) => new Response(${JSON.stringify(text)} + ' ' + (env.KEY ?? 'none')) };`;

/** The code of a Worker, as Terraform reads it. */
async function download({ ready }: UploadSite, name: string): Promise<Response> {
  return await fetch(`${ready.api}/accounts/${ready.account_id}/workers/scripts/${name}/content/v2`, {
    headers: { authorization: `Bearer ${ready.token}` },
  });
}

/** Sends the start of an upload, and disconnects. */
async function cutOff({ ready }: UploadSite, method: string, name: string): Promise<void> {
  const form = new Response(createForm({ code: says('cut off') }));
  const bytes = Buffer.from(await form.arrayBuffer());
  const path = `/client/v4/accounts/${ready.account_id}/workers/scripts/${name}`;
  const outgoing = request(new URL(path, ready.api), {
    method,
    headers: {
      authorization: `Bearer ${ready.token}`,
      'content-type': form.headers.get('content-type')!,
      'content-length': bytes.length,
    },
  });
  // The client gets its own disconnect as an error, which `once` would treat as a failure.
  outgoing.on('error', () => {});
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  outgoing.on('close', resolve);
  outgoing.write(bytes.subarray(0, -20), () => outgoing.destroy());
  await closed;
}

/** Changes the account's tables to those of an earlier version, which had fewer columns. */
async function forgetColumns(data: string): Promise<void> {
  await using runtime = await openRecorded({ directory: data });
  const id = runtime.namespace('Account').idFromName(accountObjectName);
  for (const column of ['assets', 'class_changes'])
    await runtime.operate(id, {
      do: 'sql',
      sql: `ALTER TABLE worker_versions DROP COLUMN ${column}`,
      rowsMax: 1,
    });
}

const wasm = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

test('an uploaded Worker answers under its host name, with modules, variables and secrets; what does not load changes nothing', async (t) => {
  const site = await UploadSite.start(t);
  equal(codeOf(await site.call('GET A/workers/services/shop')), 10090);
  deepEqual((await site.call('GET A/workers/subdomain')).result, { subdomain: domain });
  const first = await site.deploy('shop', {
    code: `import note from './a-note.txt'; import bytes from './b.bin'; import add from './c.wasm';
      export default { fetch: (request, env) => Response.json({
        note, bytes: bytes.byteLength, wasm: add instanceof WebAssembly.Module, env: [env.A, env.B.c, env.SEALED, env.V.tag],
        url: request.url,
      }) };`,
    modules: {
      './a-note.txt': ['a note', 'text/plain'],
      './b.bin': [new Uint8Array([1, 2, 3]), 'application/octet-stream'],
      './c.wasm': [wasm, 'application/wasm'],
      'index.js.map': ['{}', 'application/source-map'],
    },
    metadata: {
      bindings: [
        { type: 'plain_text', name: 'A', text: 'one' },
        { type: 'json', name: 'B', json: { c: 2 } },
        { type: 'secret_text', name: 'SEALED', text: 'never-told-again' },
        { type: 'version_metadata', name: 'V' },
      ],
      annotations: { 'workers/tag': 'r1' },
    },
  });
  ok(first.success, JSON.stringify(first.errors));
  await eventually(async () => (await site.ask(`shop.${domain}`)).status === 200, 'the route is in force');
  deepEqual(JSON.parse(await site.read('shop', '/a')), {
    note: 'a note',
    bytes: 3,
    wasm: true,
    env: ['one', 2, 'never-told-again', 'r1'],
    url: `http://shop.${domain}/a`,
  });
  match(
    (await site.call('GET A/workers/workers/shop')).result.subdomain.url,
    /^http:\/\/shop\.workers\.example:\d+$/,
  );
  match(await (await download(site, 'shop')).text(), /name="\.\/a-note\.txt"; filename="\.\/a-note\.txt"/);
  for (const path of ['settings', 'secrets', 'versions', `versions/${first.result.deployment_id}`])
    ok(!JSON.stringify(await site.call(`GET W/shop/${path}`)).includes('never-told-again'), path);

  const modules = await (await download(site, 'shop')).formData();
  equal([...modules.keys()][0], 'index.js');
  const [, note] = [...modules].find(([name]) => name.endsWith('a-note.txt'))!;
  equal(await (note as File).text(), 'a note');

  const refused: [code: number, upload: Parameters<typeof createForm>[0]][] = [
    [10021, { code: 'export default {' }],
    [10021, { code: "throw new Error('no')" }],
    [10021, { code: "import './missing.js'; export default { fetch() {} }" }],
    [10021, { code: 'await new Promise(() => {}); export default { fetch() {} }' }],
    [10021, { code: 'for (;;); export default { fetch() {} }' }],
    [10021, { code: 'export default { fetch() {} }', metadata: { compatibility_date: '2099-01-01' } }],
    [10021, { code: 'export default { fetch() {} }', metadata: { main_module: '../x.js' } }],
    [10021, { code: 'export default { fetch() {} }', metadata: { bindings: [{ type: 'what', name: 'A' }] } }],
    [
      10052,
      { code: 'export default { fetch() {} }', metadata: { bindings: [{ type: 'plain_text', text: 'a' }] } },
    ],
    [
      10057,
      { code: 'export default { fetch() {} }', metadata: { bindings: [{ type: 'inherit', name: 'NOT' }] } },
    ],
    [10068, { code: 'const nothing = 1;' }],
    [10906, { code: 'export default { fetch() {} }', metadata: { assets: { jwt: 'a' } } }],
    [10021, { metadata: { main_module: undefined, body_part: 'index.js' } }],
    [
      10061,
      {
        code: 'export default { fetch() {} }',
        metadata: {
          bindings: [{ type: 'durable_object_namespace', name: 'ROOMS', class_name: 'Room' }],
        },
      },
    ],
    [10021, { code: 'export default { fetch() {} }', modules: { '../../up.txt': ['a path', 'text/plain'] } }],
    [10027, { code: `export default '${'x'.repeat(33 * 1024 * 1024)}'` }],
    [
      10903,
      {
        code: 'export default { fetch() {} }',
        modules: Object.fromEntries(
          Array.from({ length: 2_001 }, (_, index) => [`./${index}.txt`, ['', 'text/plain'] as const]),
        ),
      },
    ],
  ];
  for (const [code, upload] of refused) {
    const answer = await site.call('PUT W/shop', createForm(upload));
    equal(codeOf(answer), code, JSON.stringify([upload.metadata, answer.errors]));
  }
  const broken = await site.call('PUT W/shop', createForm({ code: '\n  export default {' }));
  match(broken.errors[0]!.message, /SyntaxError/);
  match(broken.errors[0]!.message, /index\.js:\d+/);
  ok(!broken.errors[0]!.message.includes('/uploaded/'), broken.errors[0]!.message);
  await cutOff(site, 'PUT', 'shop');
  equal((await site.call('GET W/shop/versions')).result.items.length, 1);
  equal(JSON.parse(await site.read('shop')).note, 'a note');
  const code = readdirSync(join(site.directory, 'data/worker-code'));
  equal(code.length, 1, 'code that was refused is not kept');
});

test('versions, secrets and roll-backs of an uploaded Worker outlive a restart; a delete leaves nothing', async (t) => {
  const directory = temporary(t);
  let site = await UploadSite.start(t, { directory });
  ok((await site.deploy('shop', { code: says('one') })).success);
  await eventually(async () => (await site.read('shop')) === 'one none');
  const uploaded = await site.call('POST W/shop/versions', createForm({ code: says('two') }));
  ok(uploaded.success, JSON.stringify(uploaded.errors));
  equal(await site.read('shop'), 'one none', 'an uploaded version is not deployed');
  const pages = [1, 2, 3].map((page) => site.call(`GET W/shop/versions?per_page=1&page=${page}`));
  const numbers = (await Promise.all(pages)).map(({ result }) =>
    result.items.map(({ number }: { readonly number: number }) => number),
  );
  deepEqual(numbers, [[2], [1], []], 'pages end, so that SDKs that read them all end too');
  const secret = { name: 'KEY', text: 'a-secret-of-the-shop', type: 'secret_text' };
  equal(codeOf(await site.call('PUT W/shop/secrets', secret)), 10215);
  const deploy = (id: string, query = ''): Promise<Envelope> =>
    site.call(`POST W/shop/deployments${query}`, {
      strategy: 'percentage',
      versions: [{ version_id: id, percentage: 100 }],
      annotations: { 'workers/message': 'a message' },
    });
  ok((await deploy(uploaded.result.id)).success);
  equal(await site.read('shop'), 'two none');
  ok((await site.call('PUT W/shop/secrets', secret)).success);
  equal(await site.read('shop'), 'two a-secret-of-the-shop');
  deepEqual((await site.call('GET W/shop/secrets')).result, [{ name: 'KEY', type: 'secret_text' }]);
  ok((await site.call('PUT W/shop', createForm({ code: says('three') }))).success);
  equal(await site.read('shop'), 'three a-secret-of-the-shop', 'a deployment keeps secrets');

  const { deployments } = (await site.call('GET W/shop/deployments')).result;
  equal(deployments.length, 4);
  equal(deployments[2].annotations['workers/message'], 'a message');
  const refused = await deploy(uploaded.result.id);
  deepEqual(
    [codeOf(refused), refused.errors[0]?.message],
    [10220, 'The following secrets have changed: KEY'],
  );
  ok((await deploy(uploaded.result.id, '?force=true')).success);
  equal(await site.read('shop'), 'two none');
  equal(codeOf(await deploy('01234567-89ab-4cde-8f01-23456789abcd')), 100146);
  const split = [
    { version_id: uploaded.result.id, percentage: 50 },
    { version_id: deployments[0].versions[0].version_id, percentage: 50 },
  ];
  equal(codeOf(await site.call('POST W/shop/deployments', { versions: split })), 10901);

  site.server.process.kill('SIGKILL');
  await site.server.exited;
  await forgetColumns(join(directory, 'data'));
  for (const file of readdirSync(join(directory, 'data'), { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const content = readFileSync(join(file.parentPath, file.name));
    ok(!content.includes('a-secret-of-the-shop'), `${file.name} has a secret that is not sealed`);
  }
  site = await UploadSite.start(t, { directory });
  equal(await site.read('shop'), 'two none');
  const bulk = await site.call('PATCH W/shop/secrets-bulk', { secrets: { KEY: null } });
  equal(codeOf(bulk), 10215, 'the latest version is not the one that is deployed');
  const audited = (await site.call('GET A/audit_logs?per_page=100')).result as {
    resource: { type: string };
  }[];
  ok(audited.some(({ resource }) => resource.type === 'worker'));

  ok((await site.call('DELETE A/workers/services/shop?force=false')).success);
  equal(codeOf(await site.call('GET A/workers/services/shop')), 10090);
  await eventually(
    async () => (await site.ask(`shop.${domain}`)).status !== 200,
    'its host name leads nowhere',
  );
  deepEqual(readdirSync(join(directory, 'data/workers')), []);
  deepEqual(readdirSync(join(directory, 'data/worker-code')), []);
});

const room = (name: string, extra = ''): string => `
import { DurableObject } from 'cloudflare:workers';
export class ${name} extends DurableObject {
  async fetch() {
    const count = 1 + ((await this.ctx.storage.get('count')) ?? 0);
    await this.ctx.storage.put('count', count);
    return new Response(String(count));
  }
}
${extra}
export default { fetch: (request, env) => env.ROOMS.getByName('one').fetch(request) };`;
const bound = (className: string): object => ({
  bindings: [{ type: 'durable_object_namespace', name: 'ROOMS', class_name: className }],
});

test('migrations are state of a Worker: classes keep, lose and rename their objects as documented', async (t) => {
  const site = await UploadSite.start(t);
  const put = (code: string, metadata: object): Promise<Envelope> =>
    site.call('PUT W/rooms', createForm({ code, metadata: metadata as Record<string, unknown> }));
  equal(codeOf(await put(room('Room'), bound('Room'))), 10061);
  const v1 = { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Room'] }] };
  equal(codeOf(await put('export default { fetch() {} }', { migrations: v1 })), 10070);
  equal(
    codeOf(await site.call('GET A/workers/services/rooms')),
    10090,
    'nothing is stored of what was refused',
  );
  ok(
    (await site.deploy('rooms', { code: room('Room'), metadata: { ...bound('Room'), migrations: v1 } }))
      .success,
  );
  await eventually(async () => (await site.ask(`rooms.${domain}`)).status === 200);
  const before = Number(await site.read('rooms'));
  const { default_environment: environment } = (await site.call('GET A/workers/services/rooms')).result;
  equal(environment.script.migration_tag, 'v1');
  const first = (await site.call('GET W/rooms/deployments')).result.deployments[0].versions[0].version_id;

  equal(codeOf(await put(room('Room'), { ...bound('Room'), migrations: v1 })), 10079);
  equal(codeOf(await put('export default { fetch() {} }', {})), 10064);
  const again = { old_tag: 'v1', new_tag: 'v2', steps: [{ new_sqlite_classes: ['Room'] }] };
  equal(codeOf(await put(room('Room'), { ...bound('Room'), migrations: again })), 10074);
  const version = createForm({ code: room('Room'), metadata: { ...bound('Room'), migrations: again } });
  equal(codeOf(await site.call('POST W/rooms/versions', version)), 10211);
  equal(Number(await site.read('rooms')), before + 1, 'what was refused has changed nothing');

  const renamed = {
    old_tag: 'v1',
    new_tag: 'v2',
    steps: [{ renamed_classes: [{ from: 'Room', to: 'Hall' }] }],
  };
  ok((await put(room('Hall'), { ...bound('Hall'), migrations: renamed })).success);
  equal(Number(await site.read('rooms')), before + 2, 'a class that is renamed keeps its objects');
  const back = { versions: [{ version_id: first, percentage: 100 }] };
  equal(codeOf(await site.call('POST W/rooms/deployments', back)), 10061, 'no way back past a migration');

  const removed = { old_tag: 'v2', new_tag: 'v3', steps: [{ deleted_classes: ['Hall'] }] };
  const stillBound = await put(room('Hall'), { ...bound('Hall'), migrations: removed });
  match(stillBound.errors[0]!.message, /without also removing the binding/);
  const anew = {
    old_tag: 'v2',
    new_tag: 'v3',
    steps: [{ deleted_classes: ['Hall'] }, { new_sqlite_classes: ['Hall'] }],
  };
  ok((await put(room('Hall'), { ...bound('Hall'), migrations: anew })).success);
  equal(await site.read('rooms'), '1', 'a class that is made again begins with no objects');

  // The newer form contains the complete target state each time.
  const exported = (entry: object): object => ({ exports: { Hall: { type: 'durable-object', ...entry } } });
  const kept = { ...bound('Hall'), ...exported({ storage: 'sqlite' }) };
  ok((await put(room('Hall'), kept)).success);
  equal(await site.read('rooms'), '2', 'a class that is named again keeps its objects');
  equal(codeOf(await put(room('Hall'), { ...bound('Hall'), exports: {} })), 100402, 'none is left out');
  const other = { ...bound('Hall'), ...exported({ storage: 'legacy-kv' }) };
  equal(codeOf(await put(room('Hall'), other)), 100402, 'a class keeps its storage');
  const none = "export default { fetch: () => new Response('none') };";
  ok((await put(none, exported({ state: 'deleted' }))).success);
  equal(await site.read('rooms'), 'none');
  ok((await put(room('Hall'), kept)).success);
  equal(await site.read('rooms'), '1', 'what was deleted is gone');
  const nowLobby = (entry: object): object => ({
    ...bound('Lobby'),
    exports: {
      Lobby: { type: 'durable-object', storage: 'sqlite', state: 'created' },
      Hall: { type: 'durable-object', ...entry },
    },
  });
  equal(codeOf(await put(room('Lobby'), nowLobby({ state: 'renamed', renamed_to: 'Room' }))), 100402);
  for (const count of ['2', '3']) {
    ok((await put(room('Lobby'), nowLobby({ state: 'renamed', renamed_to: 'Lobby' }))).success);
    equal(await site.read('rooms'), count, 'a class that is renamed keeps its objects, and is named on');
  }
  const lent = nowLobby({ state: 'transferred', transferred_to: 'other' });
  equal(codeOf(await put(room('Lobby'), lent)), 10901, 'what is not there is said');
});

test('code is uploaded by those who may, and where the owner allows it', async (t) => {
  const directory = temporary(t);
  let site = await UploadSite.start(t, { directory });
  ok((await site.deploy('shop', { code: says('one') })).success);
  const { result: groups } = await site.call('GET /user/tokens/permission_groups');
  const reading = groups.find(({ name }: { name: string }) => name === 'Workers Scripts Read');
  const resources = { [`com.cloudflare.api.account.${site.ready.account_id}`]: '*' };
  const { result: token } = await site.call('POST /user/tokens', {
    name: 'a reader',
    policies: [{ effect: 'allow', resources, permission_groups: [{ id: reading.id }] }],
  });
  equal((await site.call('GET W/shop/settings', undefined, token.value)).success, true);
  equal(await (await download(site, 'shop')).text(), says('one'));
  equal(codeOf(await site.call('GET A/workflows')), 10901, 'what is not served is said');
  equal(codeOf(await site.call('GET A/what/ever')), 7003);
  const wrong = await site.call('GET A/what/ever', undefined, 'a'.repeat(40));
  deepEqual(
    [wrong.status, wrong.errors],
    [
      403,
      [
        {
          code: 10000,
          message: 'Authentication error',
          error_chain: [{ code: 9109, message: 'Invalid access token' }],
        },
      ],
    ],
    'a wrong token is told before an unknown path',
  );
  const denied = await site.call('PUT W/shop', createForm({ code: says('two') }), token.value);
  deepEqual([denied.status, codeOf(denied)], [403, 10000]);
  site.server.process.kill('SIGTERM');
  await site.server.exited;

  site = await UploadSite.start(t, { directory, args: ['--script-uploads', 'false'] });
  const off = await site.call('PUT W/shop', createForm({ code: says('two') }));
  deepEqual([off.status, codeOf(off)], [403, 10900]);
  equal(codeOf(await site.call('PUT W/shop/secrets', { name: 'A', text: 'b', type: 'secret_text' })), 10900);
  equal(await site.read('shop'), 'one none', 'what was uploaded before runs on');
});
