import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { actingSettings } from '#zone-settings';
import { TestControl } from './harness.ts';

let control: TestControl;
let settings: string;
beforeEach(async () => {
  control = await TestControl.open();
  settings = `/zones/${control.zone('pro')}/settings`;
});
afterEach(() => control.close());

test('settings.get answers waf off until it is turned on, then with the time of the change', async () => {
  deepEqual((await control.call(`GET ${settings}/waf`)).result, {
    id: 'waf',
    value: 'off',
    editable: true,
    modified_on: null,
  });
  const { status, result } = await control.call(`PATCH ${settings}/waf`, { body: { value: 'on' } });
  equal(status, 200);
  match(result.modified_on, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  deepEqual(result, { id: 'waf', value: 'on', editable: true, modified_on: result.modified_on });
  deepEqual((await control.call(`GET ${settings}/waf`)).result, result);
  const all = (await control.call(`GET ${settings}`)).result as { id: string }[];
  deepEqual(
    all.find(({ id }) => id === 'waf'),
    result,
  );
});

test('settings.edit keeps the time when nothing changes, and takes a whole setting back', async () => {
  const { result } = await control.call(`PATCH ${settings}/waf`, { body: { value: 'on' } });
  await control.clock.advance(1000);
  const body = { ...result, time_remaining: 0 };
  deepEqual((await control.call(`PATCH ${settings}/waf`, { body })).result, result);
});

test('settings.edit refuses unknown settings and values', async () => {
  const unknown = await control.call(`PATCH ${settings}/mirages`, { body: { value: 'on' } });
  equal(unknown.status, 400);
  deepEqual(unknown.errors, [
    { code: 1006, message: 'Unrecognized zone setting name: mirages', source: { pointer: '/id' } },
  ]);
  deepEqual((await control.call(`GET ${settings}/mirages`)).errors, [
    { code: 1006, message: 'Unrecognized zone setting name: mirages' },
  ]);
  for (const body of [{}, { value: 'yes' }, { value: true }, { value: null }, { value: ['on'] }]) {
    const { status, errors } = await control.call(`PATCH ${settings}/waf`, { body });
    equal(status, 400);
    deepEqual(errors, [
      {
        code: 1007,
        message: 'Invalid value for zone setting waf: it takes on or off',
        source: { pointer: '/value' },
      },
    ]);
  }
  equal((await control.call(`PATCH ${settings}/waf`, { body: { values: 'on' } })).errors[0]!.code, 10026);
  equal((await control.call(`GET ${settings}/WAF`)).errors[0]!.code, 7003);
});

test('settings.editMany changes all or nothing and names every mistake', async () => {
  const refused = await control.call(`PATCH ${settings}`, {
    body: {
      items: [
        { id: 'waf', value: 'on' },
        { id: 'polished', value: 'off' },
        { id: 'waf', value: 'x' },
      ],
    },
  });
  equal(refused.status, 400);
  deepEqual(
    refused.errors.map(({ code, source }) => [code, source?.pointer]),
    [
      [1006, '/items/1/id'],
      [1007, '/items/2/value'],
    ],
  );
  equal((await control.call(`GET ${settings}/waf`)).result.value, 'off');
  const item = { id: 'waf', editable: true, modified_on: '', value: 'on', time_remaining: 0 };
  const { status, result } = await control.call(`PATCH ${settings}`, { body: { items: [item] } });
  equal(status, 200);
  deepEqual(result, [(await control.call(`GET ${settings}/waf`)).result]);
  equal(result[0].value, 'on');
  equal((await control.call(`PATCH ${settings}`, { body: { items: [] } })).errors[0]!.code, 10026);
});

test('settings.edit refuses waf on the Free plan, where it is not editable', async () => {
  const free = `/zones/${control.zone('free')}/settings`;
  deepEqual((await control.call(`GET ${free}/waf`)).result, {
    id: 'waf',
    value: 'off',
    editable: false,
    modified_on: null,
  });
  const { status, errors } = await control.call(`PATCH ${free}/waf`, { body: { value: 'on' } });
  equal(status, 400);
  equal(errors[0]!.code, 1015);
  match(
    errors[0]!.message,
    /^Not allowed to edit setting for waf: the Free plan .* Pro plan or a larger one$/,
  );
});

test('settings.list has every setting that Terraform reads, each as settings.get has it', async () => {
  // The provider reads these one by one before it changes any.
  const alone = [
    'binary_ast',
    'h2_prioritization',
    'image_resizing',
    'early_hints',
    'origin_max_http_version',
    'fonts',
    'nel',
    'replace_insecure_js',
    'speed_brain',
    'orange_to_orange',
    'proxy_read_timeout',
  ];
  const all = (await control.call(`GET ${settings}`)).result as Setting[];
  const ids = all.map(({ id }) => id);
  for (const id of alone) equal(ids.includes(id), true, id);
  deepEqual(ids, [...new Set(ids)].toSorted());
  for (const setting of all) {
    deepEqual((await control.call(`GET ${settings}/${setting.id}`)).result, setting);
  }
  // Provider 4 does not send a setting that is not editable, even with the value that it has.
  deepEqual(
    all.filter(({ editable }) => !editable).map(({ id }) => id),
    ['proxy_read_timeout', 'true_client_ip_header'],
  );
  const sent = await control.call(`PATCH ${settings}`, { body: { items: all } });
  deepEqual([sent.status, sent.result], [200, all]);
});

interface Setting {
  readonly id: string;
  readonly value: unknown;
  readonly editable: boolean;
}

test('settings.list shows what is true: nothing is on that this server does not do', async () => {
  const all = (await control.call(`GET ${settings}`)).result as Setting[];
  const values = Object.fromEntries(all.map(({ id, value }) => [id, value]));
  const isOn = all.filter(({ value }) => value === 'on').map(({ id }) => id);
  deepEqual(isOn, [
    'http2',
    'ip_geolocation',
    'ipv6',
    'origin_error_page_pass_thru',
    'tls_1_3',
    'visitor_ip',
    'websockets',
  ]);
  deepEqual(
    [values['min_tls_version'], values['ssl'], values['origin_max_http_version'], values['cache_level']],
    ['1.2', 'strict', '1', 'bypass'],
  );
});

test('settings.edit refuses what cannot act with the reason, and takes the value it has', async () => {
  const refusals = [
    [
      'tls_1_2_only',
      'on',
      /^Not allowed to edit setting for tls_1_2_only: it is "off", because min_tls_version.*Leave it out$/,
    ],
    ['min_tls_version', '1.0', /^Not allowed to edit setting for min_tls_version: TLS 1\.0 is broken/],
    ['tls_1_3', 'zrt', /: Node\.js accepts no early data/],
    ['true_client_ip_header', 'on', /: the Pro plan is not entitled to true_client_ip_header "on"/],
    ['max_upload', 200, /: the Pro plan is not entitled to max_upload 200/],
  ] as const;
  for (const [id, value, message] of refusals) {
    const { status, errors } = await control.call(`PATCH ${settings}/${id}`, { body: { value } });
    deepEqual([status, errors.map(({ code }) => code)], [400, [1015]], id);
    match(errors[0]!.message, message);
  }
  const same = await control.call(`PATCH ${settings}/nel`, { body: { value: { enabled: false } } });
  deepEqual([same.status, same.result.value], [200, { enabled: false }]);
  const items = [
    { id: 'visitor_ip', value: 'off' },
    { id: 'waf', value: 'on' },
  ];
  equal((await control.call(`PATCH ${settings}`, { body: { items } })).errors[0]!.code, 1015);
  equal((await control.call(`GET ${settings}/waf`)).result.value, 'off');
});

test('settings that do nothing here keep what they are sent, and the answer says so', async () => {
  for (const [id, value, other] of [
    ['email_obfuscation', 'on', { on: true }],
    ['polish', 'lossy', 1],
    ['http3', 'on', null],
    ['browser_cache_ttl', 14_400, '14400'],
    ['nel', { enabled: true }, ['on']],
  ] as const) {
    const { status, result, messages } = await control.call(`PATCH ${settings}/${id}`, { body: { value } });
    deepEqual([status, result.value, messages.map(({ code }) => code)], [200, value, [20957]], id);
    deepEqual((await control.call(`GET ${settings}/${id}`)).result, result);
    const refused = await control.call(`PATCH ${settings}/${id}`, { body: { value: other } });
    deepEqual([refused.status, refused.errors[0]!.code], [400, 1007], id);
  }
  const back = await control.call(`PATCH ${settings}/polish`, { body: { value: 'off' } });
  deepEqual([back.result.value, back.messages], ['off', []]);
});

test('settings.edit takes every value of every setting that acts, and no other', async () => {
  const enterprise = `/zones/${control.zone('enterprise')}/settings`;
  for (const [id, { kind }] of Object.entries(actingSettings)) {
    for (const value of kind.choices ?? []) {
      const { status, result, errors } = await control.call(`PATCH ${enterprise}/${id}`, { body: { value } });
      // Each is valid, but not both together.
      if (errors[0]?.message.includes('no version of TLS') === true) continue;
      deepEqual([status, result?.value, result?.editable], [200, value, true], id);
    }
    for (const value of ['wrong', -1, null, [], {}]) {
      if (id === 'ciphers' && Array.isArray(value)) continue;
      const { status, errors } = await control.call(`PATCH ${enterprise}/${id}`, { body: { value } });
      deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [400, 1007, '/value'], id);
    }
  }
});

