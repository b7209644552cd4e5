import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { all, drive } from './session.ts';

const absentId = 'f'.repeat(32);

drive(['zones'], {
  'zones.create, get and delete': async (session) => {
    const { client, account_id } = session;
    const account = { id: account_id };
    const name = 'made-by-the-sdk.example';
    const zone = await client.zones.create({ account, name, type: 'full' });
    match(zone.id, /^[0-9a-f]{32}$/);
    deepEqual([zone.name, zone.status, zone.paused, zone.type], [name, 'active', false, 'full']);
    deepEqual([zone.account.id, zone.development_mode, zone.name_servers], [account_id, 0, []]);
    ok(!Number.isNaN(Date.parse(zone.created_on)) && !Number.isNaN(Date.parse(zone.activated_on!)));
    deepEqual(await client.zones.get({ zone_id: zone.id }), zone);
    await session.refuses(() => client.zones.create({ account, name }), {
      status: 400,
      code: 1061,
      id: zone.id,
    });
    await session.refuses(() => client.zones.create({ account, name: 'nodots' }), {
      status: 400,
      code: 1097,
    });
    deepEqual(await client.zones.delete({ zone_id: zone.id }), { id: zone.id });
    await session.refuses(() => client.zones.get({ zone_id: zone.id }), { status: 404, code: 1001 });
    await session.refuses(() => client.zones.delete({ zone_id: absentId }), { status: 404, code: 1001 });
  },

  'zones.list ends, and finds by everything that the SDK can ask': async (session) => {
    const { client, account_id } = session;
    const names = ['a-list.example', 'b-list.example', 'c-list.example'];
    const made = [];
    for (const name of names) made.push(await client.zones.create({ account: { id: account_id }, name }));
    const zones = await all(client.zones.list({ per_page: 5 }));
    equal(new Set(zones.map(({ id }) => id)).size, zones.length);
    const found = async (query: object): Promise<string[]> =>
      (await all(client.zones.list(query))).map(({ name }) => name);
    deepEqual(await found({ name: 'b-list.example' }), ['b-list.example']);
    deepEqual(
      await found({ name: 'contains:-list.ex', order: 'name', direction: 'desc' }),
      names.toReversed(),
    );
    equal((await found({ account: { id: absentId } })).length, 0);
    equal((await found({ account: { id: account_id }, status: 'active' })).length, zones.length);
    equal((await found({ type: ['partial', 'secondary'], match: 'all' })).length, 0);
    equal((await found({ type: ['full', 'partial'] })).length, zones.length);
    for (const { id } of made) await client.zones.delete({ zone_id: id });
  },

  'zones.edit changes one property': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('business');
    equal((await client.zones.edit({ zone_id, paused: true })).paused, true);
    const servers = ['ns1.example.com', 'ns2.example.com'];
    const edited = await client.zones.edit({ zone_id, vanity_name_servers: servers });
    deepEqual(edited.vanity_name_servers, servers);
    await session.refuses(() => client.zones.edit({ zone_id, paused: false, type: 'full' }), {
      status: 400,
      code: 1107,
    });
    await session.refuses(() => client.zones.edit({ zone_id, type: 'partial' }), {
      status: 400,
      code: 1108,
      pointer: '/type',
    });
  },

  'zones.settings get and edit settings; those that do nothing here keep what they are given': async (
    session,
  ) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    const before = await client.zones.settings.get('waf', { zone_id });
    deepEqual(before, { id: 'waf', value: 'off', editable: true, modified_on: null });
    const after = await client.zones.settings.edit('waf', { zone_id, value: 'on' });
    ok('value' in after && after.value === 'on');
    deepEqual(await client.zones.settings.get('waf', { zone_id }), after);
    await session.refuses(() => client.zones.settings.edit('waf', { zone_id, value: 'maybe' }), {
      status: 400,
      code: 1007,
    });
    // The SDK also has settings that are `enabled` instead of having a value; none of them is here.
    await session.refuses(() => client.zones.settings.edit('waf', { zone_id, enabled: true }), {
      status: 400,
      code: 10026,
      pointer: '/enabled',
    });
    const polish = await client.zones.settings.get('polish', { zone_id });
    deepEqual(polish, { id: 'polish', value: 'off', editable: true, modified_on: null });
    const nel = await client.zones.nel.get({ zone_id });
    deepEqual(nel.value, { enabled: false });
    deepEqual(await client.zones.nel.edit({ zone_id, value: { enabled: false } }), nel);
    // It has no effect here, and is stored.
    deepEqual((await client.zones.nel.edit({ zone_id, value: { enabled: true } })).value, { enabled: true });
    deepEqual((await client.zones.nel.get({ zone_id })).value, { enabled: true });
    const { transformationsAllowedOrigins: origins } = client.zones;
    const { value } = await origins.get({ zone_id });
    deepEqual((await origins.edit({ zone_id, value: value! })).value, value);
    equal((await origins.edit({ zone_id, value: 'other.example' })).value, 'other.example');
    await session.refuses(() => client.zones.settings.get('polished', { zone_id }), {
      status: 400,
      code: 1006,
    });
  },

  'zones.plans and zones.subscriptions show and change the plan': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('free');
    const plans = (await client.zones.plans.list({ zone_id })).result;
    deepEqual(
      plans.map(({ legacy_id, is_subscribed }) => `${legacy_id} ${is_subscribed}`),
      ['free true', 'pro false', 'business false', 'enterprise false'],
    );
    deepEqual(await client.zones.plans.get(plans[1]!.id!, { zone_id }), plans[1]);
    const { subscriptions } = client.zones;
    equal((await subscriptions.get({ zone_id })).rate_plan?.id, 'free');
    const created = await subscriptions.create({
      zone_id,
      rate_plan: { id: 'enterprise' },
      frequency: 'monthly',
    });
    equal(created.rate_plan?.id, 'enterprise');
    const updated = await subscriptions.update({ zone_id, rate_plan: { id: 'business' } });
    deepEqual(updated, await subscriptions.get({ zone_id }));
    equal((await client.zones.get({ zone_id })).plan.legacy_id, 'business');
    await session.refuses(() => subscriptions.update({ zone_id, rate_plan: { id: 'partners_pro' } }), {
      status: 400,
      code: 1109,
      pointer: '/rate_plan/id',
    });
  },

  'zones.edit has a property plan, which only older clients send': async ({ call, zone }) => {
    const zone_id = await zone('pro');
    const { body } = await call(`PATCH /zones/${zone_id}`, {
      plan: { id: '0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee' },
    });
    equal(body.result.plan.legacy_id, 'free');
    equal(body.messages[0].code, 1111);
  },

  'zones follow the SDK for Go and Terraform 4: an organization, and plans as billing calls them': async ({
    call,
    account_id,
  }) => {
    const organization = { id: account_id, name: '', type: '', created_on: '0001-01-01T00:00:00Z' };
    const created = await call('POST /zones', {
      name: 'made-by-terraform.example',
      jump_start: false,
      type: 'full',
      organization,
    });
    equal(created.status, 200, JSON.stringify(created.body));
    const zone = `/zones/${created.body.result.id}`;
    const plans = {
      CF_PRO: 'Pro',
      CF_PRO_20_20: 'Pro',
      CF_BIZ: 'Business',
      CF_ENT: 'Enterprise',
      CF_FREE: 'Free',
    };
    for (const [id, name] of Object.entries(plans)) {
      equal((await call(`PUT ${zone}/subscription`, { rate_plan: { id } })).status, 200);
      // The provider waits until it reads this.
      equal((await call(`GET ${zone}`)).body.result.plan.name, `${name} Website`);
    }
    equal((await call(`PATCH ${zone}`, { type: 'full' })).status, 200);
    equal((await call(`DELETE ${zone}`)).status, 200);
    const other = await call('POST /zones', { name: 'x.example', organization: { id: absentId } });
    deepEqual([other.status, other.body.errors[0].source], [404, { pointer: '/organization/id' }]);
  },
});
