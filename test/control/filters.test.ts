import { deepEqual, equal, match, notDeepEqual } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { FirewallZone, nobody } from './firewall-zone.ts';
import { TestControl } from './harness.ts';

let control: TestControl;
let pro: FirewallZone;
beforeEach(async () => {
  control = await TestControl.open();
  pro = new FirewallZone(control, 'pro');
});
afterEach(() => control.close());

test('filters.create answers with the filters in their order, trimmed, without what was not set', async () => {
  const made = await pro.call(`POST ${pro.filters}`, [
    { expression: ' \tip.src eq 192.0.2.1\n', description: 'one', paused: true },
    { expression: 'http.host eq "a"', ref: 'x', description: '' },
    { expression: 'ssl', description: null, ref: null, id: '' },
  ]);
  equal(made.status, 200);
  const [one, two, three] = made.result;
  deepEqual(made.result, [
    { id: one.id, paused: true, description: 'one', expression: 'ip.src eq 192.0.2.1' },
    { id: two.id, paused: false, ref: 'x', expression: 'http.host eq "a"' },
    { id: three.id, paused: false, expression: 'ssl' },
  ]);
  deepEqual(Object.keys(one), ['id', 'paused', 'description', 'expression']);
  for (const { id } of made.result) match(id, /^[0-9a-f]{32}$/);
  deepEqual(await pro.allFilters(), made.result);
});

test('filters.create takes a single object too, and answers with an array', async () => {
  const made = await pro.call(`POST ${pro.filters}`, { expression: 'ssl' });
  equal(made.status, 200);
  deepEqual(made.result, await pro.allFilters());
});

test('filters.create refuses an expression that exists, and names the filter that has it', async () => {
  const { id } = await pro.filter({ expression: 'ssl', description: 'mine' });
  const before = await pro.state();
  const again = await pro.call(`POST ${pro.filters}`, [
    { expression: 'not ssl' },
    { expression: ' ssl ', paused: true },
  ]);
  equal(again.status, 400);
  equal(again.result, null);
  deepEqual(again.errors, [
    {
      code: 10102,
      message: 'config duplicates an already existing config',
      source: { pointer: '/1' },
      meta: { id },
    },
  ]);
  deepEqual(await pro.state(), before);
});

test('filters.create refuses the same expression twice in one call, without an id nobody will have', async () => {
  const before = await pro.state();
  const twice = await pro.call(`POST ${pro.filters}`, [{ expression: 'ssl' }, { expression: 'ssl ' }]);
  equal(twice.status, 400);
  deepEqual(twice.errors, [
    {
      code: 10107,
      message: 'filters.api.repeated: the filter is in the body twice, first at /0',
      source: { pointer: '/1' },
    },
  ]);
  deepEqual(await pro.state(), before);
});

test('filters.create shows with carets where an expression is wrong, and keeps nothing of the call', async () => {
  const before = await pro.state();
  const wrong = await pro.call(`POST ${pro.filters}`, [
    { expression: 'ssl' },
    { expression: '  http.hosts eq "a"' },
  ]);
  equal(wrong.status, 400);
  const [error] = wrong.errors;
  equal(error!.code, 10103);
  deepEqual(error!.source, { pointer: '/1/expression' });
  match(error!.message, /^Filter parsing error:\n`http\.hosts eq "a"`\n \^{10} unknown identifier.*\n$/s);
  deepEqual(await pro.state(), before);
});

test('filters.create counts 4,096 characters after trimming', async () => {
  const expression = `http.host eq "${'x'.repeat(4096 - 15)}"`;
  equal(expression.length, 4096);
  const { id } = await pro.filter({ expression: `${' '.repeat(500)}${expression}` });
  equal((await pro.call(`GET ${pro.filters}/${id}`)).result.expression, expression);
  const longer = await pro.call(`POST ${pro.filters}`, [{ expression: `${expression} or ssl` }]);
  equal(longer.status, 400);
  equal(longer.errors[0]!.code, 10103);
  match(longer.errors[0]!.message, /4,?096/);
  const blank = await pro.call(`POST ${pro.filters}`, [{ expression: ' \n ' }]);
  deepEqual([blank.status, blank.errors[0]!.code], [400, 10103]);
  match(blank.errors[0]!.message, /blank/);
});

test('filters.create refuses what the plan of the zone does not include, and says which plan does', async () => {
  const expression = 'http.request.uri.path matches "^/a+$"';
  const refused = await pro.call(`POST ${pro.filters}`, [{ expression }]);
  deepEqual([refused.status, refused.errors[0]!.code], [400, 10105]);
  match(refused.errors[0]!.message, /^filters\.api\.not_entitled: .*Pro.*regular expressions.*Business/);
  deepEqual(refused.errors[0]!.source, { pointer: '/0/expression' });
  equal((await new FirewallZone(control, 'business').filter({ expression })).expression, expression);
});