test('settings.edit keeps values that are no words: ciphers, seconds and the fields of security_header', async () => {
  const enterprise = `/zones/${control.zone('enterprise')}/settings`;
  const header = { enabled: true, max_age: 300, include_subdomains: true, preload: false, nosniff: true };
  const cases = [
    ['ciphers', ['AES128-SHA', 'ECDHE-RSA-AES128-SHA', 'AES128-SHA'], ['AES128-SHA', 'ECDHE-RSA-AES128-SHA']],
    ['proxy_read_timeout', 30, '30'],
    ['proxy_read_timeout', '6000', '6000'],
    ['security_header', { strict_transport_security: header }, { strict_transport_security: header }],
    [
      'security_header',
      { strict_transport_security: { enabled: false, max_age: 0 } },
      // Omitted fields stay.
      { strict_transport_security: { ...header, enabled: false, max_age: 0 } },
    ],
  ] as const;
  for (const [id, value, shown] of cases) {
    const { status, result } = await control.call(`PATCH ${enterprise}/${id}`, { body: { value } });
    deepEqual([status, result?.value], [200, shown], id);
    deepEqual((await control.call(`GET ${enterprise}/${id}`)).result.value, shown, id);
  }
  for (const [id, value] of [
    ['ciphers', ['RC4']],
    ['proxy_read_timeout', 6001],
    ['proxy_read_timeout', '1e3'],
    ['security_header', { strict_transport_security: { max_age: -1 } }],
    ['security_header', { strict_transport_security: { enabled: 'on' } }],
    ['security_header', { strict_transport_security: { max_ages: 1 } }],
  ] as const) {
    const { errors } = await control.call(`PATCH ${enterprise}/${id}`, { body: { value } });
    equal(errors[0]?.code, 1007, JSON.stringify(value));
  }
});

