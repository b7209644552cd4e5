import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { Control } from '#control';
import { VirtualClock } from '#objects';
import { type Envelope, TestControl } from './harness.ts';
import { ListMaker } from './list-maker.ts';

let control: TestControl;
let maker: ListMaker;
before(async () => {
  control = await TestControl.open();
  maker = new ListMaker(control);
});
after(() => control.close());

test('lists.appendItems runs in the background: pending, running, completed', async () => {
  const list = await maker.makeList();
  const { status, result } = await control.call(`POST ${list.items}`, {
    body: [{ ip: '192.0.2.7', comment: 'seven' }],
  });
  equal(status, 201);
  deepEqual((await maker.statusOf(result.operation_id)).result, {
    id: result.operation_id,
    status: 'pending',
  });
  deepEqual(await maker.textsOf(list.items), []);
  await control.clock.advance(0);
  deepEqual((await maker.statusOf(result.operation_id)).result, {
    id: result.operation_id,
    status: 'running',
  });
  const done = await maker.ended(result.operation_id);
  deepEqual(done.result, {
    id: result.operation_id,
    status: 'completed',
    completed: done.result.completed,
  });
  const { result: items } = await control.call(`GET ${list.items}`);
  const [item] = items;
  deepEqual(items, [
    {
      id: item.id,
      ip: '192.0.2.7',
      comment: 'seven',
      created_on: item.created_on,
      modified_on: item.created_on,
    },
  ]);
  deepEqual((await control.call(`GET ${list.items}/${item.id}`)).result, item);
  equal((await control.call(`GET ${maker.lists}/${list.id}`)).result.num_items, 1);
  equal((await control.call(`GET ${list.items}/${'0'.repeat(32)}`)).errors[0]!.code, 10002);
  await maker.drop(list);
});

test('lists.appendItems keeps one of the same items, and its id when it comes again', async () => {
  const list = await maker.makeList();
  await maker.bulk(`POST ${list.items}`, [
    { ip: '2001:DB8::1', comment: 'a' },
    { ip: '10.1.2.3/8' },
    { ip: '2001:db8:0::1', comment: 'b' },
  ]);
  const [network, address] = (await control.call(`GET ${list.items}`)).result;
  deepEqual([network.ip, address.ip, address.comment], ['10.0.0.0/8', '2001:db8::1', 'b']);
  await control.clock.advance(2_000);
  await maker.bulk(`POST ${list.items}`, [{ ip: '2001:db8::1', comment: 'c' }, { ip: '9.9.9.9' }]);
  const { result } = await control.call(`GET ${list.items}`);
  deepEqual(
    result.map(({ ip }: { ip: string }) => ip),
    ['9.9.9.9', '10.0.0.0/8', '2001:db8::1'],
  );
  deepEqual([result[2].id, result[2].comment, result[2].created_on], [address.id, 'c', address.created_on]);
  ok(result[2].modified_on > address.modified_on);
  await maker.drop(list);
});

test('lists.replaceItems leaves what it is given, lists.removeItems what it is not', async () => {
  const list = await maker.makeList();
  await maker.bulk(`POST ${list.items}`, [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }]);
  await maker.bulk(`PUT ${list.items}`, [{ ip: '192.0.2.2' }, { ip: '192.0.2.3' }, { ip: '192.0.2.4' }]);
  deepEqual(await maker.textsOf(list.items), ['192.0.2.2', '192.0.2.3', '192.0.2.4']);
  const { result } = await control.call(`GET ${list.items}`);
  const items = [{ id: result[0].id }, { id: result[2].id }, { id: '0'.repeat(32) }];
  equal((await maker.bulk(`DELETE ${list.items}`, { items })).result.status, 'completed');
  deepEqual(await maker.textsOf(list.items), ['192.0.2.3']);
  await maker.bulk(`PUT ${list.items}`, []);
  deepEqual(await maker.textsOf(list.items), []);
  await maker.drop(list);
});

test('bulk operations on a list are done in the order they came', async () => {
  const list = await maker.makeList();
  const ids: string[] = [];
  for (const body of [[{ ip: '192.0.2.1' }], [], [{ ip: '192.0.2.2' }]]) {
    const { result } = await control.call(`PUT ${list.items}`, { body });
    ids.push(result.operation_id);
  }
  const seen: string[] = [];
  for (let turns = 0; turns < 20; turns++) {
    const statuses = await Promise.all(
      ids.map(async (id) => (await maker.statusOf(id)).result.status as string),
    );
    if (statuses.join(' ') !== seen.at(-1)) seen.push(statuses.join(' '));
    await control.clock.advance(1);
  }
  // No operation starts before the one before it is completed.
  for (const statuses of seen) match(statuses, /^(completed )*((running|pending|completed)( pending)*)$/);
  equal(seen.at(-1), 'completed completed completed');
  deepEqual(await maker.textsOf(list.items), ['192.0.2.2']);
  await maker.drop(list);
});

