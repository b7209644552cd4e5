/** Workers of an account that are bound to each other: to entry points, and to objects. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { eventually } from '../eventually.ts';
import { auth, bindings, migrate, objects, shop } from './bound-workers.ts';
import { domain, type Envelope, UploadSite } from './upload-site.ts';

const codeOf = ({ errors }: Envelope): number | undefined => errors[0]?.code;

test('Workers call entry points and objects of each other, through deployments and a restart', async (t) => {
  let site = await UploadSite.start(t);
  const deployShop = (): Promise<Envelope> =>
    site.deploy('shop', { code: shop, metadata: { bindings, migrations: migrate('Counter') } });
  const early = await deployShop();
  deepEqual(
    [codeOf(early), early.errors[0]?.message],
    [
      10143,
      "Could not resolve service binding 'AUTH'. Target script 'auth' not found. Please verify the target script and try again.",
    ],
  );
  const own = [objects, { type: 'secret_text', name: 'SECRET', text: 'of auth' }];
  const deployAuth = (version: string, metadata: object = {}): Promise<Envelope> =>
    site.deploy('auth', { code: auth(version), metadata: { bindings: own, ...metadata } });
  ok((await deployAuth('one', { migrations: migrate('Room') })).success);
  const deployed = await deployShop();
  ok(deployed.success, JSON.stringify(deployed.errors));
  const ask = async (call: string): Promise<unknown> => JSON.parse(await site.read('shop', `/${call}`));
  await eventually(async () => (await site.ask(`shop.${domain}`, '/fetch')).status === 200, 'it answers');

  equal(await ask('fetch'), 'one POST hello');
  deepEqual(await ask('rpc'), ['hello ann', 'bye bob', [{ by: 'shop' }, 'of auth']]);
  equal(await ask('fail'), 'RangeError: not today');
  match(String(await ask('missing')), /does not export Nobody, which a service binding names/);
  deepEqual(await ask('room'), [1, 2, 'one a /y']);
  equal(await site.read('auth', '/own'), '2', 'the objects are those of the Worker that has the class');
  equal(await ask('inside'), 3, 'objects reach them, too');
  deepEqual(await ask('pass'), [[20, 'counter /through'], 5, 14], 'stubs lead to their own Worker');
  await checkSocket(site);
  await checkTail(site, () => ask('fetch'));

  const slow = ask('slow');
  ok((await deployAuth('two')).success);
  match(String(await slow), /^(?:one|two) GET $/, 'what is under way is ended, and what comes waits');
  equal(await ask('fetch'), 'two POST hello');
  deepEqual(await ask('room'), [3, 4, 'two a /y']);

  await checkRefusals(site);
  const { result: references } = await site.call('GET W/auth/references');
  deepEqual(
    references.services.incoming.map(({ service, name }: { service: string; name: string }) => [
      service,
      name,
    ]),
    [
      ['shop', 'AUTH'],
      ['shop', 'ADMIN'],
      ['shop', 'NONE'],
    ],
  );
  deepEqual(references.durable_objects, [
    { service: 'shop', environment: 'production', name: 'ROOMS', durable_object_namespace_name: 'Room' },
  ]);

  site.server.process.kill('SIGTERM');
  await site.server.exited;
  site = await UploadSite.start(t, { directory: site.directory });
  await eventually(async () => (await site.ask(`shop.${domain}`, '/fetch')).status === 200, 'it runs again');
  deepEqual(await ask('room'), [5, 6, 'two a /y']);

  const renamed = {
    old_tag: 'v1',
    new_tag: 'v2',
    steps: [{ renamed_classes: [{ from: 'Room', to: 'Hall' }] }],
  };
  const hall = {
    code: auth('three').replace('class Room', 'class Hall'),
    metadata: { bindings: [{ ...objects, class_name: 'Hall' }], migrations: renamed },
  };
  ok((await site.deploy('auth', hall)).success);
  deepEqual(await ask('room'), [7, 8, 'three a /y'], 'a class that is renamed there is the same here');
});

async function checkSocket(site: UploadSite): Promise<void> {
  const socket = new WebSocket(site.ready.edge.replace('http', 'ws'), {
    headers: { host: `shop.${domain}` },
  });
  await once(socket, 'open');
  socket.send('hello');
  const [data] = (await once(socket, 'message')) as [Buffer];
  equal(data.toString(), 'echo hello', 'a WebSocket leads through one Worker to an object of another');
  socket.terminate();
}

async function checkRefusals(site: UploadSite): Promise<void> {
  const code = 'export default { fetch: () => new Response() };';
  const refuse = async (...bindings: readonly object[]): Promise<unknown> => {
    const answer = await site.deploy('refused', { code, metadata: { bindings } });
    return `${codeOf(answer)} ${answer.errors[0]?.message}`;
  };
  const service = { type: 'service', name: 'AUTH', service: 'auth' };
  match(String(await refuse({ ...service, service: 'none' })), /^10143 .*Target script 'none' not found/);
  match(String(await refuse({ ...service, environment: 'staging' })), /^10144 .*'staging'/);
  match(String(await refuse({ ...service, service: '' })), /^10021 .*valid `service`/);
  match(String(await refuse({ ...service, service: 'x'.repeat(300) })), /^10021 .*valid `service`/);
  match(String(await refuse({ ...service, entrypoint: 7 })), /^10021 .*valid `entrypoint`/);
  match(String(await refuse({ ...service, props: [] })), /^10021 .*`props`/);
  match(
    String(await refuse({ ...objects, script_name: 'none' })),
    /^10061 .*in script 'none' that does not exist/,
  );
  match(
    String(await refuse({ ...objects, class_name: 'Door', script_name: 'auth' })),
    /^10061 .*class 'Door' in script 'auth' because it is not currently configured/,
  );
  match(String(await refuse({ ...objects, script_name: 7 })), /^10021 .*valid `script_name`/);
  equal((await site.call('GET A/workers/services/refused')).errors[0]?.code, 10090, 'nothing is left of it');
}

async function checkTail(site: UploadSite, call: () => Promise<unknown>): Promise<void> {
  const { result: tail } = await site.call('POST W/auth/tails', { filters: [] });
  const socket = new WebSocket(tail.url, 'trace-v1');
  const told: string[] = [];
  socket.on('message', (data: Buffer) => told.push(data.toString()));
  await once(socket, 'open');
  // Its process may learn of it after the first call.
  await eventually(async () => {
    await call();
    return told.length > 0;
  }, 'those who follow a Worker are told of requests of others');
  const { event, outcome } = JSON.parse(told[0]!);
  deepEqual([event.request.url, event.response.status, outcome], ['http://auth/', 200, 'ok']);
  socket.terminate();
}
