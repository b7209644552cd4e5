import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Envelope, TestControl } from './harness.ts';
import { ListMaker } from './list-maker.ts';

let control: TestControl;
let maker: ListMaker;
before(async () => {
  control = await TestControl.open();
  maker = new ListMaker(control);
});
after(() => control.close());

test('lists.create answers with the list, which can be read, described and deleted', async () => {
  const body = { name: 'office', kind: 'ip', description: 'ours' };
  const { status, result } = await control.call(`POST ${maker.lists}`, { body });
  equal(status, 200);
  match(result.id, /^[0-9a-f]{32}$/);
  match(result.created_on, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const times = { created_on: result.created_on, modified_on: result.created_on };
  deepEqual(result, { id: result.id, ...body, num_items: 0, num_referencing_filters: 0, ...times });
  deepEqual((await control.call(`GET ${maker.lists}/${result.id}`)).result, result);
  deepEqual((await control.call(`GET ${maker.lists}`)).result, [result]);

  await control.clock.advance(2_000);
  const described = await control.call(`PUT ${maker.lists}/${result.id}`, {
    body: { description: 'theirs' },
  });
  equal(described.result.description, 'theirs');
  ok(described.result.modified_on > result.modified_on);

  deepEqual((await control.call(`DELETE ${maker.lists}/${result.id}`)).result, { id: result.id });
  equal((await control.call(`GET ${maker.lists}/${result.id}`)).errors[0]!.code, 10001);
  equal((await control.call(`DELETE ${maker.lists}/${result.id}`)).status, 404);
});

test('lists.update changes the description only', async () => {
  const list = await maker.makeList();
  const update = (body: object): ReturnType<typeof control.call> =>
    control.call(`PUT ${maker.lists}/${list.id}`, { body });
  for (const [field, value] of Object.entries({ name: 'other', kind: 'asn' })) {
    const { status, errors } = await update({ ...list, [field]: value });
    deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [400, 10026, `/${field}`]);
  }
  const { status, result } = await update({ ...list, description: 'x' });
  deepEqual([status, result.name, result.kind, result.description], [200, list.name, 'ip', 'x']);
  await maker.drop(list);
});

test('lists.create refuses a name that is taken or that no expression could write, and one list too many', async () => {
  const list = await maker.makeList();
  const taken = await control.call(`POST ${maker.lists}`, { body: { name: list.name, kind: 'ip' } });
  deepEqual([taken.status, taken.errors[0]!.code, taken.errors[0]!.meta?.id], [400, 10032, list.id]);
  for (const name of ['Office', 'a-b', '', 'a'.repeat(51), 'cf.malware']) {
    const { errors } = await control.call(`POST ${maker.lists}`, { body: { name, kind: 'ip' } });
    deepEqual([errors[0]!.code, errors[0]!.source?.pointer], [10026, '/name']);
  }
  const more = await Promise.all(Array.from({ length: 9 }, () => maker.makeList()));
  const { status, errors } = await control.call(`POST ${maker.lists}`, {
    body: { name: 'eleventh', kind: 'ip' },
  });
  deepEqual([status, errors[0]!.code], [400, 10030]);
  for (const each of [list, ...more]) await maker.drop(each);
});

test('lists.create gives an account without a paid zone one list, of addresses', async () => {
  const free = await TestControl.open();
  try {
    for (const plan of ['pro', 'business', 'enterprise'] as const)
      equal((await free.call(`DELETE /zones/${free.zone(plan)}`)).status, 200);
    const route = `POST /accounts/${free.control.bootstrapped!.accountId}/rules/lists`;
    for (const kind of ['asn', 'hostname']) {
      const { status, errors } = await free.call(route, { body: { name: 'a', kind } });
      deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [403, 10029, '/kind']);
    }
    equal((await free.call(route, { body: { name: 'a', kind: 'ip' } })).status, 200);
    equal((await free.call(route, { body: { name: 'b', kind: 'ip' } })).errors[0]!.code, 10030);
  } finally {
    await free.close();
  }
});

