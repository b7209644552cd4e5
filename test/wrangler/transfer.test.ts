/** Objects that move from the class of one uploaded Worker to that of another. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { type Envelope, UploadSite } from './upload-site.ts';

/** Counts per object in a database, stores one value under a key, and has an alarm in the distant future. */
const classes = (sql: string, kv: string): string => `
  import { DurableObject } from 'cloudflare:workers';
  export class ${sql} extends DurableObject {
    next() {
      const { sql } = this.ctx.storage;
      sql.exec('CREATE TABLE IF NOT EXISTS calls (n INTEGER)');
      sql.exec('INSERT INTO calls VALUES (1)');
      return sql.exec('SELECT count(*) AS n FROM calls').one().n;
    }
  }
  export class ${kv} extends DurableObject {
    async keep(text) { await this.ctx.storage.put('text', text); await this.ctx.storage.setAlarm(4102444800000); }
    async told() { return [await this.ctx.storage.get('text'), await this.ctx.storage.getAlarm(), this.ctx.id.name]; }
    alarm() {}
  }`;
const asks = `
  export default {
    async fetch(request, env) {
      const { pathname, searchParams } = new URL(request.url);
      const name = searchParams.get('name') ?? 'a';
      switch (pathname) {
        case '/next': return Response.json(await env.ROOMS.getByName(name).next());
        case '/new': { const id = env.ROOMS.newUniqueId(); return Response.json([String(id), await env.ROOMS.get(id).next()]); }
        case '/of': return Response.json(await env.ROOMS.get(env.ROOMS.idFromString(searchParams.get('id'))).next());
        case '/keep': await env.NOTES.getByName(name).keep(searchParams.get('text')); return Response.json(null);
        case '/told': return Response.json(await env.NOTES.getByName(name).told());
        default: return new Response('here');
      }
    },
  };`;
