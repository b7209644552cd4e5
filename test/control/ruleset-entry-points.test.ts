import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rulesetCodes } from '#contract';
import { TestControl } from './harness.ts';

const custom = 'http_request_firewall_custom';
const managed = 'http_request_firewall_managed';
const managedId = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f';
const lastRuleId = '6179ae15870a4bb7b2d480d4843b323c';
const block = { action: 'block', expression: 'ip.src eq 192.0.2.1' };
const deploy = { action: 'execute', expression: 'true', action_parameters: { id: managedId } };

let control: TestControl;
before(async () => {
  control = await TestControl.open();
});
after(() => control.close());

function entryPoint(plan: 'free' | 'pro' | 'business' | 'enterprise', phase: string): string {
  return `/zones/${control.zone(plan)}/rulesets/phases/${phase}/entrypoint`;
}

test('rulesets.getEntryPoint says with the message of Cloudflare that there is none', async () => {
  const { status, errors } = await control.call(`GET ${entryPoint('enterprise', custom)}`);
  equal(status, 404);
  deepEqual(errors, [{ code: 10003, message: `could not find entrypoint ruleset in the ${custom} phase` }]);
});

test('rulesets.updateEntryPoint creates what is not there, then makes the next version of it', async () => {
  const path = entryPoint('enterprise', custom);
  const made = await control.call(`PUT ${path}`, { body: { rules: [{ ...block, ref: 'a' }] } });
  equal(made.status, 200);
  const { name, description, kind, version, phase } = made.result;
  deepEqual(
    { name, description, kind, version, phase },
    { name: 'default', description: '', kind: 'zone', version: '1', phase: custom },
  );
  // The name that a client sends is neither refused nor used.
  const changed = await control.call(`PUT ${path}`, {
    body: { name: 'zone', rules: [{ ...block, ref: 'a' }, block] },
  });
  equal(changed.result.id, made.result.id);
  deepEqual([changed.result.version, changed.result.name], ['2', 'default']);
  deepEqual(changed.result.rules[0], made.result.rules[0]);
  deepEqual(changed.messages, [
    {
      code: rulesetCodes.rulesetNameKept.code,
      message: "the entry point keeps its name 'default': 'zone' is ignored",
    },
  ]);
  deepEqual((await control.call(`GET ${path}`)).result, changed.result);

  const emptied = await control.call(`PUT ${path}`, { body: { rules: [] } });
  equal(emptied.messages[0]?.code, rulesetCodes.rulesVanish.code);
  match(emptied.messages[0].message, /2 of the 2 rules of version 2/);
});

test('a create flow that asks, deletes an empty entry point, posts and then puts leaves one ruleset', async () => {
  const rulesets = `/zones/${control.zone('business')}/rulesets`;
  const path = entryPoint('business', custom);
  const empty = await control.call(`PUT ${path}`, { body: { rules: [] } });
  const seen = (await control.call(`GET ${path}`)).result;
  deepEqual([seen.rules, seen.description], [[], '']);
  equal((await control.call(`DELETE ${rulesets}/${empty.result.id}`)).status, 204);
  const posted = await control.call(`POST ${rulesets}`, {
    body: { name: 'terraform', description: '', kind: 'zone', phase: custom, rules: [] },
  });
  equal(posted.status, 200);
  const put = await control.call(`PUT ${path}`, {
    body: {
      name: 'terraform',
      description: '',
      kind: 'zone',
      phase: custom,
      rules: [{ ...block, enabled: true }],
    },
  });
  equal(put.status, 200);
  deepEqual([put.result.id, put.result.version, put.result.name], [posted.result.id, '2', 'terraform']);
  const own = (await control.call(`GET ${rulesets}`)).result.filter(
    ({ kind }: { kind: string }) => kind === 'zone',
  );
  equal(own.length, 1);
});