test('settings.editMany refuses settings that leave no version of TLS, whichever comes first', async () => {
  const both = [
    { id: 'min_tls_version', value: '1.3' },
    { id: 'tls_1_3', value: 'off' },
  ];
  for (const items of [both, both.toReversed()]) {
    const { status, errors } = await control.call(`PATCH ${settings}`, { body: { items } });
    deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [400, 1015, '/items/0/value']);
  }
  equal((await control.call(`PATCH ${settings}/tls_1_3`, { body: { value: 'off' } })).status, 200);
  const early = await control.call(`PATCH ${settings}/min_tls_version`, { body: { value: '1.3' } });
  equal(early.status, 400);
  match(early.errors[0]!.message, /Set tls_1_3 to on first/);
  const items = [both[0], { id: 'tls_1_3', value: 'on' }];
  equal((await control.call(`PATCH ${settings}`, { body: { items } })).status, 200);
  const late = await control.call(`PATCH ${settings}/tls_1_3`, { body: { value: 'off' } });
  match(late.errors[0]!.message, /Set min_tls_version to 1\.2 first, .*depends_on/);
});

test('settings.get shows for ssl what the origin means, until it is chosen', async () => {
  const read = async (): Promise<unknown> => (await control.call(`GET ${settings}/ssl`)).result.value;
  const put = (origin: object) =>
    control.call(`PUT ${settings.replace('settings', 'edge')}`, { body: { origin } });
  await put({ url: 'http://192.0.2.1' });
  equal(await read(), 'flexible');
  await put({ url: 'https://192.0.2.1', verify_tls: false });
  equal(await read(), 'full');
  await control.call(`PATCH ${settings}/ssl`, { body: { value: 'full' } });
  await put({ url: 'https://192.0.2.1' });
  equal(await read(), 'full');
});

test('settings.get counts development_mode down, and it ends by itself', async () => {
  const path = `${settings}/development_mode`;
  equal((await control.call(`GET ${path}`)).result.time_remaining, 0);
  const { result } = await control.call(`PATCH ${path}`, { body: { value: 'on' } });
  deepEqual([result.value, result.time_remaining], ['on', 10_800]);
  await control.clock.advance(3_600_000);
  equal((await control.call(`GET ${path}`)).result.time_remaining, 7_200);
  await control.clock.advance(7_200_000);
  const ended = (await control.call(`GET ${path}`)).result;
  deepEqual([ended.value, ended.time_remaining], ['off', 0]);
  // It can be turned on again.
  equal((await control.call(`PATCH ${path}`, { body: { value: 'on' } })).result.time_remaining, 10_800);
});
