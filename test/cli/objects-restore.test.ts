/** `gatehouse objects restore` while the server runs: its memory follows the disk. */
import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { CliSite } from './cli-site.ts';

let site: CliSite;
before(async () => {
  site = await CliSite.open();
});
after(async () => {
  await site[Symbol.asyncDispose]();
});

/** `gatehouse objects …` on the data directory of the server. */
async function runObjects(...args: string[]): Promise<any[]> {
  const data = join(site.directory, 'data');
  const { code, stdout, stderr } = await site.runElsewhere('objects', ...args, '--data', data, '--json');
  equal(code, 0, stderr);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

async function readBookmark(className: string, name: string): Promise<string> {
  const [newest] = await runObjects('history', className, name, '--limit', '1');
  return newest.bookmark;
}

async function createZone(name: string): Promise<string> {
  const [{ id }] = await site.read('zones', 'create', '--name', name);
  await site.read('zones', 'set-edge', name, '--origin-url', site.originUrl);
  return id;
}

const isAnswered = (host: string, path: string, status: number): Promise<void> =>
  eventually(async () => (await site.visit(host, path)) === status, `${host}${path} answers ${status}`);

async function isTokenValid(token: string): Promise<boolean> {
  const { api } = site.program.ready;
  const response = await fetch(`${api}/user/tokens/verify`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.status === 200;
}

async function createToken(name: string): Promise<{ id: string; value: string }> {
  const [group] = await site.read('tokens', 'permissions', '--name', 'Zone Read');
  const policies = JSON.stringify([
    {
      effect: 'allow',
      resources: { 'com.cloudflare.api.account.zone.*': '*' },
      permission_groups: [{ id: group.id }],
    },
  ]);
  const [token] = await site.read('tokens', 'create', '--name', name, '--policies', policies);
  return token;
}

test('gatehouse objects restore of a zone is followed by the edge and by what the API remembers, and can be undone', async () => {
  const id = await createZone('back.test');
  await isAnswered('back.test', '/admin', 200);
  const before = await readBookmark('Zone', id);
  const expression = 'http.request.uri.path eq "/admin"';
  await site.read('rules', 'create', 'back.test', '--action', 'block', '--expression', expression);
  await isAnswered('back.test', '/admin', 403);
  equal((await site.read('rules', 'list', 'back.test')).length, 1);
  const [{ undo }] = await runObjects('restore', 'Zone', id, before);
  deepEqual(await site.read('rules', 'list', 'back.test'), []);
  await isAnswered('back.test', '/admin', 200);
  await runObjects('restore', 'Zone', id, undo);
  equal((await site.read('rules', 'list', 'back.test')).length, 1);
  await isAnswered('back.test', '/admin', 403);
});

test('gatehouse objects import replaces a zone in the same way, named by its id as an object', async () => {
  const id = await createZone('import.test');
  const file = join(site.directory, 'zone.sqlite');
  await runObjects('export', 'Zone', id, file);
  await site.read('rules', 'create', 'import.test', '--action', 'block', '--expression', 'true');
  await isAnswered('import.test', '/', 403);
  const objects = await runObjects('list', 'Zone');
  await runObjects('import', 'Zone', objects.find(({ name }) => name === id).id, file);
  deepEqual(await site.read('rules', 'list', 'import.test'), []);
  await isAnswered('import.test', '/', 200);
});

test('gatehouse objects restore of the account is followed by the directory: zones, tokens and lists', async () => {
  const kept = await createZone('kept.test');
  const revoked = await createToken('revoked');
  await site.read('lists', 'create', '--name', 'old', '--kind', 'ip');
  const before = await readBookmark('Account', 'account');
  await createZone('later.test');
  await isAnswered('later.test', '/', 200);
  const later = await createToken('later');
  await site.read('tokens', 'delete', revoked.id);
  await site.read('lists', 'create', '--name', 'later', '--kind', 'ip');
  deepEqual([await isTokenValid(revoked.value), await isTokenValid(later.value)], [false, true]);

  const [{ undo }] = await runObjects('restore', 'Account', 'account', before);
  const names = new Set((await site.read('zones', 'list')).map(({ name }) => name));
  deepEqual([names.has('kept.test'), names.has('later.test')], [true, false]);
  deepEqual([await isTokenValid(revoked.value), await isTokenValid(later.value)], [true, false]);
  deepEqual(
    (await site.read('lists', 'list')).map(({ name }) => name),
    ['old'],
  );
  await eventually(
    async () => (await site.visit('later.test', '/')) !== 200,
    'the edge has forgotten the zone',
  );
  equal(await site.visit('kept.test', '/'), 200);

  // Later writes take effect, although the account counts its changes.
  const fresh = await createToken('fresh');
  equal(await isTokenValid(fresh.value), true);
  await createZone('fresh.test');
  await isAnswered('fresh.test', '/', 200);
  const list = site.write('list.json', [{ ip: '127.0.0.1' }]);
  await site.read('lists', 'create', '--name', 'newest', '--kind', 'ip');
  await site.run('lists', 'add-items', 'newest', '--file', list);
  await site.read('rules', 'create', kept, '--action', 'block', '--expression', 'ip.src in $newest');
  await isAnswered('kept.test', '/', 403);

  notEqual(undo, before);
  await runObjects('restore', 'Account', 'account', undo);
  deepEqual([await isTokenValid(fresh.value), await isTokenValid(later.value)], [false, true]);
  await isAnswered('later.test', '/', 200);
});

test('gatehouse objects restore refuses a time before the object was written first, and says so', async () => {
  const id = await createZone('young.test');
  const data = join(site.directory, 'data');
  const place = ['Zone', id, '--data', data];
  const { code, stderr } = await site.runElsewhere('objects', 'restore', ...place, '--time', '1h');
  equal(code, 1);
  match(stderr, /^gatehouse: Zone [0-9a-f]{32} had stored nothing at \S+: choose a later time; .+\n$/);
});
