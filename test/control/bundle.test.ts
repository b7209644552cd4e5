import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { legacyGroups, legacyRules } from '#managed';
import { type Plan, plans } from '#rulesets';
import { type Envelope, TestControl } from './harness.ts';
import { execute, managedId, MigratingZone, scores, signatures } from './migrating-zone.ts';
import { makeToken } from './token-maker.ts';

let control: TestControl;
let zone: MigratingZone;
beforeEach(async () => {
  control = await TestControl.open();
  zone = new MigratingZone(control, 'enterprise');
});
afterEach(() => control.close());

/** One of everything. */
async function furnish(): Promise<void> {
  const lists = `/accounts/${control.control.directory.accountId}/rules/lists`;
  for (const name of ['office', 'unused']) {
    equal((await control.call(`POST ${lists}`, { body: { name, kind: 'ip' } })).status, 200);
  }
  await zone.setWaf('on');
  await zone.do('POST /filters', [
    { expression: 'ip.src in $office', description: 'the office', ref: 'OFF-1' },
    { expression: 'http.request.uri.path eq "/unused"', paused: true },
  ]);
  await zone.bypass('http.host eq "api"', { description: 'inline', priority: 3 });
  const { result: filters } = await zone.do('GET /filters?ref=OFF-1');
  await zone.do('POST /firewall/rules', [
    { filter: { id: filters[0].id }, action: 'allow', ref: 'A', paused: true },
    { filter: { id: filters[0].id }, action: 'block' },
  ]);
  await zone.page('/a*', 'off', { priority: 2 });
  await zone.page('/b*', 'on', { priority: 2, status: 'disabled' });
  await zone.page('/c*', undefined, { priority: 2 });
  const [group] = legacyGroups.values();
  const [rule] = legacyRules.values();
  await zone.do(`PATCH /firewall/waf/packages/${scores}`, { sensitivity: 'low', action_mode: 'simulate' });
  await zone.do(`PATCH /firewall/waf/packages/${signatures}/groups/${group!.id}`, { mode: 'off' });
  // The default, chosen.
  await zone.do(`PATCH /firewall/waf/packages/${signatures}/rules/${rule!.id}`, { mode: rule!.defaultMode });
  await zone.do('POST /firewall/waf/overrides', {
    urls: [`*.${zone.name}/x*`, `https://${zone.name}:8443/`],
    groups: { [group!.id]: 'disable' },
    priority: -1,
  });
  await zone.put('', { rules: [execute(managedId, { ref: 'mine' })] });
  await zone.do('PUT /rulesets/phases/http_request_firewall_custom/entrypoint', {
    description: 'custom',
    rules: [{ action: 'block', expression: 'ip.src in $office', description: 'second list' }],
  });
  await zone.do('PUT /rulesets/phases/http_ratelimit/entrypoint', { rules: [] });
  await zone.do('PUT /edge', { origin: { url: 'https://origin.test' }, over_inspection_limit: 'block' });
  await zone.do('PUT /url_normalization', { type: 'rfc3986', scope: 'both' });
}

async function emptyZone(plan: Plan, name: string): Promise<MigratingZone> {
  const account = { id: control.control.directory.accountId };
  const { status, result } = await control.call('POST /zones', { body: { name, account } });
  equal(status, 200);
  const body = { plan: { legacy_id: plan } };
  equal((await control.call(`PATCH /zones/${result.id}`, { body })).status, 200);
  return new MigratingZone(control, plan, result.id);
}

/** Without ids. */
function essence(bundle: Envelope['result']): unknown {
  const { zone: exported, ...parts } = bundle;
  const names = new Map<string, string>();
  for (const { id, expression } of bundle.firewall.filters) names.set(id, `filter of ${expression}`);
  const text = JSON.stringify(parts, (key, value) => {
    if (key !== 'id' || typeof value !== 'string') return value;
    return names.get(value) ?? (value.length === 32 && !knownIds.has(value) ? 'an id' : value);
  });
  return JSON.parse(text.replaceAll(exported.name, 'zone.example'));
}
const knownIds = new Set([managedId]);

