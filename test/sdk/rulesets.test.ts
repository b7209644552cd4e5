import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { all, drive, type Session } from './session.ts';

const custom = 'http_request_firewall_custom';
const managed = 'http_request_firewall_managed';
const managedRuleset = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspRuleset = '4814384a9e5d4991b9815dcfc25d2f1f';
const absentId = 'f'.repeat(32);

/** The SDK types every answer with a ruleset as unknown, because of dry runs. */
interface Ruleset {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly version: string;
  readonly phase: string;
  readonly last_updated: string;
  readonly rules: readonly Rule[];
}
interface Rule {
  readonly id: string;
  readonly version: string;
  readonly ref: string;
  readonly action: string;
  readonly expression?: string;
  readonly enabled: boolean;
  readonly categories?: readonly string[];
}
const ruleset = async (answer: PromiseLike<unknown>): Promise<Ruleset> => (await answer) as Ruleset;

const block = (address: string) => ({ action: 'block' as const, expression: `ip.src eq ${address}` });
const idsOf = ({ rules }: Ruleset): string[] => rules.map(({ id }) => id);

/** Where rulesets are, with a phase that has no entry point yet. */
interface Level {
  readonly where: { readonly zone_id: string } | { readonly account_id: string };
  readonly path: string;
  readonly kind: 'zone' | 'root';
  readonly expression: string;
}

async function levels({ account_id, zone }: Session): Promise<Level[]> {
  const zone_id = await zone('enterprise');
  return [
    { where: { zone_id }, path: `/zones/${zone_id}`, kind: 'zone', expression: 'ssl' },
    {
      where: { account_id },
      path: `/accounts/${account_id}`,
      kind: 'root',
      expression: '(ssl) and cf.zone.plan eq "ENT"',
    },
  ];
}