test('filters.create takes a list that exists, for values of its kind', async () => {
  const create = async (expression: string) => {
    const { status, errors } = await pro.call(`POST ${pro.filters}`, [{ expression }]);
    return [status, errors[0]?.code, errors[0]?.message];
  };
  const [status, code, message] = await create('ip.src in $office');
  deepEqual([status, code], [400, 10103]);
  match(String(message), /office/);
  const { accountId } = control.control.bootstrapped!;
  await pro.call(`POST /accounts/${accountId}/rules/lists`, { name: 'office', kind: 'ip' });
  deepEqual(await create('ip.src in $office'), [200, undefined, undefined]);
  const [misfit, misfitCode, why] = await create('http.host in $office');
  deepEqual([misfit, misfitCode], [400, 10103]);
  match(String(why), /\$office is of the kind ip/);
});

test('filters.create says what is wrong with a body, field by field', async () => {
  const wrong = await pro.call(`POST ${pro.filters}`, [
    { expresion: 'ssl' },
    { expression: 7, paused: 'no', description: 'x'.repeat(501), ref: 'x'.repeat(51) },
  ]);
  equal(wrong.status, 400);
  deepEqual(
    wrong.errors.map(({ code, source }) => [code, source!.pointer]),
    [
      [10026, '/0/expresion'],
      [10026, '/0/expression'],
      [10026, '/1/expression'],
      [10026, '/1/paused'],
      [10026, '/1/description'],
      [10026, '/1/ref'],
    ],
  );
  match(wrong.errors[0]!.message, /^filters\.api\.invalid_json: .*expression/);
  const many = Array.from({ length: 101 }, (_, index) => ({ expression: `http.host eq "${index}"` }));
  equal((await pro.call(`POST ${pro.filters}`, many)).status, 400);
  deepEqual(await pro.allFilters(), []);
});

test('filters.create stops at 5,000 filters, and goes on when there is room', async () => {
  let last: string[] = [];
  for (let made = 0; made < 5000; made += 100) {
    const hundred = Array.from({ length: 100 }, (_, index) => ({
      expression: `http.host eq "${made + index}"`,
    }));
    const answer = await pro.call(`POST ${pro.filters}`, hundred);
    equal(answer.status, 200);
    last = answer.result.map(({ id }: { id: string }) => id);
  }
  const refused = await pro.call(`POST ${pro.filters}`, [{ expression: 'ssl' }]);
  deepEqual(
    [refused.status, refused.errors[0]!.code, refused.errors[0]!.source],
    [400, 10108, { pointer: '/0' }],
  );
  await pro.call(`DELETE ${pro.filters}/${last[0]}`);
  await pro.filter({ expression: 'ssl' });
  equal((await pro.call(`POST ${pro.filters}`, [{ expression: 'true' }])).errors[0]!.code, 10108);
});

test('filters.list has pages in the order of creation, and an empty one past the end', async () => {
  const expressions = Array.from({ length: 30 }, (_, index) => `http.host eq "${index}"`);
  await pro.call(
    `POST ${pro.filters}`,
    expressions.map((expression) => ({ expression })),
  );
  const shown = async (query: string) => {
    const { status, result, result_info } = await pro.call(`GET ${pro.filters}${query}`);
    equal(status, 200);
    return [(result as { expression: string }[]).map(({ expression }) => expression), result_info];
  };
  deepEqual(await shown(''), [
    expressions.slice(0, 25),
    { page: 1, per_page: 25, count: 25, total_count: 30, total_pages: 2 },
  ]);
  deepEqual(await shown('?page=2'), [
    expressions.slice(25),
    { page: 2, per_page: 25, count: 5, total_count: 30, total_pages: 2 },
  ]);
  deepEqual(await shown('?page=7&per_page=10'), [
    [],
    { page: 7, per_page: 10, count: 0, total_count: 30, total_pages: 3 },
  ]);
  deepEqual(await shown('?per_page=100'), [
    expressions,
    { page: 1, per_page: 100, count: 30, total_count: 30, total_pages: 1 },
  ]);
  equal((await pro.call(`GET ${pro.filters}?per_page=1000`)).status, 400);
  equal((await pro.call(`GET ${pro.filters}?page=x`)).status, 400);
});

