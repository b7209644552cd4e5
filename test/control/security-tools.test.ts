/** IP access rules, zone lockdown and user agent rules through the API. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Envelope, TestControl } from './harness.ts';
import { makeToken, tokenBody } from './token-maker.ts';

const absent = '0'.repeat(32);

let control: TestControl;
let roots: Readonly<Record<'zone' | 'account' | 'user', string>>;
before(async () => {
  control = await TestControl.open();
  roots = {
    zone: `/zones/${control.zone('enterprise')}`,
    account: `/accounts/${accountId()}`,
    user: '/user',
  };
});
after(() => control.close());

function accountId(): string {
  return control.control.directory.accountId;
}

const rules = 'firewall/access_rules/rules';

function ban(root: string, target: string, value: string, more: object = {}): Promise<Envelope> {
  const body = { mode: 'block', configuration: { target, value }, ...more };
  return control.call(`POST ${root}/${rules}`, { body });
}

const shown = ({ configuration, mode, notes }: Record<string, unknown>) => [configuration, mode, notes];

test('access rules of a zone, the account and a user are created, found, changed and deleted, each by itself', async () => {
  const scopes = { zone: 'zone', account: 'organization', user: 'user' } as const;
  for (const [name, root] of Object.entries(roots)) {
    const { status, result } = await ban(root, 'ip', '192.0.2.1', { notes: 'Fail2Ban sshd' });
    equal(status, 200);
    deepEqual(Object.keys(result), [
      'id',
      'modified_on',
      'allowed_modes',
      'mode',
      'notes',
      'configuration',
      'scope',
      'created_on',
    ]);
    equal(result.scope.type, scopes[name as keyof typeof scopes]);
    const path = `${root}/${rules}/${result.id}`;
    deepEqual((await control.call(`GET ${path}`)).result, result);
    const edited = await control.call(`PATCH ${path}`, { body: { mode: 'managed_challenge' } });
    deepEqual(shown(edited.result), [
      { target: 'ip', value: '192.0.2.1' },
      'managed_challenge',
      'Fail2Ban sshd',
    ]);
    // The query of fail2ban before it lifts a ban, with the older names.
    const query =
      'mode=managed_challenge&configuration_target=ip&configuration_value=192.0.2.1&notes=fail2ban&match=all';
    const found = await control.call(`GET ${root}/${rules}?${query}&page=1&per_page=1`);
    deepEqual([found.result.length, found.result_info?.['total_count']], [1, 1]);
    for (const other of Object.values(roots).filter((each) => each !== root)) {
      const elsewhere = await control.call(`GET ${other}/${rules}/${result.id}`);
      deepEqual([elsewhere.status, elsewhere.errors[0]!.code], [404, 10001]);
    }
    const deleted = await control.call(`DELETE ${path}`, { body: { cascade: 'none' } });
    deepEqual(deleted.result, { id: result.id });
    equal((await control.call(`DELETE ${path}`)).status, 404);
  }
  const { result: lines } = await control.call(`GET ${roots.account}/audit_logs?per_page=1000`);
  const actions = (lines as { resource: { type: string }; action: { type: string } }[])
    .filter(({ resource }) => resource.type === 'access_rule')
    .map(({ action }) => action.type);
  equal(actions.length, 9);
});

test('accessRules.create writes values as Cloudflare does, and refuses those that the target cannot have', async () => {
  const taken = [
    ['ip', '203.0.113.9', '203.0.113.9'],
    ['ip6', '2001:db8::9', '2001:db8::9'],
    ['ip_range', '198.51.100.77/24', '198.51.100.0/24'],
    ['ip_range', '2001:db8:1::/48', '2001:db8:1::/48'],
    ['asn', '64500', 'AS64500'],
    ['asn', 'as64501', 'AS64501'],
    ['country', 'nz', 'NZ'],
    ['country', 't1', 'T1'],
  ] as const;
  for (const [target, sent, value] of taken) {
    const { result } = await ban(roots.zone, target, sent);
    deepEqual(result.configuration, { target, value });
  }
  const refused = [
    ['ip', '192.0.2.0/24', /use ip_range/],
    ['ip6', '192.0.2.7', /IPv6/],
    ['ip_range', '192.0.2.0/25', /\/24, \/16/],
    ['ip_range', '2001:db8::/56', /\/64, \/48, \/32/],
    ['ip_range', '192.0.2.1', /must be a network/],
    ['asn', 'AS0', /AS64500/],
    ['asn', '4294967296', /AS64500/],
    ['country', 'Germany', /two letters/],
  ] as const;
  for (const [target, value, reason] of refused) {
    const { status, errors } = await ban(roots.zone, target, value);
    deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [400, 10018, '/configuration/value']);
    match(errors[0]!.message, reason);
  }
  equal((await ban(roots.zone, 'host', 'a.example')).errors[0]!.code, 10026);
});

test('a second access rule about the same is refused in the words that clients know, with the id of the first', async () => {
  const { result } = await ban(roots.account, 'ip6', '2001:DB8:0::77');
  const again = await ban(roots.account, 'ip', '2001:db8::77', { mode: 'whitelist' });
  deepEqual(
    [again.status, again.errors[0]!.code, again.errors[0]!.message, again.errors[0]!.meta?.id],
    [400, 10009, 'firewallaccessrules.api.duplicate_of_existing', result.id],
  );
  equal((await ban(roots.user, 'ip', '2001:db8::77')).status, 200);
});

test('accessRules.edit changes no target, and takes the whole rule back as the SDK for Go sends it', async () => {
  const { result } = await ban(roots.zone, 'asn', '64511', { notes: 'n' });
  const path = `${roots.zone}/${rules}/${result.id}`;
  const whole = {
    ...result,
    mode: 'js_challenge',
    scope: {},
    created_on: '0001-01-01T00:00:00Z',
    configuration: { target: 'asn', value: '64511' },
  };
  equal((await control.call(`PATCH ${path}`, { body: whole })).result.mode, 'js_challenge');
  const moved = await control.call(`PATCH ${path}`, {
    body: { configuration: { target: 'asn', value: '64512' } },
  });
  deepEqual([moved.status, moved.errors[0]!.code], [400, 10020]);
});

test('accessRules.list finds by any condition, sorts, and counts pages', async () => {
  const root = `/zones/${control.zone('business')}`;
  await ban(root, 'ip', '192.0.2.3', { notes: 'b' });
  await ban(root, 'asn', '64500', { notes: 'a', mode: 'challenge' });
  await ban(root, 'ip', '192.0.2.1', { notes: 'c', mode: 'whitelist' });
  const list = async (query: string): Promise<string[]> =>
    (await control.call(`GET ${root}/${rules}?${query}`)).result.map(({ notes }: { notes: string }) => notes);
  deepEqual(await list(''), ['c', 'a', 'b']);
  deepEqual(await list('order=configuration.value&direction=desc'), ['a', 'b', 'c']);
  deepEqual(await list('configuration.target=ip&mode=block'), ['b']);
  deepEqual(await list('configuration.target=asn&mode=block&match=any&order=mode'), ['b', 'a']);
  deepEqual(await list('page=2&per_page=2'), ['b']);
  deepEqual(await list('configuration.value=as64500'), ['a']);
});

test('blocking a country needs the Enterprise plan', async () => {
  const root = `/zones/${control.zone('pro')}`;
  const refused = await ban(root, 'country', 'NZ');
  deepEqual([refused.status, refused.errors[0]!.code], [400, 10010]);
  const { result } = await ban(root, 'country', 'NZ', { mode: 'challenge' });
  equal(result.allowed_modes.includes('block'), false);
  const edited = await control.call(`PATCH ${root}/${rules}/${result.id}`, { body: { mode: 'block' } });
  equal(edited.errors[0]!.code, 10010);
});

test('access rules of a user are not for tokens of the account, and those of the account need its permission', async () => {
  const owned = { groups: ['Account Firewall Access Rules Write'], on: [`account.${accountId()}`] };
  const made = await control.call(`POST ${roots.account}/tokens`, { body: tokenBody(control, owned) });
  const ofAccount = { authorization: `Bearer ${made.result.value}` };
  equal((await control.call(`GET ${roots.account}/${rules}`, { headers: ofAccount })).status, 200);
  equal((await control.call(`GET ${roots.user}/${rules}`, { headers: ofAccount })).status, 403);
  const { headers: ofZones } = await makeToken(control, { groups: ['Firewall Services Write'] });
  equal((await control.call(`GET ${roots.zone}/${rules}`, { headers: ofZones })).status, 200);
  for (const root of [roots.account, roots.user])
    equal((await control.call(`GET ${root}/${rules}`, { headers: ofZones })).status, 403);
});

test('lockdowns are created, listed in the order in which they are asked, replaced and deleted', async () => {
  const root = `${roots.zone}/firewall/lockdowns`;
  const create = (urls: readonly string[], more: object = {}): Promise<Envelope> =>
    control.call(`POST ${root}`, {
      body: { urls, configurations: [{ target: 'ip', value: '192.0.2.1' }], ...more },
    });
  const { result: last } = await create(['enterprise.example/a/*'], { description: 'A' });
  deepEqual(Object.entries(last), [
    ['id', last.id],
    ['paused', false],
    ['description', 'A'],
    ['urls', ['enterprise.example/a/*']],
    ['configurations', [{ target: 'ip', value: '192.0.2.1' }]],
    ['created_on', last.created_on],
    ['modified_on', last.modified_on],
  ]);
  const { result: second } = await create(['*.enterprise.example/b'], { priority: 5, description: 'B' });
  const { result: first } = await create(['*/c'], {
    priority: 1,
    configurations: [{ target: 'ip_range', value: '2001:db8::/33' }],
  });
  const list = async (query: string): Promise<string[]> =>
    (await control.call(`GET ${root}${query}`)).result.map(({ id }: { id: string }) => id);
  deepEqual(await list(''), [first.id, second.id, last.id]);
  deepEqual(await list('?description_search=b'), [second.id]);
  deepEqual(await list('?ip_range_search=2001:db8::/33'), [first.id]);
  deepEqual(await list('?uri_search=/a/'), [last.id]);
  const same = await create(['ENTERPRISE.example/a/*']);
  deepEqual([same.errors[0]!.code, same.errors[0]!.meta?.id], [10009, last.id]);
  const changed = await control.call(`PUT ${root}/${last.id}`, {
    body: { ...last, paused: true, priority: 2, urls: ['enterprise.example/d'] },
  });
  deepEqual(
    [changed.result.paused, changed.result.priority, changed.result.urls],
    [true, 2, ['enterprise.example/d']],
  );
  deepEqual((await control.call(`GET ${root}/${last.id}`)).result, changed.result);
  deepEqual((await control.call(`DELETE ${root}/${last.id}`)).result, { id: last.id });
  deepEqual([(await control.call(`GET ${root}/${last.id}`)).errors[0]!.code], [10001]);
  const bad = [
    [{ urls: ['other.example/*'] }, '/urls/0'],
    [{ urls: ['enterprise.example/e', 'ftp://enterprise.example/'] }, '/urls/1'],
    [{ configurations: [{ target: 'ip', value: '192.0.2.0/24' }] }, '/configurations/0/value'],
    [{ configurations: [{ target: 'ip_range', value: '192.0.2.1' }] }, '/configurations/0/value'],
  ] as const;
  for (const [more, pointer] of bad) {
    const { status, errors } = await create(['enterprise.example/f'], more);
    deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [400, 10018, pointer]);
  }
});