test('the edge gets the items of lists that expressions compare, and redirects', async () => {
  const [ip, hostname, asn, redirect] = [
    await maker.makeList(),
    await maker.makeList('hostname'),
    await maker.makeList('asn'),
    await maker.makeList('redirect'),
  ];
  await maker.bulk(`PUT ${ip.items}`, [{ ip: '192.0.2.0/24' }, { ip: '10.0.0.1' }]);
  await maker.bulk(`PUT ${hostname.items}`, [
    { hostname: { url_hostname: '*.b.example' } },
    { hostname: { url_hostname: '*.a.example', exclude_exact_hostname: false } },
  ]);
  await maker.bulk(`PUT ${asn.items}`, [{ asn: 7 }]);
  await maker.bulk(`PUT ${redirect.items}`, [
    { redirect: { source_url: 'a.example/b', target_url: 'https://c.example/', subpath_matching: true } },
  ]);
  const account = control.control.runtime.namespace('Account').getByName('account') as unknown as {
    readConfiguration(): Promise<{ readonly lists: unknown } | undefined>;
  };
  deepEqual((await account.readConfiguration())!.lists, [
    { name: ip.name, kind: 'ip', items: ['10.0.0.1', '192.0.2.0/24'] },
    { name: hostname.name, kind: 'hostname', items: ['*.a.example', 'a.example', '*.b.example'] },
    { name: asn.name, kind: 'asn', items: [7] },
    {
      name: redirect.name,
      kind: 'redirect',
      items: [],
      redirects: [
        {
          source: 'a.example/b',
          target: 'https://c.example/',
          status: 301,
          includesSubdomains: false,
          matchesSubpaths: true,
          keepsQuery: false,
          keepsPathSuffix: false,
        },
      ],
    },
  ]);
  for (const each of [ip, hostname, asn, redirect]) await maker.drop(each);
});

test('lists.delete fails pending bulk operations', async () => {
  const list = await maker.makeList();
  const { result } = await control.call(`POST ${list.items}`, { body: [{ ip: '192.0.2.1' }] });
  await maker.drop(list);
  deepEqual(
    [
      (await maker.statusOf(result.operation_id)).result.status,
      (await maker.statusOf(result.operation_id)).result.error,
    ],
    ['failed', 'the list was deleted'],
  );
  await control.clock.advance(10);
  equal((await maker.statusOf('0'.repeat(32))).errors[0]!.code, 10003);
});

test('lists.delete refuses a list that an expression names, and tells how many do', async () => {
  const list = await maker.makeList();
  const filters = `/zones/${control.zone('pro')}/filters`;
  const body = [{ expression: `ip.src in $${list.name}` }, { expression: `http.host eq "$${list.name}"` }];
  const { result } = await control.call(`POST ${filters}`, { body });
  equal((await control.call(`GET ${maker.lists}/${list.id}`)).result.num_referencing_filters, 1);
  const refused = await control.call(`DELETE ${maker.lists}/${list.id}`);
  deepEqual([refused.status, refused.errors[0]!.code], [400, 10031]);
  // It can be named as before.
  const again = await control.call(`POST ${filters}`, {
    body: [{ expression: `not ip.src in $${list.name}` }],
  });
  equal(again.status, 200);
  for (const { id } of [...result, ...again.result]) await control.call(`DELETE ${filters}/${id}`);
  equal((await control.call(`GET ${maker.lists}`)).result[0].num_referencing_filters, 0);
  await maker.drop(list);
  const gone = await control.call(`POST ${filters}`, { body });
  deepEqual([gone.status, gone.errors[0]!.source?.pointer], [400, '/0/expression']);
});

