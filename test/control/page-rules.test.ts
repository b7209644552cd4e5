import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Envelope, TestControl } from './harness.ts';

let control: TestControl;
let rules: string;
beforeEach(async () => {
  control = await TestControl.open();
  rules = `/zones/${control.zone('pro')}/pagerules`;
});
afterEach(() => control.close());

const security = [{ id: 'disable_security' }];

function target(value: string): object {
  return { target: 'url', constraint: { operator: 'matches', value } };
}

function create(value: string, rest: object = {}): Promise<Envelope> {
  return control.call(`POST ${rules}`, { body: { targets: [target(value)], actions: security, ...rest } });
}

/** The `messages` for a refused rule. */
function refusals({ status, result, errors, messages }: Envelope): string[] {
  equal(status, 400);
  equal(result, null);
  deepEqual(errors, [{ code: 1004, message: 'Page Rule validation failed: See messages for details.' }]);
  for (const { code, type } of messages as readonly { code: number; type?: null }[])
    deepEqual([code, type], [1, null]);
  return messages.map(({ message }) => message);
}

test('pageRules.create answers with the rule and its defaults, in the key order of Cloudflare', async () => {
  const { status, result } = await create('*pro.example/images/*');
  equal(status, 200);
  match(result.id, /^[0-9a-f]{32}$/);
  match(result.created_on, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  deepEqual(Object.entries(result), [
    ['id', result.id],
    ['targets', [target('*pro.example/images/*')]],
    ['actions', security],
    ['priority', 1],
    ['status', 'disabled'],
    ['created_on', result.created_on],
    ['modified_on', result.created_on],
  ]);
  deepEqual((await control.call(`GET ${rules}/${result.id}`)).result, result);
});

test('pageRules.create accepts what clients send back: nulls for missing values, and fields of earlier responses', async () => {
  const { status, result } = await create('pro.example/a', {
    actions: [
      { id: 'disable_security', value: null },
      { id: 'waf', value: 'off' },
    ],
    id: '',
    created_on: '0001-01-01T00:00:00Z',
    modified_on: '0001-01-01T00:00:00Z',
    status: 'active',
    priority: 7,
  });
  equal(status, 200);
  deepEqual(result.actions, [{ id: 'disable_security' }, { id: 'waf', value: 'off' }]);
  deepEqual([result.status, result.priority], ['active', 7]);
  equal(result.created_on === '0001-01-01T00:00:00Z', false);
});

test('pageRules.create keeps a pattern as it was written, and gives a host alone its slash', async () => {
  const shown = async (value: string): Promise<string> =>
    (await create(value)).result.targets[0].constraint.value;
  equal(await shown('Pro.Example/A'), 'Pro.Example/A');
  equal(await shown('https://www.pro.example'), 'https://www.pro.example/');
  equal(await shown('pro.example*'), 'pro.example*');
});

test('pageRules.create refuses patterns that are malformed or of another zone', async () => {
  const cases = [
    ['example.com/*', /^\.targets\[0\]\.constraint\.value: must name a host of the zone pro\.example$/],
    ['notpro.example/*', /must name a host of the zone/],
    ['pro.example.evil.test/*', /must name a host of the zone/],
    ['*/*', /must name a host of the zone/],
    ['pro.example/a b', /encode others as %XX/],
    ['pro.example:99999/', /port from 1 to 65535/],
    ['pro.example/*/*/*/*/*', /at most 4 stars/],
  ] as const;
  for (const [value, expected] of cases) {
    const messages = refusals(await create(value));
    equal(messages.length, 1, value);
    match(messages[0]!, expected);
  }
  deepEqual((await control.call(`GET ${rules}`)).result, []);
});

test('pageRules.create refuses a second rule for a URL, however it is written', async () => {
  const { result } = await create('pro.example');
  for (const value of ['pro.example', 'PRO.example/', '*://pro.example/']) {
    deepEqual(refusals(await create(value)), [
      `.distinctTargetUrl: Your zone already has an existing page rule with that URL: change page rule ${result.id} instead`,
    ]);
  }
  equal((await create('https://pro.example/')).status, 200);
});

test('pageRules.create refuses unknown, repeated and conflicting actions and wrong values, all at once', async () => {
  const actions = [
    { id: 'wafs', value: 'on' },
    { id: 'waf', value: 'yes' },
    { id: 'disable_security', value: 'on' },
    { id: 'disable_security' },
    { id: 'ssl', value: 'none' },
    { id: 'edge_cache_ttl', value: 0 },
    { id: 'browser_cache_ttl', value: 1.5 },
    { id: 'host_header_override', value: '' },
    { id: 'cache_key_fields', value: { header: { include: ['x'.repeat(5000)] } } },
    { id: 'minify', value: { html: 'on', xml: 'on' } },
    { id: 'forwarding_url', value: { url: 'https://pro.example/', status_code: 307 } },
  ];
  const messages = refusals(await create('pro.example/a', { actions }));
  deepEqual(
    messages.map((message) => message.split(':')[0]),
    [
      '.settings.wafs',
      '.settings.waf',
      '.settings.disable_security',
      '.settings.disable_security',
      '.settings.ssl',
      '.settings.edge_cache_ttl',
      '.settings.browser_cache_ttl',
      '.settings.host_header_override',
      '.settings.cache_key_fields',
      '.settings.minify',
      '.settings.forwarding_url',
      '.settings.forwarding_url',
    ],
  );
  match(messages[0]!, /is not an action.*waf/);
  deepEqual(refusals(await create('pro.example/a', { actions: [...security, { id: 'waf', value: 'on' }] })), [
    '.settings.waf: a rule with disable_security cannot turn it on',
  ]);
});

test('pageRules.create forwards to http and https only', async () => {
  let count = 0;
  const forward = (url: string) =>
    create(`pro.example/${++count}*`, {
      actions: [{ id: 'forwarding_url', value: { url, status_code: 302 } }],
    });
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://pro.example/',
    '//pro.example/',
    '/path',
    'https://',
    'https:///x',
    ' https://pro.example/',
    'https://pro.example/a b',
    'https://pro.example/\r\nset-cookie: a=b',
  ])
    match(refusals(await forward(url))[0]!, /^\.settings\.forwarding_url: takes .* http or https/, url);
  match(
    refusals(await forward('https://$1.example/$2'))[0]!,
    /\$2 stands for a \* that the pattern does not have/,
  );
  for (const url of ['http://pro.example', 'HTTPS://$1.example/?q=ü'])
    equal((await forward(url)).status, 200, url);
});

