import { deepEqual, equal, match } from 'node:assert/strict';
import { drive } from './session.ts';

const absentId = 'f'.repeat(32);

const url = (value: string) => [
  { target: 'url' as const, constraint: { operator: 'matches' as const, value } },
];

drive(['pageRules'], {
  'pageRules.create, get, update, edit and delete': async (session) => {
    const { client, namedZone } = session;
    const { zone_id, name } = await namedZone('pro');
    const made = await client.pageRules.create({
      zone_id,
      targets: url(`*${name}/static/*`),
      actions: [{ id: 'waf', value: 'off' }],
    });
    match(made.created_on, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    deepEqual([made.priority, made.status], [1, 'disabled']);
    deepEqual(made.actions, [{ id: 'waf', value: 'off' }]);
    deepEqual(await client.pageRules.get(made.id, { zone_id }), made);
    const edited = await client.pageRules.edit(made.id, { zone_id, status: 'active' });
    deepEqual([edited.status, edited.targets], ['active', made.targets]);
    const updated = await client.pageRules.update(made.id, {
      zone_id,
      targets: url(`${name}/api/*`),
      actions: [{ id: 'disable_security' }],
    });
    deepEqual([updated.status, updated.actions], ['disabled', [{ id: 'disable_security' }]]);
    deepEqual(await client.pageRules.delete(made.id, { zone_id }), { id: made.id });
    await session.refuses(() => client.pageRules.get(made.id, { zone_id }), { status: 400, code: 1002 });
  },

  'pageRules.list is an array and no page, the rule that wins first': async ({ client, namedZone }) => {
    const { zone_id, name } = await namedZone('pro');
    const create = (path: string, priority: number, status: 'active' | 'disabled') =>
      client.pageRules.create({
        zone_id,
        targets: url(`${name}/${path}`),
        actions: [{ id: 'disable_security' }],
        priority,
        status,
      });
    const low = await create('a', 1, 'active');
    const high = await create('b', 2, 'disabled');
    deepEqual(await client.pageRules.list({ zone_id }), [high, low]);
    deepEqual(await client.pageRules.list({ zone_id, order: 'priority', direction: 'asc' }), [low, high]);
    deepEqual(await client.pageRules.list({ zone_id, status: 'active', match: 'all' }), [low]);
  },

  'pageRules refuse what is malformed, taken or too much, with details in messages': async (session) => {
    const { client, call, namedZone } = session;
    const { zone_id, name } = await namedZone('free');
    const create = (path: string, action: 'waf' | 'disable_security' = 'disable_security') =>
      client.pageRules.create({
        zone_id,
        targets: url(path),
        actions: [action === 'waf' ? { id: 'waf', value: 'off' } : { id: action }],
      });
    const [first] = [await create(`${name}/1`), await create(`${name}/2`)];
    const taken = await session.refuses(() => create(`${name}/1`), { status: 400, code: 1004 });
    match(taken, /^Page Rule validation failed: See messages for details/);
    const { body } = await call(`POST /zones/${zone_id}/pagerules`, {
      targets: first.targets,
      actions: first.actions,
    });
    match(body.messages[0].message, /^\.distinctTargetUrl: Your zone already has an existing page rule/);
    await session.refuses(() => create('other.test/*'), { status: 400, code: 1004 });
    await create(`${name}/3`);
    equal(
      (await call(`POST /zones/${zone_id}/pagerules`, { targets: url(`${name}/4`), actions: first.actions }))
        .status,
      400,
    );
    await session.refuses(() => client.pageRules.delete(absentId, { zone_id }), { status: 400, code: 1002 });
  },

  'pageRules.edit leaves what the SDK for Go sends as null': async ({ call, namedZone }) => {
    const { zone_id, name } = await namedZone('pro');
    const rules = `/zones/${zone_id}/pagerules`;
    const { body } = await call(`POST ${rules}`, {
      targets: url(`${name}/a*`),
      actions: [{ id: 'waf', value: 'off' }],
    });
    const edited = await call(`PATCH ${rules}/${body.result.id}`, {
      targets: null,
      actions: null,
      priority: 3,
      status: 'active',
      created_on: '0001-01-01T00:00:00Z',
      modified_on: '0001-01-01T00:00:00Z',
    });
    equal(edited.status, 200, JSON.stringify(edited.body));
    const { targets, actions, priority } = edited.body.result;
    deepEqual([targets, actions, priority], [body.result.targets, body.result.actions, 3]);
  },
});