test('the plan of a zone says how many lockdowns and user agent rules it has', async () => {
  const root = (plan: 'free' | 'pro'): string => `/zones/${control.zone(plan)}/firewall`;
  const lock = (plan: 'free' | 'pro', path: string): Promise<Envelope> =>
    control.call(`POST ${root(plan)}/lockdowns`, {
      body: { urls: [`*/${path}`], configurations: [{ target: 'ip', value: '192.0.2.1' }] },
    });
  equal((await lock('free', 'a')).errors[0]!.code, 10011);
  for (const path of ['a', 'b', 'c']) equal((await lock('pro', path)).status, 200);
  equal((await lock('pro', 'd')).errors[0]!.code, 10011);
  const block = (index: number): Promise<Envelope> =>
    control.call(`POST ${root('free')}/ua_rules`, {
      body: { mode: 'block', configuration: { target: 'ua', value: `Bot/${index}` } },
    });
  for (let index = 0; index < 10; index++) equal((await block(index)).status, 200);
  equal((await block(10)).errors[0]!.code, 10011);
});

test('userAgentRules are created, found, replaced and deleted; two cannot be about the same', async () => {
  const root = `${roots.zone}/firewall/ua_rules`;
  const body = {
    mode: 'block',
    configuration: { target: 'ua', value: 'BadBot/1.0.2 (+http://bad.bot)' },
    description: 'Bad bot',
  };
  const { result } = await control.call(`POST ${root}`, { body });
  deepEqual(Object.entries(result), [
    ['id', result.id],
    ['paused', false],
    ['description', 'Bad bot'],
    ['mode', 'block'],
    ['configuration', body.configuration],
  ]);
  const again = await control.call(`POST ${root}`, { body: { ...body, mode: 'challenge' } });
  deepEqual([again.status, again.errors[0]!.code, again.errors[0]!.meta?.id], [400, 10009, result.id]);
  const path = `${root}/${result.id}`;
  const changed = await control.call(`PUT ${path}`, {
    body: { ...body, mode: 'js_challenge', paused: true },
  });
  deepEqual([changed.result.mode, changed.result.paused], ['js_challenge', true]);
  for (const query of ['?user_agent=badbot', '?ua_search=BAD', '?paused=true', '?description=bot'])
    equal((await control.call(`GET ${root}${query}`)).result.length, 1, query);
  equal((await control.call(`GET ${root}?paused=false`)).result.length, 0);
  equal((await control.call(`POST ${root}`, { body: { ...body, mode: 'whitelist' } })).status, 400);
  deepEqual((await control.call(`DELETE ${path}`)).result, { id: result.id });
  equal((await control.call(`GET ${path}`)).errors[0]!.code, 10001);
  equal((await control.call(`PUT ${root}/${absent}`, { body })).status, 404);
});