test('lists.delete refuses a list in use whatever it is called', async () => {
  const filters = `/zones/${control.zone('pro')}/filters`;
  for (const name of ['constructor', '__proto__']) {
    const { result: list } = await control.call(`POST ${maker.lists}`, { body: { name, kind: 'ip' } });
    const { result } = await control.call(`POST ${filters}`, {
      body: [{ expression: `ip.src in $${name}` }],
    });
    equal((await control.call(`GET ${maker.lists}/${list.id}`)).result.num_referencing_filters, 1);
    const refused = await control.call(`DELETE ${maker.lists}/${list.id}`);
    deepEqual([refused.status, refused.errors[0]?.code], [400, 10031]);
    await control.call(`DELETE ${filters}/${result[0].id}`);
    await maker.drop({ ...list, items: '' });
  }
});

test('lists.delete counts rules of rulesets, of zones and of the account', async () => {
  const list = await maker.makeList();
  const account = `/accounts/${control.control.bootstrapped!.accountId}`;
  const rules = [{ action: 'block', expression: `ip.src in $${list.name}` }];
  const zone = `/zones/${control.zone('business')}`;
  const body = { name: 'x', kind: 'custom', phase: 'http_request_firewall_custom', rules };
  const entryPoint = 'rulesets/phases/http_request_firewall_custom/entrypoint';
  equal((await control.call(`PUT ${zone}/${entryPoint}`, { body: { rules } })).status, 200);
  const ruleset = await control.call(`POST ${account}/rulesets`, { body });
  equal(ruleset.status, 200, JSON.stringify(ruleset.errors));
  equal((await control.call(`GET ${maker.lists}/${list.id}`)).result.num_referencing_filters, 2);
  equal((await control.call(`DELETE ${maker.lists}/${list.id}`)).errors[0]!.code, 10031);
  await control.call(`PUT ${zone}/${entryPoint}`, { body: { rules: [] } });
  equal((await control.call(`DELETE ${maker.lists}/${list.id}`)).errors[0]!.code, 10031);
  equal((await control.call(`DELETE ${account}/rulesets/${ruleset.result.id}`)).status, 204);
  await maker.drop(list);
});

test('lists.delete and a filter that names the list, at the same time: one of them is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const list = await maker.makeList();
    const filters = `/zones/${control.zone('business')}/filters`;
    const create = (): Promise<Envelope> =>
      control.call(`POST ${filters}`, { body: [{ expression: `ip.src in $${list.name}` }] });
    const remove = (): Promise<Envelope> => control.call(`DELETE ${maker.lists}/${list.id}`);
    const [first, second] = round % 2 === 0 ? [create(), remove()] : [remove(), create()];
    const [one, two] = await Promise.all([first, second]);
    deepEqual([one.status, two.status].toSorted(), [200, 400], `round ${round}`);
    const kept = await control.call(`GET ${maker.lists}/${list.id}`);
    if (kept.status === 404) continue;
    const [filter] = (await control.call(`GET ${filters}`)).result;
    await control.call(`DELETE ${filters}/${filter.id}`);
    await maker.drop(list);
  }
});

test('lists.delete twice at the same time: done once, and never around the zones', async () => {
  const list = await maker.makeList();
  const filters = `/zones/${control.zone('business')}/filters`;
  const { result } = await control.call(`POST ${filters}`, {
    body: [{ expression: `ip.src in $${list.name}` }],
  });
  const remove = async (): Promise<number> =>
    (await control.call(`DELETE ${maker.lists}/${list.id}`)).errors[0]?.code ?? 0;
  const refused = await Promise.all([remove(), remove(), remove()]);
  ok(refused.includes(10031) && refused.every((code) => code === 10031 || code === 10034), String(refused));
  await control.call(`DELETE ${filters}/${result[0].id}`);
  const done = await Promise.all([remove(), remove(), remove()]);
  equal(done.filter((code) => code === 0).length, 1);
  ok(
    done.every((code) => [0, 10001, 10034].includes(code)),
    String(done),
  );
});