async function changesOf(target: MigratingZone, mode: string, body: unknown): Promise<Envelope> {
  return target.do(`POST /import?mode=${mode}`, body);
}

test('bundle.export has every part of a zone, and what it needs of the account by name', async () => {
  await furnish();
  const { result, messages } = await zone.do('GET /export');
  deepEqual(Object.keys(result), [
    'format',
    'version',
    'zone',
    'migration',
    'lists',
    'settings',
    'edge',
    'url_normalization',
    'zone_settings',
    'page_rules',
    'previous',
    'firewall',
    'rulesets',
  ]);
  deepEqual(result.zone, { id: zone.id, name: zone.name, plan: 'enterprise' });
  deepEqual(result.migration, { migration_state: 'start' });
  deepEqual(result.lists, [{ name: 'office', kind: 'ip' }]);
  deepEqual(result.edge, {
    origin: { url: 'https://origin.test', verify_tls: true },
    over_inspection_limit: 'block',
    forwarded_fields: [],
    response_rules: 'off',
    unconfirmed_scores: 'act',
    learning: 'off',
  });
  deepEqual(result.url_normalization, { type: 'rfc3986', scope: 'both' });
  deepEqual([result.firewall.filters.length, result.firewall.rules.length], [3, 3]);
  deepEqual(
    result.rulesets.map(({ phase }: { phase: string }) => phase),
    ['http_request_firewall_managed', 'http_request_firewall_custom', 'http_ratelimit'],
  );
  deepEqual(messages, []);
});

test('bundle.import into an empty zone of the plan makes the same zone, whatever it is called', async () => {
  await furnish();
  const { result: original } = await zone.do('GET /export');
  for (const mode of ['merge', 'replace']) {
    const copy = await emptyZone('enterprise', `${mode}.test`);
    // Single settings are for an import that replaces.
    if (mode === 'merge') await copy.setWaf('on');
    const { result, messages } = await changesOf(copy, mode, original);
    deepEqual([result.mode, result.dry_run], [mode, false]);
    deepEqual(result.changes.firewall_rules, { added: 3, changed: 0, removed: 0, kept: 0 });
    deepEqual(result.changes.edge, { added: 1, changed: 0, removed: 0, kept: 0 });
    ok(messages.some(({ code }) => code === 10826));
    const { result: copied } = await copy.do('GET /export');
    if (mode === 'replace') deepEqual(essence(copied), essence(original));
    else {
      const { previous: _previous, ...same } = essence(copied) as { previous: unknown };
      const { previous: _original, ...wanted } = essence(original) as { previous: unknown };
      deepEqual(same, wanted);
    }
  }
});

test('bundle.import of a zone into itself changes nothing, not even an id', async () => {
  await furnish();
  const { result: original } = await zone.do('GET /export');
  const audit = async (): Promise<number> => (await zone.do('GET /audit_logs?per_page=1000')).result.length;
  const before = await audit();
  for (const mode of ['merge', 'replace']) {
    const { result } = await changesOf(zone, mode, original);
    for (const [kind, { added, changed, removed }] of Object.entries<Record<string, number>>(
      result.changes,
    )) {
      deepEqual([added, changed, removed], [0, 0, 0], kind);
    }
  }
  equal(await audit(), before);
  const { result: again } = await zone.do('GET /export');
  deepEqual(again, original);
});

test('bundle.import takes what bundle.export gave, on every plan', async () => {
  for (const plan of plans) {
    const each = new MigratingZone(control, plan);
    const { result } = await each.do('GET /export');
    equal('previous' in result, plan !== 'free');
    await changesOf(each, 'replace', result);
    deepEqual((await each.do('GET /export')).result, result);
  }
});

