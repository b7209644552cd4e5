import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Envelope, TestControl } from './harness.ts';
import { makeToken } from './token-maker.ts';

interface AccountPart {
  answer(call: object): unknown;
}

let control: TestControl;
let account: { readonly id: string };
before(async () => {
  control = await TestControl.open();
  account = { id: control.control.directory.accountId };
});
after(() => control.close());

const create = (name: string, more: object = {}): Promise<Envelope> =>
  control.call('POST /zones', { body: { name, account, ...more } });
const names = async (query: string, options = {}): Promise<string[]> =>
  ((await control.call(`GET /zones${query}`, options)).result as { name: string }[]).map(({ name }) => name);

test('zones.create answers with the whole zone and its normalised name', async () => {
  const made = await create('Bücher.Example', { jump_start: true });
  equal(made.status, 200);
  const at = '2026-01-01T00:00:00.000000Z';
  const named = { id: account.id, name: 'Test' };
  deepEqual(made.result, {
    id: made.result.id,
    name: 'xn--bcher-kva.example',
    status: 'active',
    paused: false,
    type: 'full',
    development_mode: 0,
    name_servers: [],
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    modified_on: at,
    created_on: at,
    activated_on: at,
    meta: { step: 4, custom_certificate_quota: 20, page_rule_quota: 3, phishing_detected: false },
    owner: { id: account.id, type: 'organization', name: 'Test' },
    account: named,
    permissions: [
      '#analytics:read',
      '#waf:edit',
      '#waf:read',
      '#zone:edit',
      '#zone:read',
      '#zone_settings:edit',
      '#zone_settings:read',
    ],
    plan: {
      id: '0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
      name: 'Free Website',
      price: 0,
      currency: 'USD',
      frequency: 'monthly',
      is_subscribed: true,
      can_subscribe: false,
      legacy_id: 'free',
      legacy_discount: false,
      externally_managed: false,
    },
  });
  deepEqual((await control.call(`GET /zones/${made.result.id}`)).result, made.result);
  const again = await create('XN--BCHER-KVA.example');
  deepEqual(again.errors, [
    { code: 1061, message: 'xn--bcher-kva.example already exists', meta: { id: made.result.id } },
  ]);
  equal(again.status, 400);
});

test('zones.create refuses names that are no domains, and accounts that are not this one', async () => {
  const long = `${'a'.repeat(64)}.example`;
  const wrong = [
    'localhost',
    '127.0.0.1',
    '[::1]',
    'a b.example',
    'a/b.example',
    'a%2e.example',
    'http://a.example',
  ];
  for (const name of [
    ...wrong,
    'a.example:80',
    '-a.example',
    'a_b.example',
    'a..example',
    '.example',
    'a.example.',
    long,
  ]) {
    const { status, errors } = await create(name);
    deepEqual([name, status, errors[0]?.code, errors[0]?.source], [name, 400, 1097, { pointer: '/name' }]);
  }
  const other = await create('other.example', { account: { id: '0'.repeat(32) } });
  deepEqual([other.status, other.errors[0]?.code], [404, 1002]);
  deepEqual(await names('?name=other.example'), []);
});

test('zones.list filters, orders and cuts pages', async () => {
  await create('list-a.example');
  await create('list-b.example');
  deepEqual(await names('?name=LIST-A.example'), ['list-a.example']);
  deepEqual(await names('?name=starts_with:list-&direction=desc'), ['list-b.example', 'list-a.example']);
  deepEqual(await names('?name=contains:IST-B'), ['list-b.example']);
  deepEqual(await names('?name=contains_case_sensitive:IST-B'), []);
  deepEqual(await names('?name=list-a.example&status=pending'), []);
  deepEqual(await names('?name=list-a.example&status=pending&match=any'), ['list-a.example']);
  deepEqual(await names(`?name=starts_with:list-&account.id=${account.id}&account.name=test`), [
    'list-a.example',
    'list-b.example',
  ]);
  deepEqual(await names(`?account.id=${'0'.repeat(32)}`), []);
  deepEqual(await names('?name=starts_with:list-&type=partial,secondary'), []);
  const page = await control.call('GET /zones?name=starts_with:list-&per_page=1&page=2');
  deepEqual(
    page.result.map(({ name }: { name: string }) => name),
    ['list-b.example'],
  );
  deepEqual(page.result_info, { page: 2, per_page: 1, count: 1, total_count: 2, total_pages: 2 });
  deepEqual(await names('?page=99'), []);
  equal((await control.call('GET /zones?type=other')).status, 400);
});

test('zones.list shows a token only what it may see', async () => {
  const [pro, free] = [control.zone('pro'), control.zone('free')];
  const both = await makeToken(control, {
    groups: ['Zone Read', 'Firewall Services Read'],
    on: [`zone.${pro}`, `zone.${free}`],
  });
  deepEqual((await names('', both)).toSorted(), ['free.example', 'pro.example']);
  const { result } = await control.call(`GET /zones/${pro}`, both);
  deepEqual(result.permissions, ['#waf:read', '#zone:read']);
  const other = await makeToken(control, { groups: ['Firewall Services Read'], on: [`zone.${pro}`] });
  equal((await control.call('GET /zones', other)).status, 403);
});