test('entry points of phases that are not evaluated are kept, with a message that says so', async () => {
  const path = entryPoint('pro', 'http_request_snippets');
  const body = { rules: [{ ...block, action: 'route', action_parameters: { host_header: 'a.example' } }] };
  const message = [
    { code: 20952, message: 'rulesets of http_request_snippets are stored and not evaluated' },
  ];
  const put = await control.call(`PUT ${path}`, { body });
  deepEqual(put.messages, message);
  const get = await control.call(`GET ${path}`);
  deepEqual([get.result, get.messages], [put.result, message]);
  deepEqual(get.result.rules[0].action_parameters, body.rules[0]!.action_parameters);
});

test('a phase that there is not is refused, with a guess', async () => {
  for (const [phase, guess] of [
    ['http_request_firewall_costum', 'did you mean http_request_firewall_custom'],
    ['magic_transit', 'the zone has no phase magic_transit'],
  ] as const) {
    const path = entryPoint('pro', phase);
    for (const call of [`GET ${path}`, `PUT ${path}`, `GET ${path}/versions`, `GET ${path}/versions/1`]) {
      const { status, errors } = await control.call(call, { body: { rules: [] } });
      deepEqual([status, errors[0]?.code], [400, 20934], call);
      ok(errors[0]!.message.includes(guess), errors[0]!.message);
    }
  }
  equal((await control.call(`GET ${entryPoint('pro', 'No%20Phase')}`)).errors[0]?.code, 7003);
});

test('managed rulesets are deployed with overrides, and what overrides name must exist', async () => {
  const path = entryPoint('enterprise', managed);
  const overrides = {
    categories: [
      { category: 'paranoia-level-3', enabled: false },
      { category: 'paranoia-level-4', enabled: false },
    ],
    rules: [{ id: lastRuleId, action: 'log', score_threshold: 40 }],
  };
  const put = await control.call(`PUT ${path}`, {
    body: {
      rules: [
        { action: 'skip', expression: 'ssl', action_parameters: { rulesets: [owaspId] } },
        { ...deploy, action_parameters: { id: owaspId, overrides } },
        deploy,
      ],
    },
  });
  equal(put.status, 200, JSON.stringify(put.errors));
  equal(put.result.source, 'firewall_managed');
  deepEqual(put.result.rules[1].action_parameters, { id: owaspId, version: 'latest', overrides });

  const cases: [object, number, string][] = [
    [{ id: 'f'.repeat(32) }, 20910, '/rules/0/action_parameters/id'],
    [{ id: managedId, overrides: {} }, 20903, '/rules/0/action_parameters/overrides'],
    [
      { id: managedId, overrides: { rules: [{ id: lastRuleId, enabled: false }] } },
      20910,
      '/rules/0/action_parameters/overrides/rules/0/id',
    ],
    [
      { id: owaspId, overrides: { categories: [{ category: 'paranoia-level-9', enabled: false }] } },
      20910,
      '/rules/0/action_parameters/overrides/categories/0/category',
    ],
  ];
  for (const [action_parameters, code, pointer] of cases) {
    const { status, errors } = await control.call(`PUT ${path}`, {
      body: { rules: [{ ...deploy, action_parameters }] },
    });
    deepEqual([status, errors[0]?.code, errors[0]?.source?.pointer], [400, code, pointer]);
  }
  const twice = await control.call(`PUT ${path}`, { body: { rules: [deploy, deploy] } });
  deepEqual(twice.errors[0]?.source, { pointer: '/rules/1/action_parameters/id' });
  deepEqual((await control.call(`GET ${path}`)).result, put.result);
});

test('a Free zone deploys the free managed ruleset and no other', async () => {
  const path = entryPoint('free', managed);
  const refused = await control.call(`PUT ${path}`, { body: { rules: [deploy] } });
  deepEqual(
    [refused.status, refused.errors[0]?.code, refused.errors[0]?.source?.pointer],
    [400, 20908, '/rules/0/action_parameters/id'],
  );
  const free = { ...deploy, action_parameters: { id: '77454fe2d30c4220b5701f6fdfb893ba' } };
  equal((await control.call(`PUT ${path}`, { body: { rules: [free] } })).status, 200);
});