test('bundle.import replaces parts that the bundle has and leaves others alone', async () => {
  await furnish();
  const { result: original } = await zone.do('GET /export');
  const { format, version, zone: source, page_rules } = original;
  const rules = [...original.rulesets[0].rules, { ...execute(), enabled: false, expression: 'ssl' }].slice(
    0,
    1,
  );
  const body = {
    format,
    version,
    zone: source,
    page_rules: page_rules.slice(1),
    rulesets: [{ ...original.rulesets[0], rules, description: 'another' }],
  };
  const { result } = await changesOf(zone, 'replace', body);
  deepEqual(result.changes, {
    page_rules: { added: 2, changed: 0, removed: 3, kept: 0 },
    rulesets: { added: 0, changed: 1, removed: 2, kept: 0 },
  });
  const { result: now } = await zone.do('GET /export');
  deepEqual(
    [now.firewall, now.previous, now.settings],
    [original.firewall, original.previous, original.settings],
  );
  deepEqual(now.rulesets[0].rules[0].id, original.rulesets[0].rules[0].id);
  const { result: back } = await changesOf(zone, 'replace', original);
  equal(back.changes.rulesets.added, 2);
  deepEqual(essence((await zone.do('GET /export')).result), {
    ...(essence(original) as object),
    rulesets: (essence((await zone.do('GET /export')).result) as { rulesets: unknown }).rulesets,
  });
});

test('bundle.import merges: what is there stays, and is named', async () => {
  await furnish();
  const { result: original } = await zone.do('GET /export');
  const bundle = structuredClone(original);
  bundle.settings.waf = 'off';
  bundle.firewall.filters[0].description = 'other words';
  bundle.firewall.filters.push({ id: 'x', expression: 'ssl' });
  bundle.firewall.rules.push({ filter: { id: 'x' }, action: 'log' });
  bundle.rulesets[1].description = 'other words';
  bundle.edge.origin.url = 'https://other.test';
  bundle.url_normalization.scope = 'incoming';
  const { result, messages } = await changesOf(zone, 'merge', bundle);
  deepEqual(result.changes.firewall_rules, { added: 1, changed: 0, removed: 0, kept: 3 });
  deepEqual(
    messages.map(({ code }) => code),
    [10825, 10825, 10825, 10825, 10825],
  );
  const { result: now } = await zone.do('GET /export');
  equal(now.settings.waf, 'on');
  equal(now.firewall.filters[0].description, 'the office');
  equal(now.rulesets[1].description, 'custom');
  deepEqual([now.edge, now.url_normalization], [original.edge, original.url_normalization]);
});

test('bundle.import keeps nothing of a bundle that is wrong somewhere, and says where', async () => {
  await furnish();
  const { result: original } = await zone.do('GET /export');
  const spoil = (change: (bundle: typeof original) => void): unknown => {
    const bundle = structuredClone(original);
    bundle.page_rules = [];
    change(bundle);
    return bundle;
  };
  const cases: readonly (readonly [unknown, number, string])[] = [
    [
      spoil((bundle) => (bundle.firewall.filters[0].expression = 'nonsense')),
      10103,
      '/firewall/filters/0/expression',
    ],
    [
      spoil((bundle) => bundle.firewall.rules.push({ filter: { id: 'gone' }, action: 'block' })),
      10804,
      '/firewall/rules/3/filter/id',
    ],
    [
      spoil((bundle) => bundle.firewall.filters.push(bundle.firewall.filters[0])),
      10803,
      '/firewall/filters/3/id',
    ],
    [spoil((bundle) => (bundle.firewall.rules[0].products = [])), 10208, '/firewall/rules/0'],
    [spoil((bundle) => (bundle.edge.origin.url = 'https://a.test/path')), 11001, '/edge/origin/url'],
    [spoil((bundle) => (bundle.edge.forwarded_fields = ['x-mine'])), 11005, '/edge/forwarded_fields/0'],
    [spoil((bundle) => bundle.rulesets.push(bundle.rulesets[0])), 10805, '/rulesets/3/phase'],
    [
      spoil((bundle) => (bundle.rulesets[1].rules[0].action = 'explode')),
      20905,
      '/rulesets/1/rules/0/action',
    ],
    [spoil((bundle) => (bundle.rulesets[0].phase = 'http_request')), 20934, '/rulesets/0'],
    [spoil((bundle) => (bundle.previous.rules['NONE'] = 'block')), 1004, '/previous/rules/NONE'],
    [spoil((bundle) => (bundle.previous.groups['none'] = 'off')), 1003, '/previous/groups/none'],
    [
      spoil((bundle) => (bundle.previous.overrides[0].urls = ['other.test/'])),
      1104,
      '/previous/overrides/0/urls/0',
    ],
    [
      spoil((bundle) => bundle.page_rules.push({ ...original.page_rules[0], actions: [{ id: 'x' }] })),
      1004,
      '/page_rules/0',
    ],
    [spoil((bundle) => bundle.lists.push({ name: 'nowhere', kind: 'ip' })), 10802, '/lists/1'],
    [spoil((bundle) => (bundle.version = 2)), 10026, '/version'],
    [spoil((bundle) => (bundle.extra = { a: 1 })), 10026, '/extra'],
  ];
  for (const [body, code, pointer] of cases) {
    const { status, errors } = await zone.call('POST /import?mode=replace', body);
    deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [400, code, pointer]);
  }
  const { result: now } = await zone.do('GET /export');
  deepEqual(now, original);
});

