import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
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

test('settings.list has every setting that Terraform reads, each as settings.get has it, none but waf editable', async () => {
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
  const all = (await control.call(`GET ${settings}`)).result as { id: string; value: unknown }[];
  const ids = all.map(({ id }) => id);
  for (const id of alone) equal(ids.includes(id), true, id);
  deepEqual(ids, [...new Set(ids)].toSorted());
  for (const setting of all) {
    deepEqual((await control.call(`GET ${settings}/${setting.id}`)).result, setting);
  }
  deepEqual(
    all.filter((setting) => (setting as { editable?: boolean }).editable).map(({ id }) => id),
    ['waf'],
  );
  const valueOf = (id: string) => all.find((setting) => setting.id === id)?.value;
  deepEqual(valueOf('nel'), { enabled: false });
  deepEqual(valueOf('challenge_ttl'), 1800);
  deepEqual(valueOf('proxy_read_timeout'), '100');
});

test('settings.edit refuses to change a setting without effect, and takes the value it has', async () => {
  const refused = await control.call(`PATCH ${settings}/min_tls_version`, { body: { value: '1.2' } });
  deepEqual(
    [refused.status, refused.errors],
    [
      400,
      [
        {
          code: 1015,
          message:
            'Not allowed to edit setting for min_tls_version: it has no effect here and stays "1.0". Leave it out',
        },
      ],
    ],
  );
  const same = await control.call(`PATCH ${settings}/nel`, { body: { value: { enabled: false } } });
  deepEqual([same.status, same.result.value], [200, { enabled: false }]);
  const items = [
    { id: 'ssl', value: 'strict' },
    { id: 'waf', value: 'on' },
  ];
  equal((await control.call(`PATCH ${settings}`, { body: { items } })).errors[0]!.code, 1015);
  equal((await control.call(`GET ${settings}/waf`)).result.value, 'off');
  const whole = (await control.call(`GET ${settings}`)).result as object[];
  const sent = await control.call(`PATCH ${settings}`, { body: { items: whole } });
  deepEqual([sent.status, sent.result], [200, whole]);
});