const bind = (rooms: string, notes: string): object[] => [
  { type: 'durable_object_namespace', name: 'ROOMS', class_name: rooms },
  { type: 'durable_object_namespace', name: 'NOTES', class_name: notes },
];
const created = { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Room'], new_classes: ['Note'] }] };
const transfers = (from_script: string) => [
  { from: 'Room', from_script, to: 'Hall' },
  { from: 'Note', from_script, to: 'Memo' },
];

function deployOld(site: UploadSite, name = 'old'): Promise<Envelope> {
  return site.deploy(name, {
    code: classes('Room', 'Note') + asks,
    metadata: { bindings: bind('Room', 'Note'), migrations: created },
  });
}

function deployNew(
  site: UploadSite,
  { from = 'old', steps = [{ transferred_classes: transfers(from) }] } = {},
) {
  return site.deploy('new', {
    code: classes('Hall', 'Memo') + asks,
    metadata: { bindings: bind('Hall', 'Memo'), migrations: { new_tag: 'v1', steps } },
  });
}

test('transferred classes keep their objects, ids, names and alarms, and the other Worker loses them', async (t) => {
  const directory = temporary(t);
  let site = await UploadSite.start(t, { directory });
  const read = async (name: string, path: string) => JSON.parse(await site.read(name, path));
  ok((await deployOld(site)).success);
  await eventually(async () => (await site.read('old')) === 'here');
  equal(await read('old', '/next'), 1);
  equal(await read('old', '/next?name=b'), 1);
  const [id] = await read('old', '/new');
  await read('old', '/keep?text=kept');

  const refused = async (answer: Envelope, code: number, reason: RegExp): Promise<void> => {
    equal(answer.errors[0]?.code, code, JSON.stringify(answer));
    match(answer.errors[0].message, reason);
  };
  const step = (from: string, from_script: string, to: string) => ({
    steps: [{ transferred_classes: [{ from, from_script, to }] }],
  });
  await refused(await deployNew(site, { from: 'nobody' }), 10074, /no other Worker 'nobody'/);
  await refused(await deployNew(site, { from: 'new' }), 10074, /no other Worker 'new'/);
  await refused(await deployNew(site, step('Door', 'old', 'Hall')), 10074, /'old' has no class 'Door'/);
  await refused(
    await deployNew(site, {
      steps: [
        { transferred_classes: [...transfers('old'), { from: 'Room', from_script: 'old', to: 'Lobby' }] },
      ],
    }),
    10074,
    /transferred twice/,
  );
  const exists = { new_sqlite_classes: ['Hall'], transferred_classes: [] as object[] };
  await refused(
    await deployNew(site, { steps: [exists, ...step('Room', 'old', 'Hall').steps] as never }),
    10074,
    /already depended on/,
  );
  await refused(
    await deployNew(site, {
      steps: [{ transferred_classes: [...transfers('old')] }, ...step('Room', 'old', 'X').steps],
    }),
    10074,
    /twice/,
  );
  await refused(
    await site.deploy('new', {
      code: classes('Hall', 'Other') + asks,
      metadata: { migrations: { new_tag: 'v1', steps: [{ transferred_classes: transfers('old') }] } },
    }),
    10070,
    /'Memo' that is not exported/,
  );
  equal(await read('old', '/next'), 2, 'what is refused changes nothing');
  equal((await site.call('GET A/workers/services/new')).errors[0]?.code, 10090);

  const done = await deployNew(site);
  ok(done.success, JSON.stringify(done.errors));
  await eventually(async () => (await site.read('new')) === 'here');
  equal(await read('new', '/next'), 3);
  equal(await read('new', '/next?name=b'), 2);
  equal(await read('new', `/of?id=${id}`), 2, 'ids that were given out are good');
  deepEqual(await read('new', '/told'), ['kept', 4_102_444_800_000, 'a']);

  // The other Worker keeps running, reaches the objects at their new place, and cannot roll back to versions with them.
  equal(await site.read('old'), 'here');
  equal(await read('old', '/next'), 4);
  deepEqual(await read('old', '/told'), ['kept', 4_102_444_800_000, 'a']);
  const { result: versions } = await site.call('GET W/old/versions');
  equal(versions.items.length, 2);
  match(versions.items[0].annotations['workers/message'], /Room, Note are those of new/);
  const { result: settings } = await site.call('GET W/old/settings');
  deepEqual(
    settings.bindings.map(({ class_name, script_name }: Record<string, string>) => [class_name, script_name]),
    [
      ['Hall', 'new'],
      ['Memo', 'new'],
    ],
  );
  const back = await site.call('POST W/old/deployments', {
    strategy: 'percentage',
    versions: [{ version_id: versions.items[1].id, percentage: 100 }],
  });
  await refused(back, 10061, /'Room' because it is not currently configured/);
  await refused(
    await site.deploy('old', {
      code: classes('Room', 'Note') + asks,
      metadata: { bindings: bind('Room', 'Note') },
    }),
    10061,
    /'Room'/,
  );
  await refused(await deployNew(site), 10079, /expected tag is 'v1'/);

  site.server.process.kill('SIGKILL');
  await site.server.exited;
  site = await UploadSite.start(t, { directory });
  await eventually(async () => (await site.read('new')) === 'here');
  equal(await read('new', '/next'), 5);
  equal(await site.read('old'), 'here');

  // After a server is killed during the transfer, all of them are at the source, or all at the target.
  const names = Array.from({ length: 15 }, (_, index) => `o${index}`);
  ok((await deployOld(site, 'third')).success);
  await eventually(async () => (await site.read('third')) === 'here');
  for (const name of names) {
    equal(await read('third', `/next?name=${name}`), 1);
    await read('third', `/keep?name=${name}&text=${name}`);
  }
  const steps = [
    {
      deleted_classes: ['Hall', 'Memo'],
      transferred_classes: [
        { from: 'Room', from_script: 'third', to: 'Hall' },
        { from: 'Note', from_script: 'third', to: 'Memo' },
      ],
    },
  ];
  const upload = {
    code: classes('Hall', 'Memo') + asks,
    metadata: { bindings: bind('Hall', 'Memo'), migrations: { old_tag: 'v1', new_tag: 'v2', steps } },
  };
  const folder = join(directory, 'data', 'workers');
  const listScratch = () =>
    readdirSync(folder).flatMap((each) =>
      readdirSync(join(folder, each)).filter((name) => name.startsWith('transfer-')),
    );
  let isOver = false;
  const half = site.deploy('new', upload).then(
    () => (isOver = true),
    () => (isOver = true),
  );
  await eventually(() => isOver || listScratch().length > 0, 'objects are being copied');
  site.server.process.kill('SIGKILL');
  await Promise.all([half, site.server.exited]);
  site = await UploadSite.start(t, { directory });
  const { result: service } = await site.call('GET A/workers/services/new');
  const isDone = service.default_environment.script.migration_tag === 'v2';
  const owner = isDone ? 'new' : 'third';
  for (const name of ['new', 'third']) await eventually(async () => (await site.read(name)) === 'here');
  for (const name of names) {
    equal(await read(owner, `/next?name=${name}`), 2, owner);
    equal((await read(owner, `/told?name=${name}`))[0], name);
  }
  equal(await read('new', '/next'), isDone ? 1 : 6);
  if (!isDone) {
    const again = await site.deploy('new', upload);
    ok(again.success, JSON.stringify(again.errors));
    for (const name of names) equal(await read('new', `/next?name=${name}`), 3);
    deepEqual(listScratch(), []);
  }
});