test('bundle.import refuses what the plan has no room for', async () => {
  await furnish();
  const { result: original } = await zone.do('GET /export');
  const small = await emptyZone('pro', 'small.test');
  const { firewall, zone: source, format, version } = original;
  const filters = Array.from({ length: 21 }, (_, index) => ({
    id: `${index}`,
    expression: `ip.src eq 192.0.2.${index}`,
  }));
  const rules = filters.map(({ id }) => ({ filter: { id }, action: 'block' }));
  const body = { format, version, zone: source, firewall: { filters, rules } };
  const { status, errors } = await small.call('POST /import', body);
  deepEqual([status, errors[0]!.source], [400, { pointer: '/firewall/rules/20' }]);
  deepEqual((await small.do('GET /export')).result.firewall, { filters: [], rules: [] });
  ok(firewall.rules.length > 0);
});

test('bundle.import dry run counts what it would do and does nothing', async () => {
  await furnish();
  const { result: original } = await zone.do('GET /export');
  const copy = await emptyZone('enterprise', 'dry.test');
  const audit = async (): Promise<unknown> => (await copy.do('GET /audit_logs?per_page=1000')).result;
  const [state, log] = [(await copy.do('GET /export')).result, await audit()];
  const { result } = await copy.do('POST /import?mode=replace&dry_run=true', original);
  deepEqual([result.dry_run, result.changes.page_rules.added], [true, 3]);
  deepEqual((await copy.do('GET /export')).result, state);
  deepEqual(await audit(), log);
  equal(
    (
      await copy.call('POST /import?mode=replace&dry_run=true', {
        ...original,
        lists: [{ name: 'x', kind: 'ip' }],
      })
    ).status,
    400,
  );
  equal((await changesOf(copy, 'replace', original)).result.changes.page_rules.added, 3);
});