test('bulk operations, however they are mixed, leave what a map would', async () => {
  const list = await maker.makeList('asn');
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 6 });
  const step = fc.record({ kind: fc.constantFrom('POST', 'PUT', 'DELETE'), numbers, isWaited: fc.boolean() });
  const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
    await maker.bulk(`PUT ${list.items}`, []);
    const expected = new Set<number>();
    for (const { kind, numbers: given, isWaited } of steps) {
      if (kind === 'DELETE') {
        // Only existing items have an id, so all earlier operations must be complete.
        await control.clock.advance(50);
        const { result } = await control.call(`GET ${list.items}`);
        const items = result.filter(({ asn }: { asn: number }) => given.includes(asn));
        for (const { asn } of items) expected.delete(asn);
        if (items.length > 0)
          await control.call(`DELETE ${list.items}`, {
            body: { items: items.map(({ id }: { id: string }) => ({ id })) },
          });
      } else {
        if (kind === 'PUT') expected.clear();
        for (const asn of given) expected.add(asn);
        await control.call(`${kind} ${list.items}`, { body: given.map((asn) => ({ asn })) });
      }
      if (isWaited) await control.clock.advance(50);
    }
    await control.clock.advance(50);
    deepEqual(await maker.textsOf(list.items), [...expected].toSorted((a, b) => a - b).map(String));
    // Another window of the rate limit.
    await control.clock.advance(5 * 60 * 1000);
  });
  await fc.assert(property, { numRuns: 25 });
  await maker.drop(list);
});

test('bulk operations take nothing of a call with a wrong item, and point at each', async () => {
  const list = await maker.makeList();
  const { status, errors } = await control.call(`POST ${list.items}`, {
    body: [{ ip: '192.0.2.1' }, { ip: '10.0.0.0/7' }, { asn: 1 }, {}, { ip: 'x' }],
  });
  equal(status, 400);
  deepEqual(
    errors.map(({ code, source }) => [code, source?.pointer]),
    [
      [10028, '/1/ip'],
      [10028, '/2/asn'],
      [10028, '/3'],
      [10028, '/4/ip'],
    ],
  );
  await control.clock.advance(10);
  deepEqual(await maker.textsOf(list.items), []);
  await maker.drop(list);
});

test('a bulk operation that would exceed the items of the account fails and changes nothing', async () => {
  const [one, two] = [await maker.makeList(), await maker.makeList('asn')];
  const addresses = Array.from({ length: 9_999 }, (_, index) => ({
    ip: `10.${index >> 8}.${index & 255}.1`,
  }));
  equal((await maker.bulk(`POST ${one.items}`, addresses)).result.status, 'completed');
  equal((await maker.bulk(`POST ${two.items}`, [{ asn: 1 }])).result.status, 'completed');
  const failed = await maker.bulk(`POST ${two.items}`, [{ asn: 1 }, { asn: 2 }, { asn: 3 }]);
  equal(failed.result.status, 'failed');
  equal(failed.result.error, 'the lists of an account have at most 10000 items: 2 too many');
  deepEqual(await maker.textsOf(two.items), ['1']);
  equal((await maker.bulk(`PUT ${two.items}`, [{ asn: 2 }])).result.status, 'completed');
  equal((await maker.bulk(`POST ${one.items}`, addresses)).result.status, 'completed');
  await maker.drop(one);
  await maker.drop(two);
});

test('the number of pending bulk operations is limited', async () => {
  const list = await maker.makeList();
  for (let index = 0; index < 20; index++)
    equal((await control.call(`PUT ${list.items}`, { body: [] })).status, 201);
  const { status, errors } = await control.call(`PUT ${list.items}`, { body: [] });
  deepEqual([status, errors[0]!.code], [429, 10033]);
  await control.clock.advance(100);
  equal((await control.call(`PUT ${list.items}`, { body: [] })).status, 201);
  await control.clock.advance(100);
  await maker.drop(list);
});

test('lists.listItems goes through the list by cursors, both ways', async () => {
  const list = await maker.makeList('asn');
  await maker.bulk(
    `PUT ${list.items}`,
    [5, 3, 1, 4, 2].map((asn) => ({ asn })),
  );
  const read = async (query: string): Promise<{ asns: number[]; before?: string; after?: string }> => {
    const { result, result_info } = await control.call(`GET ${list.items}?per_page=2${query}`);
    return { asns: result.map(({ asn }: { asn: number }) => asn), ...(result_info!['cursors'] as object) };
  };
  const first = await read('');
  deepEqual([first.asns, first.before], [[1, 2], undefined]);
  const second = await read(`&cursor=${first.after}`);
  deepEqual(second.asns, [3, 4]);
  const third = await read(`&cursor=${second.after}`);
  deepEqual([third.asns, third.after], [[5], undefined]);
  const back = await read(`&cursor=${third.before}`);
  deepEqual([back.asns, back.after !== undefined], [[3, 4], true]);
  deepEqual([await read(`&cursor=${back.before}`)], [{ asns: [1, 2], after: first.after }]);
  const wrong = await control.call(`GET ${list.items}?cursor=x`);
  deepEqual([wrong.status, wrong.errors[0]!.code], [400, 10027]);
  await maker.drop(list);
});