test('pageRules.create takes every kind of value', async () => {
  const actions = [
    { id: 'browser_check', value: 'on' },
    { id: 'cache_level', value: 'cache_everything' },
    { id: 'browser_cache_ttl', value: 0 },
    { id: 'resolve_override', value: 'origin.pro.example' },
    { id: 'cache_ttl_by_status', value: { '200-299': 300, '404': 'no-store' } },
    { id: 'minify', value: { html: 'on', css: 'off', js: 'off' } },
    { id: 'disable_apps' },
  ];
  deepEqual((await create('pro.example/a', { actions })).result.actions, actions);
  const forwarding = [{ id: 'forwarding_url', value: { url: 'https://pro.example/$1', status_code: 301 } }];
  deepEqual((await create('pro.example/b*', { actions: forwarding })).result.actions, forwarding);
});

test('pageRules.create and update take true for actions without a value, as Terraform sends them, and answer none', async () => {
  const ids = [
    'always_use_https',
    'disable_apps',
    'disable_performance',
    'disable_railgun',
    'disable_security',
    'disable_zaraz',
  ];
  const sent = ids.map((id) => ({ id, value: true }));
  const answered = ids.map((id) => ({ id }));
  const { status, result, messages } = await create('pro.example/a', { actions: sent });
  equal(status, 200, JSON.stringify(messages));
  deepEqual(result.actions, answered);
  const put = { targets: [target('pro.example/a')], actions: sent.slice(1) };
  deepEqual(
    (await control.call(`PUT ${rules}/${result.id}`, { body: put })).result.actions,
    answered.slice(1),
  );
  deepEqual(
    (await control.call(`PATCH ${rules}/${result.id}`, { body: { actions: sent } })).result.actions,
    answered,
  );
  deepEqual((await control.call(`GET ${rules}/${result.id}`)).result.actions, answered);
  for (const value of [false, 'true', 'on', 0, {}]) {
    const refused = await create('pro.example/b', { actions: [{ id: 'disable_security', value }] });
    deepEqual(refusals(refused), ['.settings.disable_security: takes no value: leave it out']);
  }
});

test('pageRules.create refuses bodies of another shape with a pointer', async () => {
  const cases: readonly (readonly [object, string])[] = [
    [{ targets: [] }, '/targets'],
    [{ targets: [target('a'), target('b')] }, '/targets'],
    [{ actions: [] }, '/actions'],
    [{ actions: [{ value: 'on' }] }, '/actions/0/id'],
    [{ priority: -1 }, '/priority'],
    [{ status: 'paused' }, '/status'],
    [
      { targets: [{ target: 'url', constraint: { operator: 'contains', value: 'a' } }] },
      '/targets/0/constraint/operator',
    ],
    [{ target: [] }, '/target'],
  ];
  for (const [rest, pointer] of cases) {
    const { status, errors } = await create('pro.example/a', rest);
    equal(status, 400);
    deepEqual([errors[0]!.code, errors[0]!.source], [10026, { pointer }]);
  }
});

test('pageRules.create stops at the number of rules that the plan includes', async () => {
  rules = `/zones/${control.zone('free')}/pagerules`;
  for (const path of ['a', 'b', 'c']) equal((await create(`free.example/${path}`)).status, 200);
  const { status, errors } = await create('free.example/d');
  equal(status, 400);
  deepEqual(errors, [{ code: 1010, message: 'Page Rule quota reached: the plan of the zone includes 3' }]);
  const [first] = (await control.call(`GET ${rules}`)).result;
  await control.call(`DELETE ${rules}/${first.id}`);
  equal((await create('free.example/d')).status, 200);
});

