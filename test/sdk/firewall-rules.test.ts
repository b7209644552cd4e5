import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type Cloudflare from 'cloudflare';
import { all, drive, type Session } from './session.ts';

const absentId = 'f'.repeat(32);

type Rule = Cloudflare.Firewall.FirewallRule;
type CreateParams = Cloudflare.Firewall.RuleCreateParams;

/** The SDK types an action as that of rate limits, but sends any value. */
const asTyped = (action: string): CreateParams['action'] => action as unknown as CreateParams['action'];

/** The SDK's types do not allow naming a filter by its id. */
const filterNamed = (id: string): CreateParams['filter'] => ({ id }) as CreateParams['filter'];

/** Rules with their own filters. */
async function someRules(
  { client, zone }: Session,
  count: number,
): Promise<{ zone_id: string; rules: Rule[] }> {
  const zone_id = await zone('pro');
  const rules: Rule[] = [];
  for (let index = 0; index < count; index++) {
    const filter = { expression: `ip.src eq 192.0.2.${index}` };
    const { result } = await client.firewall.rules.create({ zone_id, action: asTyped('block'), filter });
    rules.push(...result);
  }
  return { zone_id, rules };
}

drive(['firewall.rules'], {
  'firewall.rules.create sends one object and gets an array; the filter is made with the rule': async ({
    client,
    zone,
  }) => {
    const zone_id = await zone('pro');
    const page = await client.firewall.rules.create({
      zone_id,
      action: asTyped('block'),
      filter: { expression: 'ip.src eq 192.0.2.1', description: 'office' },
    });
    const [rule] = page.result as [Rule & { created_on: string; modified_on: string }];
    match(rule.created_on, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    deepEqual<object>(rule, {
      id: rule.id,
      paused: false,
      action: 'block',
      priority: null,
      filter: {
        id: rule.filter!.id,
        expression: 'ip.src eq 192.0.2.1',
        paused: false,
        description: 'office',
      },
      created_on: rule.created_on,
      modified_on: rule.created_on,
    });
    deepEqual(await client.firewall.rules.get(rule.id!, { zone_id }), rule);
  },

  'firewall.rules.create takes the action as the SDK types it, in the words of rate limits': async ({
    client,
    zone,
  }) => {
    const zone_id = await zone('enterprise');
    const made = [];
    for (const mode of ['ban', 'simulate', 'challenge', 'js_challenge', 'managed_challenge'] as const) {
      const filter = { expression: `http.host eq "${mode}"` };
      const { result } = await client.firewall.rules.create({ zone_id, action: { mode }, filter });
      made.push(result[0]!.action);
    }
    deepEqual(made, ['block', 'log', 'challenge', 'js_challenge', 'managed_challenge']);
  },

  'firewall.rules.create follows the recommended flow: the filter first, then rules that name it': async (
    session,
  ) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    const { result } = await client.filters.create({ zone_id, body: [{ expression: 'ssl' }] });
    const filter = filterNamed(result[0]!.id!);
    const create = (action: string) =>
      client.firewall.rules.create({ zone_id, action: asTyped(action), filter });
    const [challenge] = (await create('challenge')).result;
    const [block] = (await create('block')).result;
    deepEqual([challenge!.filter!.id, block!.filter!.id], [result[0]!.id, result[0]!.id]);
    await session.refuses(() => create('block'), {
      status: 400,
      code: 10203,
      pointer: '/0',
      id: block!.id!,
    });
    // In the reverse order: rules, then the filter.
    await client.firewall.rules.delete(challenge!.id!, { zone_id });
    await client.firewall.rules.delete(block!.id!, { zone_id });
    deepEqual(await client.filters.delete(result[0]!.id!, { zone_id }), { id: result[0]!.id });
  },

  'firewall.rules.list continues until a page is empty, and filters by each of its parameters': async (
    session,
  ) => {
    const { client } = session;
    const { zone_id, rules } = await someRules(session, 7);
    let listed: Rule[] = [];
    const sent = await session.sentBy(async () => {
      listed = await all(client.firewall.rules.list({ zone_id, per_page: 5 }));
    });
    deepEqual(listed, rules);
    equal(sent.length, 3);
    const page = await client.firewall.rules.list({ zone_id, per_page: 5 });
    deepEqual(page.result_info, { page: 1, per_page: 5, count: 5, total_count: 7, total_pages: 2 });
    const found = async (query: object): Promise<number> =>
      (await client.firewall.rules.list({ zone_id, ...query })).result.length;
    deepEqual(
      [
        await found({ id: rules[2]!.id! }),
        await found({ action: 'allow' }),
        await found({ paused: false }),
        await found({ description: 'x' }),
      ],
      [1, 0, 7, 0],
    );
  },

  'firewall.rules.update replaces the rule and leaves the filter': async (session) => {
    const { client } = session;
    const { zone_id, rules } = await someRules(session, 1);
    const { id, filter } = rules[0]!;
    const updated = await client.firewall.rules.update(id!, {
      zone_id,
      action: asTyped('allow'),
      filter: { ...filterNamed(filter!.id!), expression: 'not read here' },
    });
    deepEqual([updated.id, updated.action, updated.filter], [id, 'allow', filter]);
    await session.refuses(
      () =>
        client.firewall.rules.update(absentId, {
          zone_id,
          action: { mode: 'ban' },
          filter: filterNamed(filter!.id!),
        }),
      { status: 404, code: 10201 },
    );
  },

  'firewall.rules.edit answers an array of one rule; without a priority, as the SDK types it, nothing changes':
    async (session) => {
      const { client } = session;
      const { zone_id, rules } = await someRules(session, 1);
      const id = rules[0]!.id!;
      deepEqual((await client.firewall.rules.edit(id, { zone_id })).result, rules);
      const params = { zone_id, id, priority: 7 };
      const edited = await client.firewall.rules.edit(id, params);
      deepEqual(
        edited.result.map(({ id: each, priority }) => ({ id: each, priority })),
        [{ id, priority: 7 }],
      );
    },

  'firewall.rules.bulkEdit and bulkUpdate can send one object where arrays belong; it is taken as an array of one':
    async (session) => {
      const { client } = session;
      const { zone_id, rules } = await someRules(session, 2);
      const { id, filter } = rules[1]!;
      const prioritised = { zone_id, id: id!, priority: 3 };
      const edited = await client.firewall.rules.bulkEdit(prioritised);
      deepEqual(
        edited.result.map((rule) => [rule.id, rule.priority]),
        [[id, 3]],
      );
      const replaced = { zone_id, id: id!, action: 'challenge', filter: { id: filter!.id! } };
      const updated = await client.firewall.rules.bulkUpdate(replaced);
      deepEqual(
        updated.result.map((rule) => [rule.id, rule.action, rule.priority]),
        [[id, 'challenge', null]],
      );
      // As typed, with the id alone, an update lacks required fields.
      await session.refuses(() => client.firewall.rules.bulkUpdate({ zone_id, id: id! }), {
        status: 400,
        code: 10026,
      });
    },

  'firewall.rules.bulkDelete cannot name rules, so it deletes none': async (session) => {
    const { client, call } = session;
    const { zone_id, rules } = await someRules(session, 3);
    deepEqual((await client.firewall.rules.bulkDelete({ zone_id })).result, []);
    equal((await client.firewall.rules.list({ zone_id })).result.length, 3);
    // A custom query helps.
    const [first, second, third] = rules.map(({ id }) => id!);
    const deleted = await client.firewall.rules.bulkDelete({ zone_id }, { query: { id: [first!, second!] } });
    const gone = (rule: Rule) => ({ id: rule.id, filter: { id: rule.filter!.id, deleted: true } });
    deepEqual(deleted.result, [gone(rules[0]!), gone(rules[1]!)]);
    const { body } = await call(`DELETE /zones/${zone_id}/firewall/rules`, [
      { id: third, delete_filter_if_unused: false },
    ]);
    deepEqual(body.result, [{ id: third }]);
  },

  'firewall.rules.delete takes the filter that came with the rule along; a body, which the SDK does not send, keeps it':
    async (session) => {
      const { client, call } = session;
      const { zone_id, rules } = await someRules(session, 2);
      const [first, second] = rules as [Rule, Rule];
      const { body } = await call(`DELETE /zones/${zone_id}/firewall/rules/${first.id}`, {
        delete_filter_if_unused: false,
      });
      deepEqual(body.result, { id: first.id });
      equal((await client.filters.get(first.filter!.id!, { zone_id })).id, first.filter!.id);
      // Nothing uses it any more, so it can be deleted alone.
      equal((await client.filters.delete(first.filter!.id!, { zone_id })).id, first.filter!.id);
      deepEqual(await client.firewall.rules.delete(absentId, { zone_id }), { id: absentId });
      deepEqual(await client.firewall.rules.delete(second.id!, { zone_id }), {
        id: second.id,
        filter: { id: second.filter!.id, deleted: true },
      });
      await session.refuses(() => client.filters.get(second.filter!.id!, { zone_id }), {
        status: 404,
        code: 10001,
      });
      await session.refuses(() => client.firewall.rules.get(second.id!, { zone_id }), {
        status: 404,
        code: 10201,
      });
    },

  'firewall.rules.create over the quota keeps the filter, which then serves the recommended flow': async (
    session,
  ) => {
    const { client, zone } = session;
    const zone_id = await zone('free');
    const create = (host: number) =>
      client.firewall.rules.create({
        zone_id,
        action: { mode: 'ban' },
        filter: { expression: `http.host eq "${host}.example"` },
      });
    const made = [];
    for (let host = 0; host < 5; host++) made.push((await create(host)).result[0]!);
    const text = await session.refuses(() => create(5), { status: 400, code: 10209, pointer: '/0' });
    match(text, /includes 5 firewall rules; the zone has 5/);
    const [kept] = (await client.filters.list({ zone_id, expression: '5.example' })).result;
    ok(kept?.id, 'the filter is there');
    await client.firewall.rules.delete(made[0]!.id!, { zone_id });
    const page = await client.firewall.rules.create({
      zone_id,
      action: { mode: 'ban' },
      filter: filterNamed(kept.id),
    });
    equal(page.result[0]!.filter!.id, kept.id);
  },

  'firewall.rules.create keeps neither filter nor rule when one of them is invalid': async (session) => {
    const { client, zone } = session;
    const zone_id = await zone('pro');
    await session.refuses(
      () => client.firewall.rules.create({ zone_id, action: asTyped('log'), filter: { expression: 'ssl' } }),
      { status: 400, code: 10206, pointer: '/0/action' },
    );
    await session.refuses(
      () => client.firewall.rules.create({ zone_id, action: { mode: 'ban' }, filter: { expression: 'sl' } }),
      { status: 400, code: 10103, pointer: '/0/filter/expression' },
    );
    deepEqual((await client.filters.list({ zone_id })).result, []);
    deepEqual((await client.firewall.rules.list({ zone_id })).result, []);
  },

  'a filter that came with its rule refuses to be changed or deleted while the rule uses it': async (
    session,
  ) => {
    const { client } = session;
    const { zone_id, rules } = await someRules(session, 1);
    const filterId = rules[0]!.filter!.id!;
    const refusal = { status: 400, code: 10106, id: rules[0]!.id! };
    await session.refuses(() => client.filters.update(filterId, { zone_id, expression: 'ssl' }), refusal);
    await session.refuses(() => client.filters.delete(filterId, { zone_id }), refusal);
    await session.refuses(() => client.filters.bulkDelete({ zone_id, id: [filterId] }), refusal);
  },

  'firewall rules take the arrays that the SDK cannot send: create, update and reorder in one transaction':
    async ({ call, zone }) => {
      const rules = `/zones/${await zone('pro')}/firewall/rules`;
      const created = await call(`POST ${rules}`, [
        { action: 'block', filter: { expression: 'ip.src eq 192.0.2.1' }, priority: 2 },
        { action: 'bypass', products: ['waf'], filter: { expression: 'ip.src eq 192.0.2.2' }, priority: 1 },
      ]);
      equal(created.status, 200);
      const [block, bypass] = created.body.result;
      deepEqual(bypass.products, ['waf']);
      const updated = await call(`PUT ${rules}`, [{ ...block, action: 'challenge' }, bypass]);
      deepEqual(
        updated.body.result.map(({ action }: Rule) => action),
        ['challenge', 'bypass'],
      );
      const edited = await call(`PATCH ${rules}`, [
        { id: block.id, priority: 1 },
        { id: bypass.id, priority: 2 },
      ]);
      equal(edited.status, 200);
      const listed = await call(`GET ${rules}?page=1&per_page=50`);
      deepEqual(
        listed.body.result.map(({ id }: Rule) => id),
        [block.id, bypass.id],
      );
      equal(listed.body.result_info.total_pages, 1);
      const single = await call(`PATCH ${rules}/${block.id}`, { id: block.id, priority: null });
      deepEqual(
        single.body.result.map(({ priority }: Rule) => priority),
        [null],
      );
      const failed = await call(`PATCH ${rules}`, [
        { id: block.id, priority: 9 },
        { id: absentId, priority: 9 },
      ]);
      deepEqual([failed.status, failed.body.errors[0].source], [404, { pointer: '/1' }]);
    },
});