drive(['rulesets'], {
  'rulesets.create, get, update and delete work at both levels': async (session) => {
    const { client } = session;
    for (const { where, kind, expression } of await levels(session)) {
      const rules = [
        { action: 'skip' as const, expression, action_parameters: { ruleset: 'current' as const } },
      ];
      const made = await ruleset(
        client.rulesets.create({ ...where, kind, name: 'mine', phase: custom, description: 'd', rules }),
      );
      deepEqual([made.kind, made.phase, made.version, made.rules.length], [kind, custom, '1', 1]);
      match(made.last_updated, /\.\d{6}Z$/);
      deepEqual(await client.rulesets.get(made.id, where), made);
      const updated = await ruleset(
        client.rulesets.update(made.id, {
          ...where,
          description: 'other',
          rules: [{ ...rules[0]!, id: made.rules[0]!.id }],
        }),
      );
      deepEqual([updated.version, updated.description, idsOf(updated)], ['2', 'other', idsOf(made)]);
      await session.refuses(
        () => client.rulesets.create({ ...where, kind, name: 'second', phase: custom, rules: [] }),
        { status: 400, code: 20217, pointer: '/kind' },
      );
      // 204: nothing to read.
      equal(await client.rulesets.delete(made.id, where), null);
      await session.refuses(() => client.rulesets.get(made.id, where), { status: 404, code: 20931 });
    }
  },

  'rulesets.list ends without a cursor, and shows what can be deployed': async (session) => {
    const { client } = session;
    for (const { where, path } of await levels(session)) {
      let listed: { id: string; kind: string }[] = [];
      const sent = await session.sentBy(async () => {
        listed = await all(client.rulesets.list({ ...where, per_page: 5 }));
      });
      deepEqual(sent, [`GET ${path}/rulesets?per_page=5`]);
      const ids = new Set(listed.filter(({ kind }) => kind === 'managed').map(({ id }) => id));
      ok(ids.has(managedRuleset) && ids.has(owaspRuleset));
      ok(listed.every((each) => !('rules' in each)));
    }
  },

  'rulesets.phases.update creates the entry point, then changes it; get and versions show it': async (
    session,
  ) => {
    const { client } = session;
    for (const { where, expression } of await levels(session)) {
      const { phases } = client.rulesets;
      await session.refuses(() => phases.get(managed, where), { status: 404, code: 10003 });
      deepEqual((await phases.versions.list(managed, where)).result, []);
      const execute = {
        action: 'execute' as const,
        expression,
        action_parameters: {
          id: owaspRuleset,
          overrides: {
            categories: [{ category: 'paranoia-level-4', enabled: false }],
            rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 60, action: 'log' }],
          },
        },
      };
      const first = await ruleset(phases.update(managed, { ...where, name: 'default', rules: [execute] }));
      deepEqual([first.name, first.version], ['default', '1']);
      deepEqual(await phases.get(managed, where), first);
      const second = await ruleset(
        phases.update(managed, { ...where, rules: [{ ...execute, id: first.rules[0]!.id, enabled: false }] }),
      );
      deepEqual([second.version, second.rules[0]!.version, idsOf(second)], ['2', '2', idsOf(first)]);
      deepEqual(
        (await all(phases.versions.list(managed, where))).map(({ version }) => version),
        ['1', '2'],
      );
      deepEqual(await phases.versions.get('1', { ...where, ruleset_phase: managed }), first);
      await session.refuses(() => phases.versions.get('9', { ...where, ruleset_phase: managed }), {
        status: 404,
        code: 20933,
      });
      equal(await client.rulesets.delete(first.id, where), null);
    }
  },

  'rulesets.rules are created at a position, edited, moved and deleted': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    const { rules } = client.rulesets;
    const start = await ruleset(
      client.rulesets.phases.update(custom, {
        zone_id,
        rules: [
          { ...block('192.0.2.1'), ref: 'first' },
          { ...block('192.0.2.2'), ref: 'second' },
        ],
      }),
    );
    const refs = ({ rules: each }: Ruleset): string => each.map(({ ref }) => ref).join(' ');
    const at = (position: object, ref: string) =>
      ruleset(rules.create(start.id, { zone_id, ...block(`192.0.2.${ref.length}`), ref, position }));
    equal(refs(await at({ before: start.rules[0]!.id }, 'xxx')), 'xxx first second');
    equal(refs(await at({ index: 2 }, 'xxxx')), 'xxx xxxx first second');
    const added = await at({ after: '' }, 'xxxxx');
    equal(refs(added), 'xxx xxxx first second xxxxx');
    const [, , { id: firstId }] = added.rules as [Rule, Rule, Rule];
    const edit = { zone_id, ruleset_id: start.id };
    const moved = await ruleset(rules.edit(firstId, { ...edit, position: { index: 5 } }));
    equal(refs(moved), 'xxx xxxx second xxxxx first');
    const edited = await ruleset(
      rules.edit(firstId, { ...edit, action: 'challenge', expression: 'ssl', ref: 'first', enabled: false }),
    );
    const { action, version, enabled } = edited.rules.at(-1)!;
    deepEqual([action, version, enabled], ['challenge', '2', false]);
    const deleted = await ruleset(rules.delete(firstId, edit));
    equal(refs(deleted), 'xxx xxxx second xxxxx');
    await session.refuses(() => rules.delete(firstId, edit), { status: 404, code: 20932 });
    await session.refuses(() => rules.edit(absentId, { ...edit, position: { index: 1 } }), {
      status: 404,
      code: 20932,
    });
    await session.refuses(
      () => rules.create(start.id, { zone_id, ...block('192.0.2.9'), position: { index: 99 } }),
      { status: 400, code: 20912 },
    );
  },

  'rulesets.versions are listed, read and deleted, but not the current one': async (session) => {
    const { client } = session;
    for (const { where, expression } of await levels(session)) {
      const rules = [
        { action: 'skip' as const, expression, action_parameters: { ruleset: 'current' as const } },
      ];
      const first = await ruleset(client.rulesets.phases.update(custom, { ...where, rules }));
      const { id } = await ruleset(client.rulesets.phases.update(custom, { ...where, rules: [] }));
      const { versions } = client.rulesets;
      deepEqual(
        (await all(versions.list(id, where))).map(({ version }) => version),
        ['1', '2'],
      );
      const within = { ...where, ruleset_id: id };
      deepEqual(await versions.get('1', within), first);
      await session.refuses(() => versions.delete('2', within), { status: 400, code: 20937 });
      equal(await versions.delete('1', within), null);
      await session.refuses(() => versions.get('1', within), { status: 404, code: 20933 });
      await client.rulesets.delete(id, where);
    }
  },

  'rulesets with dry_run only check: null, and nothing changes': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    const made = await ruleset(
      client.rulesets.phases.update(custom, { zone_id, rules: [block('192.0.2.1')] }),
    );
    const dry = { zone_id, dry_run: true };
    const within = { ...dry, ruleset_id: made.id };
    const [{ id: ruleId }] = made.rules as [Rule];
    deepEqual(
      [
        await client.rulesets.phases.update(custom, { ...dry, rules: [] }),
        await client.rulesets.update(made.id, { ...dry, rules: [] }),
        await client.rulesets.rules.create(made.id, { ...dry, ...block('192.0.2.2') }),
        await client.rulesets.rules.edit(ruleId, { ...within, ...block('192.0.2.3') }),
        await client.rulesets.rules.delete(ruleId, within),
        await client.rulesets.delete(made.id, dry),
      ],
      [null, null, null, null, null, null],
    );
    deepEqual(await client.rulesets.phases.get(custom, { zone_id }), made);
    await session.refuses(
      () =>
        client.rulesets.phases.update(custom, { ...dry, rules: [{ action: 'block', expression: 'nope' }] }),
      { status: 400, code: 20127, pointer: '/rules/0/expression' },
    );
  },

  'account rulesets of kind custom are executed by an entry point, and stay while they are': async (
    session,
  ) => {
    const { client, account_id } = session;
    const where = { account_id };
    const own = await ruleset(
      client.rulesets.create({
        ...where,
        kind: 'custom',
        name: 'own',
        phase: custom,
        rules: [block('192.0.2.1')],
      }),
    );
    const execute = {
      action: 'execute' as const,
      expression: '(http.host eq "a.example") and cf.zone.plan eq "ENT"',
      action_parameters: { id: own.id },
    };
    const root = await ruleset(client.rulesets.phases.update(custom, { ...where, rules: [execute] }));
    await session.refuses(() => client.rulesets.delete(own.id, where), {
      status: 400,
      code: 20936,
      id: root.id,
    });
    await session.refuses(
      () => client.rulesets.phases.update(custom, { ...where, rules: [{ ...execute, expression: 'true' }] }),
      { status: 400, code: 20913, pointer: '/rules/0/expression' },
    );
    await client.rulesets.delete(root.id, where);
    equal(await client.rulesets.delete(own.id, where), null);
  },

  'rulesets refuse with every problem of a body at once, and the SDK does not try again': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    const { call } = session;
    const rules = [
      { action: 'block', expression: '' },
      { action: 'log', expression: 'ssl' },
      { action: 'block', expression: 'ssl', logging: { enabled: true } },
    ];
    const { body } = await call(`PUT /zones/${zone_id}/rulesets/phases/${custom}/entrypoint`, { rules });
    deepEqual(
      body.errors.map(
        ({ code, source }: { code: number; source: { pointer: string } }) => `${code} ${source.pointer}`,
      ),
      ['20125 /rules/0/expression', '20908 /rules/1/action', '20018 /rules/2/logging'],
    );
    await session.refuses(() => client.rulesets.update(managedRuleset, { zone_id, rules: [] }), {
      status: 400,
      code: 20935,
    });
    await session.refuses(() => client.rulesets.phases.get(custom, { zone_id: absentId }), {
      status: 404,
      code: 1001,
    });
    const many = Array.from({ length: 21 }, (_, index) => block(`192.0.2.${index}`));
    const text = await session.refuses(
      () => client.rulesets.phases.update(custom, { zone_id, rules: many }),
      {
        status: 400,
        code: 50001,
      },
    );
    match(text, /phase http_request_firewall_custom: 21 out of 20/);
  },

  'rulesets by tag, which the SDK does not have, show the rules of a managed ruleset with it': async ({
    call,
    account_id,
    client,
  }) => {
    const whole = await ruleset(client.rulesets.get(owaspRuleset, { account_id }));
    const path = `/accounts/${account_id}/rulesets/${owaspRuleset}/versions/${whole.version}/by_tag`;
    const { body } = await call(`GET ${path}/paranoia-level-3`);
    const tagged = whole.rules.filter(({ categories }) => categories!.includes('paranoia-level-3'));
    deepEqual(
      body.result.rules.map(({ id }: Rule) => id),
      tagged.map(({ id }) => id),
    );
    ok(whole.rules.every((rule) => !('expression' in rule)));
  },

  'rulesets follow Terraform 4: an empty entry point is deleted, one is posted, then put': async ({
    call,
    zone,
  }) => {
    const rulesets = `/zones/${await zone('pro')}/rulesets`;
    const entryPoint = `${rulesets}/phases/${custom}/entrypoint`;
    const leftover = await call(`PUT ${entryPoint}`, { description: '', rules: [] });
    const found = await call(`GET ${entryPoint}`);
    deepEqual([found.body.result.rules, found.body.result.description], [[], '']);
    const deleted = await call(`DELETE ${rulesets}/${leftover.body.result.id}`);
    deepEqual([deleted.status, deleted.body], [204, undefined]);
    const body = {
      name: 'tf',
      kind: 'zone',
      phase: custom,
      description: '',
      rules: [{ ...block('192.0.2.1'), enabled: true, ref: 'a', version: '', id: '' }],
    };
    const posted = await call(`POST ${rulesets}`, body);
    equal(posted.status, 200, JSON.stringify(posted.body));
    const put = await call(`PUT ${entryPoint}`, { description: 'tf', rules: posted.body.result.rules });
    deepEqual([put.body.result.version, put.body.result.rules[0].id], ['2', posted.body.result.rules[0].id]);
    // A plan after this reads the same back, so there is nothing to change.
    const read = await call(`GET ${rulesets}/${put.body.result.id}`);
    deepEqual(read.body.result, put.body.result);
    // Terraform sends no id: refs identify the rules.
    const { id, version, last_updated, ...rule } = put.body.result.rules[0];
    ok(id && version && last_updated);
    const again = await call(`PUT ${entryPoint}`, { description: 'tf', rules: [block('192.0.2.7'), rule] });
    equal(again.body.result.rules[1].id, id);
  },

  'versions are compared and restored by operations of our own': async ({ call, zone }) => {
    const rulesets = `/zones/${await zone('pro')}/rulesets`;
    const entryPoint = `${rulesets}/phases/${custom}/entrypoint`;
    const first = await call(`PUT ${entryPoint}`, { rules: [block('192.0.2.1')] });
    const second = await call(`PUT ${entryPoint}`, { rules: [block('192.0.2.2')] });
    const [{ code, message }] = second.body.messages;
    equal(code, 20951);
    match(message, /1 of the 1 rules of version 1 are not in the next one/);
    const versions = `${rulesets}/${first.body.result.id}/versions`;
    const diff = await call(`GET ${versions}/1/diff`);
    deepEqual([diff.body.result.from, diff.body.result.to], ['1', '2']);
    const restored = await call(`POST ${versions}/1/restore`);
    deepEqual([restored.body.result.version, idsOf(restored.body.result)], ['3', idsOf(first.body.result)]);
  },
});