test('filters.list finds by each of its parameters, and one without a value asks for nothing', async () => {
  const one = await pro.filter({ expression: 'ssl', description: 'The Office', ref: 'r1' });
  const two = await pro.filter({ expression: 'not ssl', description: 'the office door', paused: true });
  const three = await pro.filter({ expression: 'http.host eq "ÄÖ"', description: 'ÄÖ 100%', ref: 'R1' });
  const found = async (query: string) =>
    (await pro.call(`GET ${pro.filters}?${query}`)).result.map(({ id }: { id: string }) => id);
  deepEqual(await found(`id=${two.id}`), [two.id]);
  deepEqual(await found('paused=true'), [two.id]);
  deepEqual(await found('paused=false'), [one.id, three.id]);
  deepEqual(await found('ref=r1'), [one.id]);
  deepEqual(await found('description=OFFICE'), [one.id, two.id]);
  deepEqual(await found('description=%25'), [three.id]);
  deepEqual(await found(`description=${encodeURIComponent('ÄÖ')}`), [three.id]);
  deepEqual(await found('expression=SSL&description=door'), [two.id]);
  deepEqual(await found("expression=') OR 1=1 --"), []);
  deepEqual(await found('id=&paused=&ref=&description=&expression='), [one.id, two.id, three.id]);
});

test('filters.get answers 404 with a code for a filter that does not exist', async () => {
  const { id } = await pro.filter({ expression: 'ssl' });
  deepEqual((await pro.call(`GET ${pro.filters}/${id}`)).result, { id, paused: false, expression: 'ssl' });
  const missing = await pro.call(`GET ${pro.filters}/${nobody}`);
  deepEqual([missing.status, missing.errors[0]!.code], [404, 10001]);
  const elsewhere = await new FirewallZone(control, 'free').call(
    `GET ${new FirewallZone(control, 'free').filters}/${id}`,
  );
  equal(elsewhere.status, 404);
});

test('filters.update replaces: what is left out is gone', async () => {
  const { id } = await pro.filter({ expression: 'ssl', description: 'd', ref: 'r', paused: true });
  const updated = await pro.call(`PUT ${pro.filters}/${id}`, { expression: ' not ssl ' });
  equal(updated.status, 200);
  deepEqual(updated.result, { id, paused: false, expression: 'not ssl' });
  const same = await pro.call(`PUT ${pro.filters}/${id}`, { id, expression: 'not ssl', ref: 'again' });
  deepEqual(same.result, { id, paused: false, ref: 'again', expression: 'not ssl' });
  deepEqual(await pro.allFilters(), [same.result]);
});

test('filters.update refuses another id, an unknown filter, a wrong expression and one that exists', async () => {
  const one = await pro.filter({ expression: 'ssl' });
  const two = await pro.filter({ expression: 'not ssl' });
  const before = await pro.state();
  const update = async (id: string, body: object) => {
    const { status, errors } = await pro.call(`PUT ${pro.filters}/${id}`, body);
    return [status, errors[0]!.code, errors[0]!.source?.pointer, errors[0]!.meta?.id];
  };
  deepEqual(await update(one.id, { id: two.id, expression: 'ssl' }), [400, 10104, '/id', undefined]);
  deepEqual(await update(nobody, { expression: 'true' }), [404, 10001, '', undefined]);
  deepEqual(await update(one.id, { expression: 'ssl and' }), [400, 10103, '/expression', undefined]);
  deepEqual(await update(one.id, { expression: 'not ssl' }), [400, 10102, '', two.id]);
  deepEqual(await pro.state(), before);
});

test('filters.updateMany lets filters trade expressions, and changes nothing if one item is wrong', async () => {
  const one = await pro.filter({ expression: 'ssl' });
  const two = await pro.filter({ expression: 'not ssl' });
  const three = await pro.filter({ expression: 'true' });
  const traded = await pro.call(`PUT ${pro.filters}`, [
    { id: one.id, expression: 'not ssl' },
    { id: two.id, expression: 'ssl' },
  ]);
  equal(traded.status, 200);
  deepEqual(await pro.allFilters(), [...traded.result, three]);

  const before = await pro.state();
  const change = { id: one.id, expression: 'http.host eq "new"', description: 'changed' };
  const refusals: [object, number, number, string | undefined][] = [
    [{ id: nobody, expression: 'ssl' }, 404, 10001, undefined],
    [{ id: two.id, expression: 'ssl ssl' }, 400, 10103, undefined],
    [{ id: two.id, expression: 'true' }, 400, 10102, three.id],
    [{ id: one.id, expression: 'false' }, 400, 10107, undefined],
    [{ expression: 'ssl' }, 400, 10026, undefined],
  ];
  for (const [wrong, status, code, other] of refusals) {
    const answer = await pro.call(`PUT ${pro.filters}`, [change, wrong]);
    const [error] = answer.errors;
    deepEqual([answer.status, error!.code, error!.meta?.id], [status, code, other]);
    match(error!.source!.pointer, /^\/1/);
    deepEqual(await pro.state(), before);
  }
});