test('bundle.import never takes a migration from a bundle, neither forward nor back', async () => {
  await furnish();
  const { result: early } = await zone.do('GET /export');
  const [override] = (await zone.do('GET /firewall/waf/overrides')).result;
  await zone.do(`DELETE /firewall/waf/overrides/${override.id}`);
  equal((await zone.put('?waf_migration=pending&phase_two=1', { rules: [execute()] })).status, 200);
  await zone.settle();
  const { messages } = await changesOf(zone, 'replace', early);
  ok(messages.some(({ code }) => code === 10824));
  equal((await zone.status())[0], 'complete');
  const { result: late } = await zone.do('GET /export');
  deepEqual(
    [late.migration.migration_state, late.previous, late.settings],
    ['complete', undefined, undefined],
  );
  const copy = await emptyZone('enterprise', 'late.test');
  await changesOf(copy, 'replace', late);
  equal((await copy.status())[0], 'start');
  const pro = await emptyZone('pro', 'pro.test');
  const { rulesets, format, version, zone: source } = late;
  const managed = rulesets.filter(
    ({ phase }: { phase: string }) => phase === 'http_request_firewall_managed',
  );
  const { status, errors } = await pro.call('POST /import', {
    format,
    version,
    zone: source,
    rulesets: managed,
  });
  deepEqual([status, errors[0]!.code], [400, 20940]);
  match(errors[0]!.source!.pointer, /^\/rulesets\/0\/rules\/0/);
});

test('a token exports the parts it may read and imports the parts it may write', async () => {
  await furnish();
  const { result: whole } = await zone.do('GET /export');
  const { headers } = await makeToken(control, {
    groups: ['Page Rules Write', 'Zone WAF Read'],
    on: [`zone.${zone.id}`],
  });
  const call = (route: string, body?: unknown): Promise<Envelope> =>
    control.call(route.replace(' ', ` ${zone.path}`), { headers, body });
  const { result, messages } = await call('GET /export');
  deepEqual(
    ['settings', 'edge', 'url_normalization', 'page_rules', 'previous', 'firewall', 'rulesets'].filter(
      (part) => part in result,
    ),
    ['page_rules', 'rulesets'],
  );
  deepEqual(
    messages.map(({ code }) => code),
    [10821, 10821, 10821, 10821, 10821, 10821, 10821],
  );
  const refused = await call('POST /import', result);
  deepEqual(
    [refused.status, refused.errors[0]!.code, refused.errors[0]!.source],
    [403, 10801, { pointer: '/rulesets' }],
  );
  const { rulesets: _rulesets, ...pages } = result;
  equal((await call('POST /import', pages)).status, 200);
  // What one reader saw is not what the next one sees.
  deepEqual(Object.keys((await zone.do('GET /export')).result), Object.keys(whole));
});

test('bundle.export leaves out rules that have lost their filter, and says so', async () => {
  const { result: filters } = await zone.do('POST /filters', [{ expression: 'ssl' }]);
  const { result: rules } = await zone.do('POST /firewall/rules', [
    { filter: { id: filters[0].id }, action: 'block' },
  ]);
  await zone.do(`DELETE /filters/${filters[0].id}`);
  const { result, messages } = await zone.do('GET /export');
  deepEqual(result.firewall.rules, []);
  deepEqual([messages[0]!.code, messages[0]!.message.includes(rules[0].id)], [10822, true]);
});

test('bundle.import carries the settings of a zone: merge leaves what the zone has set, replace sets it back', async () => {
  const chosen = { always_use_https: 'on', challenge_ttl: 300, ciphers: ['AES128-SHA'] };
  const items = Object.entries(chosen).map(([id, value]) => ({ id, value }));
  await zone.do('PATCH /settings', { items });
  const { result: bundle } = await zone.do('GET /export');
  deepEqual(bundle.zone_settings, chosen);
  await zone.do('PATCH /settings', {
    items: [
      { id: 'challenge_ttl', value: 900 },
      { id: 'brotli', value: 'on' },
    ],
  });
  const read = async () => (await zone.do('GET /export')).result.zone_settings;
  const part = { ...bundle, edge: undefined, rulesets: undefined };
  const merged = await zone.do('POST /import', part);
  deepEqual(merged.result.changes.zone_settings, { added: 0, changed: 0, removed: 0, kept: 3 });
  deepEqual(await read(), { ...chosen, challenge_ttl: 900, brotli: 'on' });
  const replaced = await zone.do('POST /import?mode=replace', part);
  deepEqual(replaced.result.changes.zone_settings, { added: 0, changed: 1, removed: 1, kept: 2 });
  deepEqual(await read(), chosen);
});
