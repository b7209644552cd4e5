import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { permissionGroups, unservedPermissionGroups } from '#contract';
import { TestControl } from './harness.ts';
import { everything, groupId, makeToken, policy, resource, tokenBody } from './token-maker.ts';

let control: TestControl;
before(async () => {
  control = await TestControl.open();
});
after(() => control.close());

const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });
const allNames = Object.values(permissionGroups).map(({ name }) => name);

test('tokens.create shows the value once, and only its hash reaches the disk', async () => {
  const made = await control.call('POST /user/tokens', {
    body: {
      name: 'readonly token',
      policies: [policy('allow', ['Zone Read'], ['zone.*'])],
      condition: { request_ip: { in: ['127.0.0.0/8'] } },
      not_before: '2020-04-01T05:20:00Z',
    },
  });
  equal(made.status, 200);
  const { value, ...token } = made.result;
  match(value, /^[\w-]{40}$/);
  deepEqual(token, {
    id: token.id,
    name: 'readonly token',
    status: 'active',
    issued_on: '2026-01-01T00:00:00Z',
    modified_on: '2026-01-01T00:00:00Z',
    not_before: '2020-04-01T05:20:00Z',
    policies: [
      {
        id: token.policies[0].id,
        effect: 'allow',
        resources: { 'com.cloudflare.api.account.zone.*': '*' },
        permission_groups: [{ id: 'c8fed203ed3043cba015a93ad1616f1f', name: 'Zone Read' }],
      },
    ],
    condition: { request_ip: { in: ['127.0.0.0/8'] }, 'request.ip': { in: ['127.0.0.0/8'] } },
  });
  deepEqual((await control.call(`GET /user/tokens/${token.id}`)).result, token);
  const listed = (await control.call('GET /user/tokens?direction=desc')).result as { id: string }[];
  ok(listed.some(({ id }) => id === token.id));
  equal((await control.call('GET /zones', bearer(value))).status, 200);
  const files = await readdir(control.directory, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(paths.map((path) => readFile(path)));
  ok(contents.some((bytes) => bytes.includes(token.id)));
  ok(!contents.some((bytes) => bytes.includes(value)));
});

test('tokens.roll ends the old value, tokens.update keeps it, tokens.delete ends both', async () => {
  const wanted = { groups: ['Zone Read'], on: ['zone.*'] };
  const token = await makeToken(control, wanted);
  const rolled = await control.call(`PUT /user/tokens/${token.id}/value`, { body: {} });
  notEqual(rolled.result, token.value);
  equal((await control.call('GET /zones', token)).status, 403);
  equal((await control.call('GET /zones', bearer(rolled.result))).status, 200);
  const put = (body: object) =>
    control.call(`PUT /user/tokens/${token.id}`, { body: { ...tokenBody(control, wanted), ...body } });
  equal((await put({ name: 'other', status: 'disabled' })).result.status, 'disabled');
  equal((await control.call('GET /zones', bearer(rolled.result))).status, 403);
  equal((await put({ status: 'active' })).result.status, 'active');
  equal((await control.call('GET /zones', bearer(rolled.result))).status, 200);
  deepEqual((await control.call(`DELETE /user/tokens/${token.id}`, { body: {} })).result, { id: token.id });
  equal((await control.call('GET /zones', bearer(rolled.result))).status, 403);
  const gone = await control.call(`DELETE /user/tokens/${token.id}`);
  deepEqual([gone.status, gone.errors[0]?.code], [404, 1003]);
});

test('tokens.create refuses policies without effect, and names the field', async () => {
  const [zoneRead, id] = [groupId('Zone Read'), '0'.repeat(32)];
  const refusal = async (body: object): Promise<unknown[]> => {
    const base = tokenBody(control, { groups: ['Zone Read'], on: ['zone.*'] });
    const { status, errors } = await control.call('POST /user/tokens', { body: { ...base, ...body } });
    return [status, errors[0]?.code, errors[0]?.source?.pointer];
  };
  const of = (groups: readonly string[], resources: object) => ({
    policies: [{ effect: 'allow', permission_groups: groups.map((each) => ({ id: each })), resources }],
  });
  const zones = { [resource('zone.*')]: '*' };
  deepEqual(await refusal(of([id], zones)), [400, 1004, '/policies/0/permission_groups/0/id']);
  deepEqual(await refusal(of([zoneRead], { 'com.example.zone.*': '*' })), [
    400,
    1005,
    '/policies/0/resources',
  ]);
  deepEqual(await refusal(of([zoneRead], { [resource(`zone.${id}`)]: zones })), [
    400,
    1005,
    '/policies/0/resources',
  ]);
  deepEqual(await refusal(of([zoneRead], { [resource(`user.${id}`)]: '*' })), [
    400,
    1006,
    '/policies/0/resources',
  ]);
  deepEqual(await refusal({ condition: { request_ip: { in: ['127.0.0.1', '10.0.0.0/33'] } } }), [
    400,
    1008,
    '/condition/request_ip/in/1',
  ]);
  deepEqual(await refusal({ expires_on: '2025-12-31T23:59:59Z' }), [400, 1009, '/expires_on']);
  deepEqual(await refusal({ expires_on: 'tomorrow' }), [400, 10026, '/expires_on']);
  deepEqual(await refusal({ policies: [] }), [400, 10026, '/policies']);
  deepEqual(await refusal({ value: 'mine' }), [400, 10026, '/value']);
});

test('Grants let a policy deny what another allows, and read where writing is allowed', async () => {
  const [pro, free] = [control.zone('pro'), control.zone('free')];
  const token = await makeToken(control, {
    groups: ['Firewall Services Write', 'Zone Read'],
    on: ['zone.*'],
    deny: { groups: ['Firewall Services Read'], on: [`zone.${pro}`] },
  });
  const status = async (route: string): Promise<number> => (await control.call(route, token)).status;
  equal(await status(`GET /zones/${free}/filters`), 200);
  equal(await status(`DELETE /zones/${free}/filters`), 200);
  equal(await status(`GET /zones/${pro}/filters`), 403);
  equal(await status(`DELETE /zones/${pro}/filters`), 403);
  equal(await status(`GET /zones/${pro}`), 200);
});

test('Grants understand zones named within an account', async () => {
  const { accountId } = control.control.directory;
  const token = (account: string) =>
    makeToken(control, {
      groups: ['Zone Read'],
      with: {
        policies: [
          {
            effect: 'allow',
            permission_groups: [{ id: groupId('Zone Read') }],
            resources: {
              [resource(`account.${account}`)]: { [resource('zone.*')]: '*' },
              [resource(`zone.${'0'.repeat(32)}`)]: '*',
            },
          },
        ],
      },
    });
  const route = `GET /zones/${control.zone('pro')}`;
  equal((await control.call(route, await token(accountId))).status, 200);
  equal((await control.call(route, await token('*'))).status, 200);
  equal((await control.call(route, await token('1'.repeat(32)))).status, 403);
});

test('a token cannot give more than it has: in permissions, resources, time or addresses', async () => {
  const pro = control.zone('pro');
  const base = { name: 'made by a token' };
  const zonesOf = (on: string[], groups = ['Zone Read']) => ({ policies: [policy('allow', groups, on)] });
  const maker = await makeToken(control, {
    groups: ['API Tokens Write', 'Zone Write', 'Firewall Services Read'],
    deny: { groups: ['Firewall Services Read'], on: [`zone.${control.zone('free')}`] },
  });
  const status = async (body: object, by = maker): Promise<number> =>
    (await control.call('POST /user/tokens', { ...by, body: { ...base, ...body } })).status;
  equal(await status(zonesOf([`zone.${pro}`])), 200);
  equal(await status(zonesOf(['zone.*'], ['Zone Write'])), 200);
  equal(await status(zonesOf([`zone.${pro}`], ['Firewall Services Read'])), 200);
  equal(await status(zonesOf(['zone.*'], ['Firewall Services Read'])), 403);
  equal(await status(zonesOf([`zone.${pro}`], ['Firewall Services Write'])), 403);
  equal(await status(zonesOf([`zone.${pro}`], ['Zone Settings Read'])), 403);

  const expires_on = '2027-01-01T00:00:00Z';
  const bound = { condition: { request_ip: { in: ['127.0.0.1'] } }, expires_on };
  const short = await makeToken(control, { groups: ['API Tokens Write', 'Zone Write'], with: bound });
  equal(await status({ ...zonesOf([`zone.${pro}`]), ...bound }, short), 200);
  equal(
    await status({ ...zonesOf([`zone.${pro}`]), ...bound, expires_on: '2027-01-01T00:00:01Z' }, short),
    403,
  );
  equal(await status({ ...zonesOf([`zone.${pro}`]), condition: bound.condition }, short), 403);
  equal(await status({ ...zonesOf([`zone.${pro}`]), expires_on }, short), 403);
});

test('a token neither rolls nor widens a more powerful one, though it may revoke it', async () => {
  const strong = await makeToken(control, { groups: allNames });
  const weak = await makeToken(control, { groups: ['API Tokens Write'] });
  const strongPath = `/user/tokens/${strong.id}`;
  const roll = await control.call(`PUT ${strongPath}/value`, weak);
  deepEqual([roll.status, roll.errors[0]?.code], [403, 1007]);
  const self = `/user/tokens/${weak.id}`;
  const wider = { name: 'wider', policies: [policy('allow', allNames, everything(control))] };
  equal((await control.call(`PUT ${self}`, { ...weak, body: wider })).status, 403);
  equal((await control.call('GET /zones', strong)).status, 200);
  equal((await control.call(`DELETE ${strongPath}`, weak)).status, 200);
  equal((await control.call('GET /zones', strong)).status, 403);
});

test('accountTokens are of the account: apart from a user, and never one', async () => {
  const { accountId, users } = control.control.directory;
  const tokens = `/accounts/${accountId}/tokens`;
  const body = tokenBody(control, { groups: ['Zone Read', 'User Details Read', 'Account API Tokens Read'] });
  const made = await control.call(`POST ${tokens}`, { body });
  equal(made.status, 200);
  const token = bearer(made.result.value);
  equal(made.result.creator_email_at_creation, users[0]!.email);
  equal((await control.call('GET /zones', token)).status, 200);
  equal((await control.call(`GET ${tokens}/verify`, token)).result.id, made.result.id);
  equal((await control.call('GET /user', token)).status, 403);
  const ids = async (path: string): Promise<string[]> =>
    ((await control.call(`GET ${path}?per_page=50`)).result as { id: string }[]).map(({ id }) => id);
  deepEqual(await ids(tokens), [made.result.id]);
  ok(!(await ids('/user/tokens')).includes(made.result.id));
  equal((await control.call(`GET /user/tokens/${made.result.id}`)).status, 404);
  const rolled = await control.call(`PUT ${tokens}/${made.result.id}/value`);
  equal((await control.call('GET /zones', bearer(rolled.result))).status, 200);
  equal((await control.call(`DELETE ${tokens}/${made.result.id}`)).status, 200);
  equal((await control.call('GET /zones', bearer(rolled.result))).status, 403);
});

test('tokens.listPermissionGroups lists groups by name and scope', async () => {
  const all = await control.call('GET /user/tokens/permission_groups');
  equal(all.result.length, allNames.length + unservedPermissionGroups.size);
  equal(new Set(all.result.map(({ id }: { id: string }) => id)).size, all.result.length);
  const one = await control.call(
    'GET /user/tokens/permission_groups?name=API%20Tokens%20Read&scope=com.cloudflare.api.user',
  );
  deepEqual(one.result, [
    { id: '0cc3a61731504c89b99ec1be78b77aa0', name: 'API Tokens Read', scopes: ['com.cloudflare.api.user'] },
  ]);
});

test('tokens.create accepts groups of products that are not served, and they allow nothing', async () => {
  const groups = (await control.call('GET /user/tokens/permission_groups')).result as {
    id: string;
    name: string;
    scopes: string[];
  }[];
  const named = (name: string) => groups.find((group) => group.name === name)!;
  deepEqual(named('DNS Write').scopes, ['com.cloudflare.api.account.zone']);
  const sent = ['DNS Write', 'Zone Read', 'Cache Purge'].map((name) => ({ id: named(name).id, name }));
  const body = {
    name: 'made by Terraform',
    policies: [
      { effect: 'allow', permission_groups: sent, resources: { [resource('zone.*')]: '*' } },
      {
        effect: 'allow',
        permission_groups: [{ id: named('Workers R2 Storage Bucket Item Read').id }],
        resources: { 'com.cloudflare.edge.r2.bucket.0123_default_logs': '*' },
      },
    ],
  };
  const made = await control.call('POST /user/tokens', { body });
  equal(made.status, 200, JSON.stringify(made.errors));
  deepEqual(made.result.policies[0].permission_groups, sent);
  equal(made.messages[0]!.code, 1012);
  match(made.messages[0]!.message, /DNS Write, Cache Purge, Workers R2 .* allow nothing$/);
  const zone = `/zones/${control.zone('pro')}`;
  equal((await control.call(`GET ${zone}`, bearer(made.result.value))).status, 200);
  equal((await control.call(`GET ${zone}/filters`, bearer(made.result.value))).status, 403);
  // A caller who may create tokens needs nothing more for groups without effect.
  const maker = await makeToken(control, { groups: ['API Tokens Write', 'Zone Read'] });
  const unserved = { ...body, policies: body.policies.slice(0, 1) };
  equal((await control.call('POST /user/tokens', { body: unserved, ...maker })).status, 200);
  const elsewhere = [{ ...body.policies[0], resources: body.policies[1]!.resources }];
  const refused = await control.call('POST /user/tokens', { body: { ...body, policies: elsewhere } });
  deepEqual([refused.status, refused.errors[0]!.code], [400, 1006]);
});

test('tokens.create and tokens.update accept request.ip like request_ip, and return both', async () => {
  const ranges = { in: ['192.0.2.0/24'], not_in: ['192.0.2.7'] };
  const base = tokenBody(control, { groups: ['Zone Read'], on: ['zone.*'] });
  const send = (call: string, condition: object | null) =>
    control.call(call, { body: { ...base, condition } });
  for (const spelling of ['request.ip', 'request_ip']) {
    const made = await send('POST /user/tokens', { [spelling]: ranges });
    equal(made.status, 200, JSON.stringify(made.errors));
    deepEqual(made.result.condition, { request_ip: ranges, 'request.ip': ranges });
    equal((await control.call('GET /zones', bearer(made.result.value))).errors[0]!.code, 9109);
    const path = `/user/tokens/${made.result.id}`;
    // A client changes the spelling it knows and sends the other back.
    const changed = { in: ['127.0.0.0/8'] };
    const put = await send(`PUT ${path}`, { ...made.result.condition, [spelling]: changed });
    deepEqual(put.result.condition, { request_ip: changed, 'request.ip': changed });
    equal((await control.call('GET /zones', bearer(made.result.value))).status, 200);
    const both = await send(`PUT ${path}`, { request_ip: ranges, 'request.ip': { in: ['10.0.0.0/8'] } });
    deepEqual(
      [both.status, both.errors[0]!.code, both.errors[0]!.source],
      [400, 1013, { pointer: '/condition' }],
    );
    deepEqual((await control.call(`GET ${path}`)).result.condition, put.result.condition);
    equal((await send(`PUT ${path}`, null)).result.condition, undefined);
  }
  const wrong = await send('POST /user/tokens', { 'request.ip': { in: ['10.0.0.0/33'] } });
  deepEqual([wrong.errors[0]!.code, wrong.errors[0]!.source?.pointer], [1008, '/condition/request.ip/in/0']);
});

test('tokens survive a restart', async () => {
  const own = await TestControl.open();
  const token = await makeToken(own, { groups: ['Zone Read'], on: ['zone.*'] });
  const again = await own.restart();
  equal(again.control.bootstrapped, undefined);
  equal((await again.call('GET /zones', token)).result.length, 4);
  await again.close();
});

test('tokens.create and tokens.update refuse a token so large that all of them would not fit into memory', async () => {
  const zoneIds = Array.from({ length: 400 }, (_, index) => `zone.${index.toString(16).padStart(32, '0')}`);
  const body = (count: number): object => ({
    name: 'large',
    policies: [policy('allow', ['Zone Read'], zoneIds.slice(0, count))],
  });
  const refused = await control.call('POST /user/tokens', { body: body(400) });
  deepEqual([refused.status, refused.errors[0]?.code], [400, 1011]);
  const made = await control.call('POST /user/tokens', { body: body(200) });
  equal(made.status, 200);
  const grown = await control.call(`PUT /user/tokens/${made.result.id}`, { body: body(400) });
  deepEqual([grown.status, grown.errors[0]?.code], [400, 1011]);
});

test('tokens.get says when a token was used last, also after a restart, without a write to the account', async () => {
  const { id, headers } = await makeToken(control, { groups: ['API Tokens Read', 'Zone Read'] });
  const show = async (): Promise<string | undefined> =>
    (await control.call(`GET /user/tokens/${id}`)).result.last_used_on;
  equal(await show(), undefined);
  const { revision } = control.control.directory;
  await control.call('GET /zones', { headers });
  const first = new Date(control.clock.now()).toISOString().replace('.000', '');
  equal(await show(), first);
  // It is written some minutes later, in a batch.
  await control.clock.advance(10 * 60_000);
  equal(await show(), first);
  await control.call('GET /zones', { headers });
  const last = await show();
  notEqual(last, first);
  const { result: listed } = await control.call('GET /user/tokens', { headers });
  equal(listed.find((token: { id: string }) => token.id === id).last_used_on, last);
  equal(control.control.directory.revision, revision);
  control = await control.restart();
  equal(await show(), last);
});