test('filters.delete answers with the id, whether or not there was such a filter', async () => {
  const { id } = await pro.filter({ expression: 'ssl' });
  deepEqual((await pro.call(`DELETE ${pro.filters}/${id}`, { whatever: [] })).result, { id });
  deepEqual(await pro.allFilters(), []);
  const again = await pro.call(`DELETE ${pro.filters}/${id}`);
  deepEqual([again.status, again.result], [200, { id }]);
});

test('filters.delete of a filter in use leaves a tombstone in its rules, and says which they are', async () => {
  const { id } = await pro.filter({ expression: 'ssl' });
  const rule = await pro.rule({ action: 'block', filter: { id } });
  const other = await pro.rule({ action: 'allow', filter: { id } });
  const deleted = await pro.call(`DELETE ${pro.filters}/${id}`);
  equal(deleted.status, 200);
  const message = `filter ${id} is deleted; the firewall rules that used it match no request from now on (2): ${rule.id}, ${other.id}`;
  deepEqual(deleted.messages, [{ code: 10109, message }]);
  deepEqual((await pro.call(`GET ${pro.rules}/${rule.id}`)).result.filter, { id, deleted: true });
  // The expression can be used by another filter, which does not reactivate the rule.
  await pro.filter({ expression: 'ssl' });
  deepEqual((await pro.call(`GET ${pro.rules}/${rule.id}`)).result.filter, { id, deleted: true });
});

test('filters.deleteMany takes ids from the query or the body, and none means none', async () => {
  const ids: string[] = [];
  for (const host of ['a', 'b', 'c', 'd'])
    ids.push((await pro.filter({ expression: `http.host eq "${host}"` })).id);
  const [a, b, c, d] = ids as [string, string, string, string];
  deepEqual((await pro.call(`DELETE ${pro.filters}?id=${a}&id=${nobody}`)).result, [
    { id: a },
    { id: nobody },
  ]);
  deepEqual((await pro.call(`DELETE ${pro.filters}`, { id: b })).result, [{ id: b }]);
  deepEqual((await pro.call(`DELETE ${pro.filters}`, [{ id: c }, {}])).result, [{ id: c }]);
  const none = await pro.call(`DELETE ${pro.filters}`);
  deepEqual([none.status, none.result], [200, []]);
  deepEqual(
    (await pro.allFilters()).map(({ id }) => id),
    [d],
  );
});

test('filters write each change to the audit log, with what was before and after', async () => {
  const before = await pro.state();
  const { id } = await pro.filter({ expression: 'ssl' });
  const created = await pro.state();
  notDeepEqual(created, before);
  await pro.call(`PUT ${pro.filters}/${id}`, { expression: 'ssl', description: 'now' });
  await pro.call(`DELETE ${pro.filters}/${id}`);
  const { audit } = (await pro.state()) as {
    audit: { resource: object; oldValueJson: unknown; newValueJson: unknown }[];
  };
  const filter = { id, paused: false, expression: 'ssl' };
  const changed = { id, paused: false, description: 'now', expression: 'ssl' };
  deepEqual(
    audit.map(({ resource, oldValueJson, newValueJson }) => ({ resource, oldValueJson, newValueJson })),
    [
      { resource: { id, type: 'filter' }, oldValueJson: changed, newValueJson: null },
      { resource: { id, type: 'filter' }, oldValueJson: filter, newValueJson: changed },
      { resource: { id, type: 'filter' }, oldValueJson: null, newValueJson: filter },
    ],
  );
});

test('filters.create in many calls at the same time: each is made or refused by itself, and has its entry in the audit log', async () => {
  const expressions = Array.from({ length: 60 }, (_, index) => `http.host eq "${index % 40}.example"`);
  const answers = await Promise.all(
    expressions.map((expression) => pro.call(`POST ${pro.filters}`, [{ expression }])),
  );
  equal(answers.filter(({ status }) => status === 200).length, 40);
  equal(answers.filter(({ errors }) => errors[0]?.code === 10102).length, 20);
  const { result } = await control.call(`GET /zones/${control.zone('pro')}/audit_logs/verify`);
  deepEqual([result.is_intact, result.entries], [true, 40]);
});