test('zones.edit changes one property, as far as the plan goes', async () => {
  const { id } = (await create('edit.example')).result as { id: string };
  const edit = (body: object): Promise<Envelope> => control.call(`PATCH /zones/${id}`, { body });
  equal((await edit({ paused: true })).result.paused, true);
  deepEqual((await edit({ paused: false, type: 'full' })).errors[0]?.code, 1107);
  deepEqual((await edit({})).errors[0]?.code, 1107);
  equal((await control.call(`GET /zones/${id}`)).result.paused, true);
  equal((await edit({ type: 'partial' })).errors[0]?.code, 1108);
  equal((await edit({ vanity_name_servers: ['ns1.edit.example'] })).errors[0]?.code, 1108);
  const grown = await edit({ plan: { id: '94f3b7b768b0458b56d2cac4fe5ec0f9' } });
  deepEqual([grown.result.plan.legacy_id, grown.result.meta.page_rule_quota], ['enterprise', 125]);
  equal((await edit({ type: 'partial' })).result.type, 'partial');
  deepEqual((await edit({ vanity_name_servers: ['ns1.edit.example'] })).result.vanity_name_servers, [
    'ns1.edit.example',
  ]);
  equal((await edit({ plan: { id: 'golden' } })).errors[0]?.code, 1109);
  const shrunk = await edit({ plan: { id: 'free' } });
  deepEqual([shrunk.result.plan.legacy_id, shrunk.messages.length], ['free', 1]);
  const plans = (await control.call(`GET /zones/${id}/available_plans`)).result as {
    legacy_id: string;
    is_subscribed: boolean;
  }[];
  deepEqual(
    plans.map(({ legacy_id, is_subscribed }) => [legacy_id, is_subscribed]),
    [
      ['free', true],
      ['pro', false],
      ['business', false],
      ['enterprise', false],
    ],
  );
});

test('zones.delete removes the zone at once, and its name is free again', async () => {
  const own = await TestControl.open();
  const zone = own.zone('pro');
  await own.call(`POST /zones/${zone}/filters`, { body: [{ expression: 'ip.src eq 192.0.2.1' }] });
  deepEqual((await own.call(`DELETE /zones/${zone}`, { body: {} })).result, { id: zone });
  for (const route of [`GET /zones/${zone}`, `GET /zones/${zone}/filters`, `DELETE /zones/${zone}`]) {
    const { status, errors } = await own.call(route);
    deepEqual([status, errors[0]?.code], [404, 1001]);
  }
  const again = await own.restart();
  deepEqual(again.control.directory.zonesToErase, []);
  const made = await again.call('POST /zones', {
    body: { name: 'pro.example', account: { id: again.control.directory.accountId } },
  });
  equal(made.status, 200);
  deepEqual((await again.call(`GET /zones/${made.result.id}/filters`)).result, []);
  await again.close();
});

test('zones.delete is finished by the next start if the process ends in the middle', async () => {
  const own = await TestControl.open();
  const zone = own.zone('pro');
  // Only the account's part, as if nothing had followed.
  const account = own.control.runtime.namespace<AccountPart>('Account').getByName('account');
  const actor = { kind: 'system', userId: '', email: '', address: '' };
  const input = { path: { zone_id: zone }, query: {}, body: undefined };
  await account.answer({ operation: 'zones.delete', input, actor, requestId: '' });
  const again = await own.restart();
  deepEqual(again.control.directory.zonesToErase, [zone]);
  await again.control.probe();
  deepEqual(again.control.directory.zonesToErase, []);
  await again.close();
});

test('zones.subscribe changes the plan through the billing API', async () => {
  const { id } = (await create('subscribed.example')).result as { id: string };
  const path = `/zones/${id}/subscription`;
  const put = await control.call(`PUT ${path}`, {
    body: { rate_plan: { id: 'business' }, frequency: 'monthly' },
  });
  deepEqual([put.result.rate_plan.id, put.result.zone.id], ['business', id]);
  equal((await control.call(`GET /zones/${id}`)).result.plan.legacy_id, 'business');
  const post = await control.call(`POST ${path}`, { body: { rate_plan: { id: 'pro' } } });
  deepEqual([post.result.rate_plan.public_name, post.messages.length], ['Pro Website', 1]);
  deepEqual((await control.call(`GET ${path}`)).result, post.result);
  const unknown = await control.call(`POST ${path}`, { body: { rate_plan: { id: 'golden' } } });
  deepEqual(unknown.errors[0]?.source, { pointer: '/rate_plan/id' });
  const plan = await control.call(`GET /zones/${id}/available_plans/a577b510288e82b26486fd1df47000ec`);
  deepEqual([plan.result.legacy_id, plan.result.is_subscribed], ['pro', true]);
});