test('lists.listItems finds addresses by their beginning, host names by a part, networks by their number', async () => {
  const [ip, hostname, asn] = [
    await maker.makeList(),
    await maker.makeList('hostname'),
    await maker.makeList('asn'),
  ];
  await maker.bulk(
    `PUT ${ip.items}`,
    ['192.0.2.1', '192.0.3.0/24', '10.192.0.1'].map((each) => ({ ip: each })),
  );
  await maker.bulk(
    `PUT ${hostname.items}`,
    ['*.example.com', 'example.org'].map((url_hostname) => ({ hostname: { url_hostname } })),
  );
  await maker.bulk(`PUT ${asn.items}`, [{ asn: 13 }, { asn: 133 }]);
  deepEqual(await maker.textsOf(ip.items, '?search=192.0'), ['192.0.2.1', '192.0.3.0/24']);
  deepEqual(await maker.textsOf(hostname.items, '?search=EXAMPLE.c'), ['*.example.com']);
  deepEqual(await maker.textsOf(asn.items, '?search=13'), ['13']);
  deepEqual(await maker.textsOf(asn.items, '?search=%25'), []);
  for (const each of [ip, hostname, asn]) await maker.drop(each);
});

test('lists of redirects answer what was sent, without defaults that Terraform would see as changes', async () => {
  const list = await maker.makeList('redirect');
  await maker.bulk(`POST ${list.items}`, [
    { redirect: { source_url: 'example.com/old', target_url: 'https://example.com/new' } },
  ]);
  const [{ redirect }] = (await control.call(`GET ${list.items}?search=OLD`)).result;
  deepEqual(redirect, { source_url: 'example.com/old', target_url: 'https://example.com/new' });
  const item = { source_url: 'example.com/a', target_url: 'https://example.com/a' };
  const post = async (change: object): Promise<readonly (string | undefined)[]> => {
    const { errors } = await control.call(`POST ${list.items}`, {
      body: [{ redirect: { ...item, ...change } }],
    });
    return errors.map(({ source }) => source?.pointer);
  };
  const refused = ['/0/redirect/target_url'];
  deepEqual(await post({}), refused, 'it leads to itself');
  deepEqual(await post({ target_url: 'https://example.com/a/b', subpath_matching: true }), refused);
  deepEqual(await post({ target_url: 'https://www.example.com/a', include_subdomains: true }), refused);
  deepEqual(await post({ target_url: 'https://example.com/b\r\nx: y' }), refused);
  deepEqual(await post({ source_url: 'http://example.com/a' }), [], 'it leads from http to https');
  await maker.drop(list);
});

test('bulk operations give the edge a configuration of a higher version when they are done', async () => {
  const list = await maker.makeList();
  const versionOf = async (): Promise<number> =>
    (await control.control.configurations.readConfiguration(control.zone('pro')))!.version;
  await control.call(`POST ${list.items}`, { body: [{ ip: '192.0.2.1' }] });
  const accepted = await versionOf();
  await control.clock.advance(10);
  ok((await versionOf()) > accepted);
  await maker.drop(list);
});

test('a bulk operation survives a restart, and what hides a list does not', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-lists-'));
  const clock = new VirtualClock();
  const open = (): Promise<Control> =>
    Control.open({
      directory,
      clock,
      durability: 'os',
      bootstrap: { accountName: 'Test', email: 'owner@example.com' },
      onError: (error) => {
        throw error;
      },
    });
  let running = await open();
  try {
    const { accountId, email, key } = running.bootstrapped!;
    const call = async (method: string, path: string, body?: unknown): Promise<Envelope['result']> => {
      const answer = await running.answer({
        method,
        target: `/client/v4/accounts/${accountId}/rules/lists${path}`,
        headers: { 'x-auth-email': email, 'x-auth-key': key },
        address: '127.0.0.1',
        readBody: async () => Buffer.from(JSON.stringify(body)),
      });
      return (JSON.parse(answer.body as string) as Envelope).result;
    };
    const list = await call('POST', '', { name: 'kept', kind: 'ip' });
    const { operation_id } = await call('POST', `/${list.id}/items`, [{ ip: '192.0.2.1' }]);
    equal(running.directory.hideList('kept'), true);
    equal(running.directory.lists.has('kept'), false);
    await running.close();
    running = await open();
    equal(running.directory.lists.has('kept'), true);
    await clock.advance(10);
    equal((await call('GET', `/bulk_operations/${operation_id}`)).status, 'completed');
    equal((await call('GET', `/${list.id}`)).num_items, 1);
  } finally {
    await running.close();
    await rm(directory, { recursive: true, force: true });
  }
});
