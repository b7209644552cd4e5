import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { all, drive } from './session.ts';

const absentId = 'f'.repeat(32);

drive(['filters'], {
  'filters.create takes an array, filters.get gives each back': async ({ client, zone }) => {
    const zone_id = await zone('pro');
    const page = await client.filters.create({
      zone_id,
      body: [
        { expression: ' ip.src eq 192.0.2.1 ', description: 'one', ref: 'T-1' },
        { expression: 'http.host eq "a.example"', paused: true },
      ],
    });
    const [first, second] = page.result;
    match(first!.id!, /^[0-9a-f]{32}$/);
    deepEqual(first, {
      id: first!.id,
      paused: false,
      description: 'one',
      ref: 'T-1',
      expression: 'ip.src eq 192.0.2.1',
    });
    deepEqual(second, { id: second!.id, paused: true, expression: 'http.host eq "a.example"' });
    deepEqual(await client.filters.get(first.id!, { zone_id }), first);
    // A list of a single page.
    deepEqual(await all(page), [first, second]);
  },

  'filters.list continues until a page is empty': async (session) => {
    const { client } = session;
    const zone_id = await session.zone('pro');
    const body = Array.from({ length: 12 }, (_, index) => ({ expression: `ip.src eq 192.0.2.${index}` }));
    const { result } = await client.filters.create({ zone_id, body });
    let listed: unknown[] = [];
    const sent = await session.sentBy(async () => {
      listed = await all(client.filters.list({ zone_id, per_page: 5 }));
    });
    deepEqual(listed, result);
    // 5, 5, 2 and the empty page that ends the list.
    deepEqual(
      sent.map((request) => /\bpage=\d+/.exec(request)?.[0]),
      [undefined, 'page=2', 'page=3', 'page=4'],
    );
    const page = await client.filters.list({ zone_id, per_page: 5, page: 3 });
    deepEqual(page.result_info, { page: 3, per_page: 5, count: 2, total_count: 12, total_pages: 3 });
    equal((await client.filters.list({ zone_id, page: 1000 })).result.length, 0);
  },

  'filters.list finds by each of its parameters': async ({ client, zone }) => {
    const zone_id = await zone('pro');
    const { result } = await client.filters.create({
      zone_id,
      body: [
        { expression: 'ip.src eq 192.0.2.1', description: 'Office', ref: 'T-1' },
        { expression: 'http.host eq "a.example"', paused: true },
      ],
    });
    const [first, second] = result;
    const found = async (query: object): Promise<unknown> =>
      (await client.filters.list({ zone_id, ...query })).result;
    deepEqual(await found({ id: second!.id! }), [second]);
    deepEqual(await found({ paused: true }), [second]);
    deepEqual(await found({ ref: 'T-1' }), [first]);
    deepEqual(await found({ description: 'offi' }), [first]);
    deepEqual(await found({ expression: 'HTTP.HOST' }), [second]);
  },

  'filters.update replaces, though the SDK sends no id in the body': async ({ client, zone }) => {
    const zone_id = await zone('pro');
    const { result } = await client.filters.create({
      zone_id,
      body: [{ expression: 'ssl', description: 'to be gone' }],
    });
    const { id } = result[0]!;
    const updated = await client.filters.update(id!, { zone_id, expression: 'not ssl', paused: true });
    deepEqual(updated, { id, paused: true, expression: 'not ssl' });
    deepEqual(await client.filters.get(id!, { zone_id }), updated);
  },

  'filters.bulkUpdate changes all of them or none; its type lacks the id that each item needs': async (
    session,
  ) => {
    const { client } = session;
    const zone_id = await session.zone('pro');
    const { result } = await client.filters.create({
      zone_id,
      body: [{ expression: 'ssl' }, { expression: 'not ssl' }],
    });
    const [first, second] = result as [{ id: string }, { id: string }];
    const traded = [
      { id: first.id, expression: 'not ssl' },
      { id: second.id, expression: 'ssl' },
    ];
    const page = await client.filters.bulkUpdate({ zone_id, body: traded });
    deepEqual(
      page.result.map(({ id, expression }) => ({ id, expression })),
      traded,
    );
    await session.refuses(
      () => client.filters.bulkUpdate({ zone_id, body: [traded[0]!, { ...traded[1]!, expression: 'nope' }] }),
      { status: 400, code: 10103, pointer: '/1/expression' },
    );
    deepEqual(await all(client.filters.list({ zone_id })), page.result);
    await session.refuses(() => client.filters.bulkUpdate({ zone_id, body: [{ expression: 'ssl' }] }), {
      status: 400,
      code: 10026,
      pointer: '/0/id',
    });
  },

  'filters.delete answers an object, filters.bulkDelete an array for repeated ids': async (session) => {
    const { client } = session;
    const zone_id = await session.zone('pro');
    const body = ['ssl', 'not ssl', 'http.host eq "a"'].map((expression) => ({ expression }));
    const { result } = await client.filters.create({ zone_id, body });
    const [first, second, third] = result.map(({ id }) => id!);
    deepEqual(await client.filters.delete(first!, { zone_id }), { id: first });
    deepEqual(await client.filters.delete(absentId, { zone_id }), { id: absentId });
    let deleted: unknown;
    const sent = await session.sentBy(async () => {
      deleted = await client.filters.bulkDelete({ zone_id, id: [second!, third!] });
    });
    deepEqual(deleted, [{ id: second }, { id: third }]);
    deepEqual(sent, [`DELETE /zones/${zone_id}/filters?id=${second}&id=${third}`]);
    deepEqual(await client.filters.bulkDelete({ zone_id, id: [] }), []);
    deepEqual(await all(client.filters.list({ zone_id })), []);
  },

  'filters refuse with a code, a pointer and the id of the conflicting object, and the SDK does not retry':
    async (session) => {
      const { client } = session;
      const zone_id = await session.zone('pro');
      const { result } = await client.filters.create({ zone_id, body: [{ expression: 'ssl' }] });
      const create = (expression: string) => () =>
        client.filters.create({ zone_id, body: [{ expression: 'http.host eq "b"' }, { expression }] });
      await session.refuses(create('ssl'), {
        status: 400,
        code: 10102,
        pointer: '/1',
        id: result[0]!.id!,
      });
      const text = await session.refuses(create('ip.src eq 192.0.2.'), {
        status: 400,
        code: 10103,
        pointer: '/1/expression',
      });
      ok(text.startsWith('Filter parsing error'), text);
      match(text, /\n {11}\^+ /);
      await session.refuses(create('http.host matches "^a"'), { status: 400, code: 10105 });
      await session.refuses(() => client.filters.get(absentId, { zone_id }), { status: 404, code: 10001 });
      await session.refuses(() => client.filters.update(absentId, { zone_id, expression: 'ssl' }), {
        status: 404,
        code: 10001,
      });
      await session.refuses(() => client.filters.get('not-an-id', { zone_id }), { status: 404, code: 7003 });
      await session.refuses(() => client.filters.list({ zone_id: absentId }), { status: 404, code: 1001 });
      deepEqual(await all(client.filters.list({ zone_id })), result);
    },

  'filters take what the SDK cannot send: one object, ids in a body of DELETE, an id along with PUT': async ({
    call,
    zone,
  }) => {
    const filters = `/zones/${await zone('pro')}/filters`;
    const one = await call(`POST ${filters}`, { expression: 'ssl' });
    equal(one.status, 200);
    const [{ id }] = one.body.result;
    const put = await call(`PUT ${filters}/${id}`, { id, expression: 'not ssl' });
    deepEqual(put.body.result, { id, paused: false, expression: 'not ssl' });
    const other = await call(`PUT ${filters}/${id}`, { id: absentId, expression: 'ssl' });
    deepEqual([other.status, other.body.errors[0].code], [400, 10104]);
    deepEqual((await call(`DELETE ${filters}`, [{ id }])).body.result, [{ id }]);
    deepEqual((await call(`DELETE ${filters}/${absentId}`, {})).body.result, { id: absentId });
  },

  'filters answer the SDK for Go, which asks for 50 and counts total_pages': async ({
    call,
    client,
    zone,
  }) => {
    const zone_id = await zone('enterprise');
    const body = Array.from({ length: 60 }, (_, index) => ({ expression: `ip.src eq 192.0.2.${index}` }));
    await client.filters.create({ zone_id, body });
    const ids = new Set<string>();
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { body } = await call(`GET /zones/${zone_id}/filters?page=${page}&per_page=50`);
      pages = body.result_info.total_pages;
      for (const { id } of body.result) ids.add(id);
      deepEqual(body.result_info.per_page, 50);
    }
    equal(ids.size, 60);
  },

  'filters.validateExpression, which the SDK does not have, answers null or the place with carets': async ({
    call,
  }) => {
    const valid = await call(
      `GET /filters/validate-expr?expression=${encodeURIComponent('ssl and not ssl')}`,
    );
    deepEqual([valid.status, valid.body], [200, { result: null, success: true, errors: [], messages: [] }]);
    const wrong = await call('POST /filters/validate-expr', { expression: 'ip.src in {192.0.2.0/33}' });
    equal(wrong.status, 400);
    match(wrong.body.errors[0].message, /^Filter parsing error:\n`ip\.src in \{192\.0\.2\.0\/33\}`\n +\^+ /);
  },
});