test('a bundle has the security tools of a zone, and brings them to another one, with its name', async () => {
  const [from, to] = [`/zones/${control.zone('business')}`, `/zones/${control.zone('enterprise')}`];
  const lock = { urls: ['*.business.example/x'], configurations: [{ target: 'ip', value: '192.0.2.1' }] };
  await control.call(`POST ${from}/firewall/lockdowns`, { body: lock });
  const agent = { mode: 'block', configuration: { target: 'ua', value: 'Bundled/1' } };
  await control.call(`POST ${from}/firewall/ua_rules`, { body: agent });
  const { result: bundle } = await control.call(`GET ${from}/export`);
  const { security_tools } = bundle;
  deepEqual(
    Object.entries(security_tools).map(([kind, items]) => [kind, (items as unknown[]).length]),
    [
      ['access_rules', 3],
      ['lockdowns', 1],
      ['user_agent_rules', 1],
    ],
  );
  const { format, version, zone } = bundle;
  const body = { format, version, zone, security_tools };
  const bring = async (mode: string) =>
    (await control.call(`POST ${to}/import?mode=${mode}`, { body })).result.changes;
  const first = await bring('replace');
  deepEqual([first.access_rules.added, first.lockdowns.added], [3, 1]);
  const kept = { added: 0, changed: 0, removed: 0 };
  deepEqual(await bring('replace'), {
    access_rules: { ...kept, kept: 3 },
    lockdowns: { ...kept, kept: 1 },
    user_agent_rules: { ...kept, kept: 1 },
  });
  const { result: locked } = await control.call(`GET ${to}/firewall/lockdowns`);
  deepEqual(locked[0].urls, ['*.enterprise.example/x']);
  await ban(to, 'ip', '198.51.100.99');
  equal((await bring('merge')).access_rules.removed, 0);
  equal((await bring('replace')).access_rules.removed, 1);
});

test('security tools outlive a restart', async () => {
  const { result } = await ban(roots.zone, 'ip', '192.0.2.200');
  const again = await control.restart();
  control = again;
  const { result: found } = await control.call(`GET ${roots.zone}/${rules}/${result.id}`);
  deepEqual(found, result);
});
