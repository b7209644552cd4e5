/**
 * Workers and versions as resources with ids, as Terraform and the SDKs request them: `npm run clients` uses the real
 * clients.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { domain, type Envelope, UploadSite } from './upload-site.ts';

const codeOf = ({ errors }: Envelope): number | undefined => errors[0]?.code;
const encode = (text: string): string => Buffer.from(text).toString('base64');

const createCode = (text: string): string => `
  import { DurableObject } from 'cloudflare:workers';
  import note from './note.txt';
  export class Room extends DurableObject {
    count() { const n = (this.ctx.storage.kv.get('n') ?? 0) + 1; this.ctx.storage.kv.put('n', n); return n; }
  }
  export default { async fetch(request, env) {
    return new Response(['${text}', note, env.KEY, await env.ROOMS.getByName('a').count()].join(' '));
  } };`;

const createVersion = (text: string) => ({
  main_module: 'index.js',
  modules: [
    {
      name: 'index.js',
      content_type: 'application/javascript+module',
      content_base64: encode(createCode(text)),
    },
    { name: './note.txt', content_type: 'text/plain', content_base64: encode('noted') },
  ],
  compatibility_date: '2026-03-01',
  bindings: [
    { type: 'durable_object_namespace', name: 'ROOMS', class_name: 'Room' },
    { type: 'secret_text', name: 'KEY', text: 'never-told-again' },
  ],
  migrations: { new_tag: 'v1', new_sqlite_classes: ['Room'] },
});

test('a Worker is there before it has a version; the migrations of a version wait for its deployment', async (t) => {
  const site = await UploadSite.start(t);
  const made = await site.call('POST A/workers/workers', {
    name: 'rooms',
    tags: ['one'],
    subdomain: { enabled: true },
    observability: { enabled: true },
  });
  ok(made.success, JSON.stringify(made.errors));
  const { id } = made.result;
  match(id, /^[0-9a-f]{32}$/);
  deepEqual(
    [made.result.deployed_on, made.result.subdomain.enabled, made.result.observability.logs.persist],
    [null, true, true],
  );
  deepEqual((await site.call('GET A/workers/workers/rooms')).result, made.result, 'by its name as by its id');
  equal(codeOf(await site.call('POST A/workers/workers', { name: 'rooms' })), 10908);
  equal(
    codeOf(await site.call(`PUT A/workers/workers/${id}`, { name: 'halls' })),
    10901,
    'it keeps its name',
  );
  equal((await site.ask(`rooms.${domain}`)).status >= 500, true, 'nothing runs yet');

  const versions = `A/workers/workers/${id}/versions`;
  const first = await site.call(`POST ${versions}`, createVersion('one'));
  ok(first.success, JSON.stringify(first.errors));
  const { modules, bindings, migration_tag: tag } = first.result;
  deepEqual(
    modules.map(({ name, content_base64: content }: any) => [name, content]),
    createVersion('one').modules.map(({ name, content_base64: content }) => [name, content]),
  );
  deepEqual(
    bindings.map(({ name }: any) => name),
    ['KEY', 'ROOMS'],
    'by their names',
  );
  equal(tag, undefined, 'a migration is applied with the deployment');
  deepEqual((await site.call('GET A/workers/durable_objects/namespaces')).result, []);
  ok(
    !JSON.stringify(await site.call(`GET ${versions}/${first.result.id}?include=modules`)).includes(
      'never-told',
    ),
  );
  equal(codeOf(await site.call('PUT W/rooms/secrets', { name: 'A', text: 'b', type: 'secret_text' })), 10215);

  const extra = await site.call(`PATCH ${versions}/latest`, {
    env: { EXTRA: { type: 'secret_text', text: 'x' } },
  });
  ok(extra.success, 'a version whose migrations wait can be changed');

  const deploy = (version: string): Promise<Envelope> =>
    site.call('POST W/rooms/deployments', {
      strategy: 'percentage',
      versions: [{ version_id: version, percentage: 100 }],
    });
  ok((await deploy(first.result.id)).success);
  await eventually(async () => (await site.ask(`rooms.${domain}`)).status === 200, 'it answers');
  match(await site.read('rooms'), /^one noted never-told-again \d+$/);
  equal((await site.call(`GET ${versions}/${first.result.id}`)).result.migration_tag, 'v1');

  // A configuration repeats the migration in each version.
  const second = await site.call(`POST ${versions}`, { ...createVersion('two'), bindings: [bindings[1]] });
  ok(second.success, JSON.stringify(second.errors));
  ok((await deploy(second.result.id)).success);
  match(
    await site.read('rooms'),
    /^two noted {2}[2-9]$/,
    'its objects stay, and a secret that it does not name goes',
  );
  equal(codeOf(await deploy(first.result.id)), 10220, 'secrets have changed');

  const edited = await site.call(`PATCH A/workers/workers/${id}`, { tags: ['two'] });
  deepEqual(
    [edited.result.tags, edited.result.observability.enabled, edited.result.subdomain.enabled],
    [['two'], true, true],
  );
  const replaced = await site.call(`PUT A/workers/workers/${id}`, { name: 'rooms' });
  deepEqual(
    [replaced.result.tags, replaced.result.observability.enabled, replaced.result.subdomain.enabled],
    [[], false, false],
  );
  equal((await site.call('GET A/workers/workers?per_page=1')).result[0].id, id);
  equal((await site.call(`GET ${versions}`)).result.length, 3);
  for (const [sent, code] of [
    [
      {
        ...createVersion('x'),
        modules: [{ ...createVersion('x').modules[0], content_base64: 'not base64!' }],
      },
      10021,
    ],
    [{ ...createVersion('x'), migrations: { old_tag: 'v7', new_tag: 'v8' } }, 10079],
    [{ ...createVersion('x'), main_module: 'other.js' }, 10021],
  ] as const)
    equal(codeOf(await site.call(`POST ${versions}`, sent)), code);
  equal((await site.call(`GET ${versions}`)).result.length, 3, 'what is refused is not kept');
  ok((await site.call(`DELETE A/workers/workers/${id}`)).success);
  equal(codeOf(await site.call(`GET A/workers/workers/${id}`)), 10007);
});