test('pageRules.list gives the rule that wins first; of equal priorities the newest', async () => {
  await create('pro.example/a', { priority: 2 });
  await create('pro.example/b', { priority: 10, status: 'active' });
  await create('pro.example/c', { priority: 2, status: 'active' });
  const listed = async (query: string): Promise<string> => {
    const { result, status } = await control.call(`GET ${rules}${query}`);
    equal(status, 200);
    return result
      .map((rule: { targets: { constraint: { value: string } }[] }) =>
        rule.targets[0]!.constraint.value.at(-1),
      )
      .join('');
  };
  equal(await listed(''), 'bca');
  equal(await listed('?order=priority&direction=asc&match=all'), 'acb');
  equal(await listed('?order=status&direction=asc'), 'bca');
  equal(await listed('?order=status'), 'acb');
  equal(await listed('?status=active'), 'bc');
  equal(await listed('?status=disabled'), 'a');
  equal((await control.call(`GET ${rules}?status=paused`)).errors[0]!.code, 10027);
});

test('pageRules.update replaces everything, pageRules.edit only what it is given', async () => {
  const { result: made } = await create('pro.example/a', { status: 'active', priority: 5 });
  await control.clock.advance(1500);
  const edited = await control.call(`PATCH ${rules}/${made.id}`, { body: { status: 'disabled' } });
  deepEqual(edited.result, { ...made, status: 'disabled', modified_on: edited.result.modified_on });
  equal(Date.parse(edited.result.modified_on) - Date.parse(made.modified_on), 1500);
  const replaced = await control.call(`PUT ${rules}/${made.id}`, {
    body: { targets: [target('pro.example/b')], actions: [{ id: 'waf', value: 'on' }] },
  });
  deepEqual(replaced.result, {
    ...made,
    targets: [target('pro.example/b')],
    actions: [{ id: 'waf', value: 'on' }],
    priority: 1,
    status: 'disabled',
    modified_on: replaced.result.modified_on,
  });
  deepEqual((await control.call(`GET ${rules}/${made.id}`)).result, replaced.result);
});

test('pageRules.update and pageRules.edit check as much as pageRules.create and change nothing when they refuse', async () => {
  const { result: a } = await create('pro.example/a');
  await create('pro.example/b');
  for (const method of ['PUT', 'PATCH']) {
    const call = (body: object): Promise<Envelope> => control.call(`${method} ${rules}/${a.id}`, { body });
    match(
      refusals(await call({ targets: [target('pro.example/b')], actions: security }))[0]!,
      /^\.distinctTargetUrl/,
    );
    match(
      refusals(await call({ targets: [target('other.test/')], actions: security }))[0]!,
      /must name a host of the zone/,
    );
    match(
      refusals(await call({ targets: [target('pro.example/a')], actions: [{ id: 'nothing' }] }))[0]!,
      /is not an action/,
    );
  }
  equal((await control.call(`PUT ${rules}/${a.id}`, { body: { actions: security } })).errors[0]!.code, 10026);
  deepEqual((await control.call(`GET ${rules}/${a.id}`)).result, a);
});

test('pageRules.delete answers the id; what is not there is 1002 for every operation', async () => {
  const { result } = await create('pro.example/a');
  deepEqual((await control.call(`DELETE ${rules}/${result.id}`, { body: {} })).result, { id: result.id });
  const body = { targets: [target('pro.example/a')], actions: security };
  for (const [method, options] of [
    ['GET', {}],
    ['DELETE', {}],
    ['PUT', { body }],
    ['PATCH', { body }],
  ] as const) {
    const { status, errors } = await control.call(`${method} ${rules}/${result.id}`, options);
    equal(status, 400);
    deepEqual(errors, [{ code: 1002, message: 'Invalid Page Rule identifier' }]);
  }
  equal((await control.call(`GET ${rules}/settings`)).errors[0]!.code, 7003);
});

test('pageRules belong to one zone', async () => {
  const { result } = await create('pro.example/a');
  const other = `/zones/${control.zone('business')}/pagerules`;
  deepEqual((await control.call(`GET ${other}`)).result, []);
  equal((await control.call(`GET ${other}/${result.id}`)).errors[0]!.code, 1002);
});

test('pageRules.create refuses to forward to a URL that the rule matches', async () => {
  const forward = (value: string, url: string): Promise<Envelope> =>
    create(value, { actions: [{ id: 'forwarding_url', value: { url, status_code: 301 } }] });
  for (const [value, url] of [
    ['pro.example/*', 'https://pro.example/$1'],
    ['*pro.example/*', 'https://www.pro.example/$2'],
    ['pro.example/old*', 'https://pro.example/old/$1'],
  ] as const)
    match(refusals(await forward(value, url))[0]!, /^\.settings\.forwarding_url: redirects to a URL/, value);
  for (const [value, url] of [
    ['http://pro.example/*', 'https://pro.example/$1'],
    ['pro.example/new*', 'https://www.pro.example/$1'],
  ] as const)
    equal((await forward(value, url)).status, 200, value);
});
