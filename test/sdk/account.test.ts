import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { permissionGroups, unservedPermissionGroups } from '#contract';
import { all, drive, type Session } from './session.ts';

const absentId = 'f'.repeat(32);

/** One policy: these groups on these resources. */
const policies = (groups: readonly (keyof typeof permissionGroups)[], resource: string) => [
  {
    effect: 'allow' as const,
    permission_groups: groups.map((name) => ({ id: permissionGroups[name].id })),
    resources: { [`com.cloudflare.api.${resource}`]: '*' },
  },
];

const groupsCount = Object.keys(permissionGroups).length + unservedPermissionGroups.size;

const isToken = ({ client }: Session): boolean => client.apiToken !== null;

drive(['user', 'accounts', 'memberships', 'auditLogs'], {
  'user.get, accounts.list and get, and memberships.list know the owner and the account': async (session) => {
    const { client, account_id, ready } = session;
    const user = (await client.user.get()) as { id: string; email: string };
    match(user.id, /^[0-9a-f]{32}$/);
    equal(user.email, ready.email);
    const [account, ...others] = await all(client.accounts.list({ per_page: 5, direction: 'asc' }));
    deepEqual([account!.id, others], [account_id, []]);
    deepEqual(await all(client.accounts.list({ name: account!.name })), [account]);
    deepEqual(await client.accounts.get({ account_id }), account);
    const [membership, ...more] = await all(client.memberships.list({ account: { name: account!.name } }));
    deepEqual([membership!.account!.id, membership!.status, more], [account_id, 'accepted', []]);
    await session.refuses(() => client.accounts.get({ account_id: absentId }), { status: 404, code: 1002 });
  },

  'accounts.members and roles are lists of one, and user.auditLogs has what the user changed': async (
    session,
  ) => {
    const { client, account_id } = session;
    const [member, ...others] = await all(client.accounts.members.list({ account_id }));
    deepEqual([member!.status, others], ['accepted', []]);
    deepEqual(await client.accounts.members.get(member!.id!, { account_id }), member);
    const [role, ...more] = await all(client.accounts.roles.list({ account_id }));
    deepEqual([role, more], [member!.roles![0], []]);
    deepEqual(await client.accounts.roles.get(role!.id, { account_id }), role);
    const refused = { status: 404, code: 10930 };
    await session.refuses(() => client.accounts.members.get(absentId, { account_id }), refused);
    await session.refuses(() => client.accounts.roles.get(absentId, { account_id }), refused);
    const changes = await all(client.user.auditLogs.list());
    ok(changes.every(({ actor }) => actor?.email === member!.user!.email));
  },

  'user.tokens are created, read, replaced, rolled and deleted; their value is shown once': async (
    session,
  ) => {
    const { client, zone, clientWith } = session;
    const zone_id = await zone('pro');
    const { tokens } = client.user;
    const wanted = {
      name: 'reader',
      policies: policies(['firewallServicesRead'], `account.zone.${zone_id}`),
    };
    const { value, ...made } = await tokens.create({ ...wanted, expires_on: '2099-01-01T00:00:00Z' });
    match(value!, /^[\w-]{40}$/);
    deepEqual([made.name, made.status, made.expires_on], ['reader', 'active', '2099-01-01T00:00:00Z']);
    deepEqual(await tokens.get(made.id!), made);

    const reader = clientWith({ apiToken: value! });
    deepEqual(await all(reader.filters.list({ zone_id })), []);
    await session.refuses(() => reader.filters.create({ zone_id, body: [{ expression: 'ssl' }] }), {
      status: 403,
      code: 10000,
    });
    await session.refuses(() => reader.zones.get({ zone_id }), { status: 403, code: 10000 });

    const rolled = await tokens.value.update(made.id!);
    await session.refuses(() => reader.filters.list({ zone_id }), { status: 403, code: 9109 });
    const again = clientWith({ apiToken: rolled });
    deepEqual(await all(again.filters.list({ zone_id })), []);

    const updated = await tokens.update(made.id!, { ...wanted, status: 'disabled' });
    deepEqual([updated.status, updated.expires_on], ['disabled', undefined]);
    await session.refuses(() => again.filters.list({ zone_id }), { status: 403, code: 9109 });
    // Its holder may still ask why it does not work.
    deepEqual(await again.user.tokens.verify(), { id: made.id, status: 'disabled' });
    deepEqual(await tokens.delete(made.id!), { id: made.id });
    await session.refuses(() => tokens.get(made.id!), { status: 404, code: 1003 });
    await session.refuses(() => again.user.tokens.verify(), { status: 401, code: 1000 });
  },

  'user.tokens.list ends, and verify describes the token and refuses a key': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    const { tokens } = client.user;
    const made = [];
    for (let count = 0; count < 6; count++) {
      made.push(
        await tokens.create({
          name: `token ${count}`,
          policies: policies(['zoneRead'], `account.zone.${zone_id}`),
        }),
      );
    }
    const listed = await all(tokens.list({ per_page: 5, direction: 'asc' }));
    const ids = listed.map(({ id }) => id);
    ok(made.every(({ id }) => ids.includes(id)));
    equal(new Set(ids).size, ids.length);
    ok(listed.every((token) => !('value' in token)));
    if (isToken(session)) equal((await tokens.verify()).status, 'active');
    else await session.refuses(() => tokens.verify(), { status: 401, code: 1000 });
    for (const { id } of made) await tokens.delete(id!);
  },

  'user.tokens.permissionGroups.list has every group, and finds by name and scope': async ({ client }) => {
    const { permissionGroups: groups } = client.user.tokens;
    equal((await all(groups.list())).length, groupsCount);
    const [found] = await all(
      groups.list({ name: 'Zone WAF Write', scope: 'com.cloudflare.api.account.zone' }),
    );
    deepEqual(found, {
      id: permissionGroups.zoneWafWrite.id,
      name: 'Zone WAF Write',
      scopes: ['com.cloudflare.api.account.zone'],
    });
  },

  'accounts.tokens are of the account, with the same operations': async (session) => {
    const { client, account_id, clientWith } = session;
    const { tokens } = client.accounts;
    const wanted = {
      account_id,
      name: 'pipeline',
      policies: policies(['ruleListsWrite'], `account.${account_id}`),
    };
    const { value, ...made } = await tokens.create(wanted);
    deepEqual(await tokens.get(made.id!, { account_id }), made);
    deepEqual(
      (await all(tokens.list({ account_id, per_page: 5 }))).map(({ id }) => id),
      [made.id],
    );
    const pipeline = clientWith({ apiToken: value! });
    deepEqual(await all(pipeline.rules.lists.list({ account_id })), []);
    equal((await pipeline.accounts.tokens.verify({ account_id })).id, made.id);
    // It has no owner.
    await session.refuses(() => pipeline.user.get(), { status: 403, code: 10000 });
    const rolled = await tokens.value.update(made.id!, { account_id });
    equal((await clientWith({ apiToken: rolled }).accounts.tokens.verify({ account_id })).status, 'active');
    const updated = await tokens.update(made.id!, {
      ...wanted,
      name: 'other',
      condition: { request_ip: { in: ['192.0.2.0/24'] } },
    });
    deepEqual([updated.name, updated.condition?.request_ip], ['other', { in: ['192.0.2.0/24'] }]);
    await session.refuses(() => clientWith({ apiToken: rolled }).rules.lists.list({ account_id }), {
      status: 403,
      code: 9109,
    });
    equal((await tokens.permissionGroups.get({ account_id })).length, groupsCount);
    equal((await all(tokens.permissionGroups.list({ account_id, name: 'Zone Read' }))).length, 1);
    deepEqual(await tokens.delete(made.id!, { account_id }), { id: made.id });
  },

  'auditLogs.list ends, and tells who changed what': async (session) => {
    const { client, account_id, namedZone, ready } = session;
    const { zone_id, name } = await namedZone('pro');
    const since = new Date(Date.now() - 60_000).toISOString();
    const { result } = await client.filters.create({ zone_id, body: [{ expression: 'ssl' }] });
    await client.filters.delete(result[0]!.id!, { zone_id });
    const entries = await all(client.auditLogs.list({ account_id, zone: { name }, since, per_page: 1 }));
    const filters = entries.filter(({ resource }) => resource?.type === 'filter');
    deepEqual(
      filters.map(({ action }) => action?.type),
      ['delete', 'add'],
    );
    deepEqual([filters[0]!.actor?.email, filters[0]!.resource?.id], [ready.email, result[0]!.id]);
    deepEqual(
      (await all(client.auditLogs.list({ account_id, zone: { name }, action: { type: 'delete' } }))).length,
      1,
    );
    deepEqual(
      await all(client.auditLogs.list({ account_id, zone: { name }, actor: { email: 'x@y.z' } })),
      [],
    );
  },
});
