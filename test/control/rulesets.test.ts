import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rulesetProblemCodes } from '#rulesets';
import { codeFamilies, rulesetCodes } from '#contract';
import { TestControl } from './harness.ts';

const custom = 'http_request_firewall_custom';
const absentId = 'f'.repeat(32);
const block = { action: 'block', expression: 'ip.src eq 192.0.2.1' };

let control: TestControl;
let rulesets: string;
before(async () => {
  control = await TestControl.open();
  rulesets = `/zones/${control.zone('enterprise')}/rulesets`;
});
after(() => control.close());

interface Rule {
  readonly id: string;
  readonly version: string;
  readonly ref: string;
}

/** An entry point of a phase that no other test uses. */
async function createRuleset(
  phase: string,
  rules: readonly object[],
): Promise<{ path: string; rules: Rule[] }> {
  const { status, result, errors } = await control.call(`POST ${rulesets}`, {
    body: { name: 'mine', kind: 'zone', phase, rules },
  });
  equal(status, 200, JSON.stringify(errors));
  return { path: `${rulesets}/${result.id}`, rules: result.rules };
}

test('rulesets.create answers with the whole ruleset, in the key order of Cloudflare', async () => {
  const { status, result, messages } = await control.call(`POST ${rulesets}`, {
    body: {
      name: 'default',
      kind: 'zone',
      phase: custom,
      description: 'mine',
      rules: [
        { ...block, description: 'one host', ref: 'host' },
        { action: 'skip', expression: 'ssl', action_parameters: { ruleset: 'current' } },
      ],
    },
  });
  equal(status, 200);
  deepEqual(messages, []);
  deepEqual(Object.keys(result), [
    'id',
    'name',
    'description',
    'kind',
    'version',
    'rules',
    'last_updated',
    'phase',
  ]);
  const [first, second] = result.rules;
  match(result.id, /^[0-9a-f]{32}$/);
  match(result.last_updated, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  equal(result.version, '1');
  deepEqual(first, {
    id: first.id,
    version: '1',
    action: 'block',
    expression: 'ip.src eq 192.0.2.1',
    description: 'one host',
    last_updated: result.last_updated,
    ref: 'host',
    enabled: true,
  });
  equal(second.ref, second.id);
  deepEqual(second.logging, { enabled: true });

  deepEqual((await control.call(`GET ${rulesets}/${result.id}`)).result, result);
  const again = await control.call(`POST ${rulesets}`, {
    body: { name: 'another', kind: 'zone', phase: custom, rules: [] },
  });
  equal(again.status, 400);
  deepEqual(again.errors, [
    {
      code: 20217,
      message: `'zone' is not a valid value for kind because exceeded maximum number of zone rulesets for phase ${custom}`,
      source: { pointer: '/kind' },
    },
  ]);
  equal((await control.call(`DELETE ${rulesets}/${result.id}`)).status, 204);
  equal((await control.call(`GET ${rulesets}/${result.id}`)).status, 404);
});

test('rulesets.create names everything that is wrong with a body, with code and place', async () => {
  const refused = await control.call(`POST ${rulesets}`, {
    body: {
      kind: 'zone',
      phase: custom,
      rulez: [],
      rules: [
        { action: 'block', expression: '' },
        { action: 'block', expression: 'nonsense eq 1' },
        { ...block, logging: { enabled: true } },
        { ...block, action: 'execute', action_parameters: { id: absentId } },
        { ...block, enabled: 'yes' },
        { expression: 'ssl', action_parameters: {} },
      ],
    },
  });
  equal(refused.status, 400);
  equal(refused.result, null);
  deepEqual(
    refused.errors.map(({ code, source }) => [code, source?.pointer]),
    [
      [20902, '/rulez'],
      [20903, '/name'],
      [20125, '/rules/0/expression'],
      [20127, '/rules/1/expression'],
      [20018, '/rules/2/logging'],
      [20907, '/rules/3/action'],
      [20901, '/rules/4/enabled'],
      [20903, '/rules/5/action'],
    ],
  );
  equal(
    refused.errors[2]?.message,
    "'' is not a valid value for expression because the expression cannot be blank",
  );
  match(
    refused.errors[3]!.message,
    /could not parse filter expression: Filter parsing error \(1:1\):\nnonsense eq 1\n\^/,
  );
  equal(refused.errors[7]?.message, 'action is required for action parameters');
});

test('rulesets.create refuses a body that is no ruleset at all', async () => {
  for (const body of ['[]', '"x"', 'null', '17']) {
    const refused = await control.call(`POST ${rulesets}`, { body });
    equal(refused.status, 400, body);
    equal(refused.errors[0]?.code, 20901, body);
  }
  for (const body of ['', '{', '{"name":"a","name":"b"}', '{"__proto__":{}}']) {
    const refused = await control.call(`POST ${rulesets}`, { body });
    deepEqual([refused.status, refused.errors[0]?.code], [400, 10026], body);
  }
});

test('rulesets.list shows those of the zone first, then what its plan can deploy, all without rules', async () => {
  const { path } = await createRuleset('http_response_compression', []);
  const { result, messages, result_info } = await control.call(`GET ${rulesets}?per_page=1&cursor=x`);
  equal(result_info, undefined);
  const own = result.filter(({ kind }: { kind: string }) => kind === 'zone');
  deepEqual(result.slice(0, own.length), own);
  ok(own.every((ruleset: object) => !('rules' in ruleset)));
  const managed = result.filter(({ kind }: { kind: string }) => kind === 'managed');
  ok(managed.some(({ id }: { id: string }) => id === 'efb7b8c949ac4650a09736fc376e9aee'));
  match(messages[0]!.message, /http_response_compression are stored and not evaluated/);
  equal(messages[0]?.code, rulesetCodes.phaseNotEvaluated.code);
  equal((await control.call(`DELETE ${path}`)).status, 204);

  const free = await control.call(`GET /zones/${control.zone('free')}/rulesets`);
  deepEqual(
    free.result.map(({ name }: { name: string }) => name),
    ['Cloudflare Free Managed Ruleset'],
  );
  deepEqual(free.messages, []);
});

test('rulesets.get shows managed rulesets that the plan includes, without what their rules look for', async () => {
  const id = '4814384a9e5d4991b9815dcfc25d2f1f';
  const { status, result } = await control.call(`GET /zones/${control.zone('pro')}/rulesets/${id}`);
  equal(status, 200);
  equal(result.kind, 'managed');
  ok(result.rules.every((rule: object) => !('expression' in rule) && 'categories' in rule));
  const last = result.rules.at(-1);
  deepEqual([last.id, last.score_threshold], ['6179ae15870a4bb7b2d480d4843b323c', 40]);
  const free = await control.call(`GET /zones/${control.zone('free')}/rulesets/${id}`);
  deepEqual([free.status, free.errors[0]?.code], [404, 20931]);
  for (const call of [`PUT ${rulesets}/${id}`, `DELETE ${rulesets}/${id}`, `POST ${rulesets}/${id}/rules`]) {
    const refused = await control.call(call, { body: {} });
    deepEqual([refused.status, refused.errors[0]?.code], [400, 20935], call);
  }
});

test('rulesets say which of them is not installed: in the list, in the ruleset and where one is executed', async () => {
  const id = '4814384a9e5d4991b9815dcfc25d2f1f';
  const zone = `/zones/${control.zone('enterprise')}`;
  const entryPoint = `PUT ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  const body = { rules: [{ action: 'execute', expression: 'true', action_parameters: { id } }] };
  const read = async () => {
    const { result } = await control.call(`GET ${zone}/rulesets`);
    const listed = result.find((ruleset: { id: string }) => ruleset.id === id);
    const { result: whole } = await control.call(`GET ${zone}/rulesets/${id}`);
    const { status, messages } = await control.call(entryPoint, { body });
    equal(status, 200);
    return [listed.content, whole.content, whole.rules.length, messages.map(({ code }) => code)];
  };
  const installed = { installed: true, version: '1.0.0' };
  deepEqual(await read(), [installed, installed, 19, []]);
  await control.control.setCoreRules(undefined);
  const missing = { installed: false, version: null };
  deepEqual(await read(), [missing, missing, 1, [20955]]);
  // Levels can be chosen before there are rules.
  const overrides = { categories: [{ category: 'paranoia-level-4', enabled: false }] };
  const rules = [{ action: 'execute', expression: 'true', action_parameters: { id, overrides } }];
  equal((await control.call(entryPoint, { body: { rules } })).status, 200);
});

test('rulesets that are not there are a 404 for every operation', async () => {
  const absent = `${rulesets}/${absentId}`;
  for (const call of [
    `GET ${absent}`,
    `PUT ${absent}`,
    `DELETE ${absent}`,
    `POST ${absent}/rules`,
    `PATCH ${absent}/rules/${absentId}`,
    `DELETE ${absent}/rules/${absentId}`,
    `GET ${absent}/versions`,
    `GET ${absent}/versions/1`,
    `DELETE ${absent}/versions/1`,
    `GET ${absent}/versions/1/diff`,
    `POST ${absent}/versions/1/restore`,
  ]) {
    const { status, errors } = await control.call(call, { body: {} });
    equal(status, 404, call);
    equal(errors[0]?.code, 20931, call);
    match(errors[0].message, /^could not find ruleset/);
  }
});

test('rulesets.update replaces the rules, keeps ids by id, ref and content, and says which rules vanish', async () => {
  const { path, rules } = await createRuleset('http_request_sanitize', [
    { ...block, ref: 'a' },
    { ...block, ref: 'b', description: 'the second' },
    { ...block, ref: 'c' },
    block,
  ]);
  const [a, b, c, d] = rules as [Rule, Rule, Rule, Rule];
  const { status, result, messages } = await control.call(`PUT ${path}`, {
    body: {
      name: 'mine',
      rules: [
        { ...block, ref: 'c' },
        { ...block, id: a.id, ref: 'renamed' },
        { ...block, id: '', ref: '', version: '' },
        { ...block, id: '', ref: '', version: '', expression: 'ssl' },
      ],
    },
  });
  equal(status, 200);
  equal(result.version, '2');
  const [first, second, third, fourth] = result.rules as [Rule, Rule, Rule, Rule];
  deepEqual([first.id, first.version], [c.id, '1']);
  deepEqual([second.id, second.version, second.ref], [a.id, '2', 'renamed']);
  deepEqual(third, d);
  ok(!rules.some(({ id }) => id === fourth.id));
  const vanish = messages.find(({ code }) => code === rulesetCodes.rulesVanish.code)!;
  match(vanish.message, /^1 of the 4 rules of version 1 are not in the next one: /);
  match(vanish.message, new RegExp(`${b.id} \\(the second\\)\\.`));

  const described = await control.call(`PUT ${path}`, { body: { description: 'only this' } });
  deepEqual(described.result.rules, result.rules);
  deepEqual([described.result.version, described.result.description], ['3', 'only this']);
  ok(!described.messages.some(({ code }) => code === rulesetCodes.rulesVanish.code));

  const refused = await control.call(`PUT ${path}`, {
    body: { kind: 'custom', name: 'other', phase: custom },
  });
  deepEqual(
    refused.errors.map(({ code, source }) => [code, source?.pointer]),
    [
      [20906, '/name'],
      [20906, '/kind'],
      [20906, '/phase'],
    ],
  );
});

test('rulesets.update names only some of many rules that vanish, each shortened', async () => {
  const { path } = await createRuleset(
    'http_log_custom_fields',
    Array.from({ length: 30 }, () => ({ ...block, description: 'x'.repeat(500) })),
  );
  const { messages } = await control.call(`PUT ${path}`, { body: { rules: [] } });
  const vanish = messages.find(({ code }) => code === rulesetCodes.rulesVanish.code)!;
  match(vanish.message, /^30 of the 30 .* and 10 more\./);
  ok(vanish.message.length < 4000);
});

test('rules are added, moved, replaced and deleted one by one, each time with the whole ruleset as the answer', async () => {
  const { path, rules } = await createRuleset('http_request_snippets', [block, block]);
  const [a, b] = rules as [Rule, Rule];
  const added = await control.call(`POST ${path}/rules`, {
    body: { ...block, position: { before: b.id } },
  });
  equal(added.status, 200);
  const ids = (result: { rules: Rule[] }): string[] => result.rules.map(({ id }) => id);
  const [, c] = ids(added.result) as [string, string];
  deepEqual(ids(added.result), [a.id, c, b.id]);

  const moved = await control.call(`PATCH ${path}/rules/${c}`, { body: { position: { index: 1 } } });
  deepEqual(ids(moved.result), [c, a.id, b.id]);
  equal(moved.result.rules[0].version, '1');

  const edited = await control.call(`PATCH ${path}/rules/${c}`, {
    body: { action: 'log', expression: 'ssl', id: c },
  });
  deepEqual([edited.result.rules[0].version, edited.result.rules[0].action], ['2', 'log']);
  equal(edited.result.version, '4');

  const deleted = await control.call(`DELETE ${path}/rules/${a.id}`, { body: {} });
  equal(deleted.status, 200);
  deepEqual(ids(deleted.result), [c, b.id]);

  const cases: [string, object, number, string | undefined][] = [
    [`PATCH ${path}/rules/${c}`, { position: { index: 9 } }, 20912, '/position/index'],
    [`PATCH ${path}/rules/${c}`, { action: 'block' }, 20125, '/expression'],
    [`PATCH ${path}/rules/${c}`, { action_parameters: {}, expression: 'ssl' }, 20903, '/action'],
    [`POST ${path}/rules`, { ...block, position: { before: absentId } }, 20912, '/position/before'],
    [`POST ${path}/rules`, { ...block, position: { before: c, after: c } }, 20912, '/position'],
    [`POST ${path}/rules`, { ...block, ref: b.id }, 20911, '/ref'],
  ];
  for (const [call, body, code, pointer] of cases) {
    const { status, errors } = await control.call(call, { body });
    deepEqual([status, errors[0]?.code, errors[0]?.source?.pointer], [400, code, pointer], call);
  }
  for (const call of [`PATCH ${path}/rules/${absentId}`, `DELETE ${path}/rules/${absentId}`]) {
    const { status, errors } = await control.call(call, { body: block });
    deepEqual([status, errors[0]?.code], [404, 20932], call);
  }
  deepEqual((await control.call(`GET ${path}`)).result, deleted.result);
});

test('rulesets stay within what the plan includes', async () => {
  const zone = `/zones/${control.zone('free')}/rulesets`;
  const { errors } = await control.call(`POST ${zone}`, {
    body: { name: 'x', kind: 'zone', phase: custom, rules: Array.from({ length: 6 }, () => block) },
  });
  deepEqual(errors, [
    {
      code: 50001,
      message: `exceeded the maximum number of rules in the phase ${custom}: 6 out of 5`,
      source: { pointer: '/rules' },
    },
  ]);
  const full = await control.call(`POST ${zone}`, {
    body: { name: 'x', kind: 'zone', phase: custom, rules: Array.from({ length: 5 }, () => block) },
  });
  const sixth = await control.call(`POST ${zone}/${full.result.id}/rules`, { body: block });
  deepEqual([sixth.status, sixth.errors[0]?.code], [400, 50001]);
  const regex = await control.call(`PATCH ${zone}/${full.result.id}/rules/${full.result.rules[0].id}`, {
    body: { action: 'block', expression: 'http.host matches "a"' },
  });
  deepEqual(
    [regex.status, regex.errors[0]?.code, regex.errors[0]?.source?.pointer],
    [400, 20908, '/expression'],
  );
});

test('rulesets cannot exceed the size of a row, one rule at a time or at once', async () => {
  const heavy = { ...block, action_parameters: { padding: 'x'.repeat(30_000) } };
  const { path } = await createRuleset(
    'http_request_cloud_connector',
    Array.from({ length: 104 }, () => heavy),
  );
  const refused = await control.call(`POST ${path}/rules`, { body: heavy });
  deepEqual([refused.status, refused.errors[0]?.code], [400, 20939]);
  equal((await control.call(`GET ${path}`)).result.version, '1');
  // Its audit log line contains all rules twice.
  const others = Array.from({ length: 104 }, () => ({ ...heavy, expression: 'ssl' }));
  equal((await control.call(`PUT ${path}`, { body: { rules: others } })).result.version, '2');
});

test('dry_run checks every write and changes nothing', async () => {
  const { path, rules } = await createRuleset('http_response_cache_settings', [block]);
  await control.call(`PUT ${path}`, { body: { description: 'second' } });
  const before = await control.call(`GET ${path}`);
  const listed = (await control.call(`GET ${rulesets}`)).result;
  const rule = `${path}/rules/${rules[0]!.id}`;
  const good: [string, object | undefined, number][] = [
    [`POST ${rulesets}`, { name: 'x', kind: 'zone', phase: 'ddos_l7', rules: [] }, 200],
    [`PUT ${path}`, { rules: [] }, 200],
    [`DELETE ${path}`, undefined, 204],
    [`POST ${path}/rules`, block, 200],
    [`PATCH ${rule}`, block, 200],
    [`DELETE ${rule}`, undefined, 200],
    [`DELETE ${path}/versions/1`, undefined, 204],
    [`POST ${path}/versions/1/restore`, undefined, 200],
    [`PUT ${rulesets}/phases/ddos_l7/entrypoint`, { rules: [block] }, 200],
  ];
  for (const [call, body, status] of good) {
    const answer = await control.call(`${call}?dry_run=true`, body === undefined ? {} : { body });
    equal(answer.status, status, call);
    if (status === 200) equal(answer.result, null, call);
  }
  const warned = await control.call(`PUT ${path}?dry_run=true`, { body: { rules: [] } });
  ok(warned.messages.some(({ code }) => code === rulesetCodes.rulesVanish.code));
  const bad = await control.call(`POST ${path}/rules?dry_run=true`, { body: {} });
  equal(bad.status, 400);
  deepEqual((await control.call(`GET ${path}`)).result, before.result);
  deepEqual((await control.call(`GET ${rulesets}`)).result, listed);
  equal((await control.call(`GET ${path}/versions`)).result.length, 2);
});

test('every change of a ruleset is a line of the audit log, with what changed', async () => {
  const { path, rules } = await createRuleset('http_request_cache_settings', [block]);
  const id = path.split('/').at(-1)!;
  await control.call(`PATCH ${path}/rules/${rules[0]!.id}`, { body: { ...block, enabled: false } });
  await control.call(`PUT ${path}?dry_run=1`, { body: { rules: [] } });
  await control.call(`PUT ${path}`, { body: { rules: 17 } });
  await control.call(`DELETE ${path}/versions/1`);
  await control.call(`DELETE ${path}`);
  const zone = rulesets.replace('/rulesets', '');
  const { result } = await control.call(`GET ${zone}/audit_logs?per_page=1000&direction=asc`);
  const lines = result.filter(({ resource }: { resource: { id: string } }) => resource.id === id);
  deepEqual(
    lines.map(({ metadata, action, resource }: Record<string, Record<string, string>>) => [
      metadata!['operation'],
      action!['type'],
      resource!['type'],
    ]),
    [
      ['rulesets.create', 'add', 'ruleset'],
      ['rulesets.editRule', 'change', 'ruleset'],
      ['rulesets.deleteVersion', 'delete', 'ruleset_version'],
      ['rulesets.delete', 'delete', 'ruleset'],
    ],
  );
  const [, edit] = lines;
  deepEqual([edit.oldValueJson.version, edit.newValueJson.version], ['1', '2']);
  deepEqual(edit.newValueJson.changes.changed, [
    { id: rules[0]!.id, fields: [{ field: 'enabled', before: true, after: false }] },
  ]);
  equal(lines[3].oldValueJson.rules.length, 1);
});

test('a problem of any kind has its entry in the catalogue of codes', () => {
  const catalogued = new Set(
    Object.values(codeFamilies)
      .flatMap((family) => Object.values(family))
      .map(({ code }) => code),
  );
  for (const { code } of Object.values(rulesetProblemCodes)) ok(catalogued.has(code), String(code));
});