test('before migration, rules of the managed phase are disabled on the Pro and Business plans', async () => {
  for (const plan of ['pro', 'business'] as const) {
    const path = entryPoint(plan, managed);
    const rulesets = `/zones/${control.zone(plan)}/rulesets`;
    const off = { ...deploy, enabled: false };
    const owasp = { ...deploy, action_parameters: { id: owaspId } };
    const refused = await control.call(`PUT ${path}`, { body: { rules: [off, owasp] } });
    equal(refused.status, 400);
    deepEqual(
      refused.errors.map(({ code, source }) => [code, source?.pointer]),
      [[20940, '/rules/1/enabled']],
    );
    equal((await control.call(`GET ${path}`)).status, 404);
    const posted = await control.call(`POST ${rulesets}`, {
      body: { name: 'x', kind: 'zone', phase: managed, rules: [deploy] },
    });
    deepEqual([posted.status, posted.errors[0]?.code], [400, 20940]);

    const { result } = await control.call(`PUT ${path}`, { body: { rules: [off] } });
    const rule = `${rulesets}/${result.id}/rules/${result.rules[0].id}`;
    const enabled = await control.call(`PATCH ${rule}`, { body: deploy });
    deepEqual([enabled.status, enabled.errors[0]?.source?.pointer], [400, '/enabled']);
    const added = await control.call(`POST ${rulesets}/${result.id}/rules`, { body: owasp });
    deepEqual([added.status, added.errors[0]?.code], [400, 20940]);
    equal((await control.call(`PUT ${rulesets}/${result.id}`, { body: { rules: [deploy] } })).status, 400);
    deepEqual((await control.call(`GET ${path}`)).result, result);
  }
});

test('the bodies of the migration guide are taken as they are: with empty ids, versions and refs, or without', async () => {
  const path = entryPoint('business', managed);
  const rule = {
    id: '',
    version: '',
    action: 'execute',
    expression: 'true',
    description: '',
    ref: '',
    enabled: false,
    action_parameters: {
      id: managedId,
      version: '',
      overrides: { rules: [{ id: '23ee7cebe6e8443e99ecf932ab579455', action: 'log', enabled: false }] },
    },
  };
  const first = await control.call(`PUT ${path}`, { body: { name: 'default', rules: [rule] } });
  equal(first.status, 200, JSON.stringify(first.errors));
  const [stored] = first.result.rules;
  match(stored.id, /^[0-9a-f]{32}$/);
  deepEqual([stored.ref, stored.version, 'description' in stored], [stored.id, '1', false]);
  const { id: _id, version: _version, ref: _ref, ...bare } = rule;
  equal((await control.call(`PUT ${path}`, { body: { name: 'default', rules: [bare] } })).status, 200);
  // The response can be sent back.
  const whole = (await control.call(`GET ${path}`)).result;
  const back = await control.call(`PUT ${path}`, { body: whole });
  equal(back.status, 200, JSON.stringify(back.errors));
  deepEqual(back.result.rules, whole.rules);
  deepEqual(back.messages, []);
});

test('waf_migration belongs to the managed phase and has four values', async () => {
  const elsewhere = await control.call(`PUT ${entryPoint('pro', custom)}?waf_migration=pending&phase_two=1`, {
    body: { rules: [] },
  });
  deepEqual([elsewhere.status, elsewhere.errors[0]?.code], [400, 20941]);
  const before = await control.call(`GET ${entryPoint('pro', managed)}`);
  const unknown = await control.call(`PUT ${entryPoint('pro', managed)}?waf_migration=maybe&phase_two=1`, {
    body: { rules: [] },
  });
  equal(unknown.status, 400);
  deepEqual((await control.call(`GET ${entryPoint('pro', managed)}`)).result, before.result);
});
