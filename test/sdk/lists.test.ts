import { deepEqual, equal, match } from 'node:assert/strict';
import type Cloudflare from 'cloudflare';
import { eventually } from '../eventually.ts';
import { all, drive, type Session } from './session.ts';

const absentId = 'f'.repeat(32);

type Item = Cloudflare.Rules.Lists.ItemListResponse;

/** The outcome of a bulk operation. */
async function waitUntilFinished({ client, account_id }: Session, operationId: string): Promise<string> {
  let status: string;
  await eventually(async () => {
    ({ status } = await client.rules.lists.bulkOperations.get(operationId, { account_id }));
    return status === 'completed' || status === 'failed';
  }, `the end of bulk operation ${operationId}`);
  return status!;
}

/** A list that is deleted at the end, because an account may have only a few. */
async function withList(
  session: Session,
  kind: 'ip' | 'hostname' | 'asn' | 'redirect',
  story: (list_id: string) => Promise<void>,
): Promise<void> {
  const { client, account_id } = session;
  const { id } = await client.rules.lists.create({ account_id, kind, name: `story_${kind}` });
  await story(id);
  deepEqual(await client.rules.lists.delete(id, { account_id }), { id });
}

const addressesOf = (items: readonly Item[]): string[] => items.map((item) => ('ip' in item ? item.ip : ''));

drive(['rules'], {
  'rules.lists.create, get, list, update and delete': async (session) => {
    const { client, account_id } = session;
    const { lists } = client.rules;
    const made = await lists.create({ account_id, kind: 'ip', name: 'offices', description: 'ours' });
    deepEqual([made.kind, made.name, made.num_items, made.num_referencing_filters], ['ip', 'offices', 0, 0]);
    deepEqual(await lists.get(made.id, { account_id }), made);
    deepEqual(await all(lists.list({ account_id })), [made]);
    const updated = await lists.update(made.id, { account_id, description: 'theirs' });
    deepEqual([updated.name, updated.description], ['offices', 'theirs']);
    await session.refuses(() => lists.create({ account_id, kind: 'ip', name: 'offices' }), {
      status: 400,
      code: 10032,
      id: made.id,
    });
    await session.refuses(() => lists.create({ account_id, kind: 'ip', name: 'Not-A-Name' }), {
      status: 400,
      code: 10026,
      pointer: '/name',
    });
    deepEqual(await lists.delete(made.id, { account_id }), { id: made.id });
    await session.refuses(() => lists.get(made.id, { account_id }), { status: 404, code: 10001 });
  },

  'rules.lists.items are added, replaced and removed by bulk operations': async (session) => {
    const { client, account_id } = session;
    const { items, bulkOperations } = client.rules.lists;
    await withList(session, 'ip', async (list_id) => {
      const body = [{ ip: '192.0.2.2', comment: 'two' }, { ip: '192.0.2.0/31' }, { ip: '2001:DB8::/32' }];
      const added = await items.create(list_id, { account_id, body });
      equal(await waitUntilFinished(session, added.operation_id), 'completed');
      const operation = await bulkOperations.get(added.operation_id, { account_id });
      match((operation as { completed: string }).completed, /^\d{4}-/);
      const listed = await all(items.list(list_id, { account_id }));
      deepEqual(addressesOf(listed), ['192.0.2.0/31', '192.0.2.2', '2001:db8::/32']);
      const { id } = listed[1]!;
      deepEqual(await items.get(id, { account_id, list_id }), listed[1]);
      equal((await client.rules.lists.get(list_id, { account_id })).num_items, 3);

      const removed = await items.delete(list_id, { account_id, items: [{ id }] });
      equal(await waitUntilFinished(session, removed.operation_id), 'completed');
      await session.refuses(() => items.get(id, { account_id, list_id }), { status: 404, code: 10002 });

      const replaced = await items.update(list_id, { account_id, body: [{ ip: '198.51.100.0/24' }] });
      equal(await waitUntilFinished(session, replaced.operation_id), 'completed');
      deepEqual(addressesOf(await all(items.list(list_id, { account_id }))), ['198.51.100.0/24']);
      await session.refuses(() => bulkOperations.get(absentId, { account_id }), { status: 404, code: 10003 });
    });
  },

  'rules.lists.items.list follows the cursor to the end, and searches': async (session) => {
    const { client, account_id } = session;
    const { items } = client.rules.lists;
    await withList(session, 'ip', async (list_id) => {
      const body = Array.from({ length: 25 }, (_, index) => ({ ip: `192.0.2.${index + 100}` }));
      const { operation_id } = await items.create(list_id, { account_id, body });
      await waitUntilFinished(session, operation_id);
      let listed: Item[] = [];
      const sent = await session.sentBy(async () => {
        listed = await all(items.list(list_id, { account_id, per_page: 10 }));
      });
      deepEqual(
        addressesOf(listed),
        body.map(({ ip }) => ip),
      );
      equal(sent.length, 3);
      deepEqual(addressesOf(await all(items.list(list_id, { account_id, search: '192.0.2.11' }))).length, 10);
    });
  },

  'rules.lists hold host names, networks and redirects': async (session) => {
    const { client, account_id } = session;
    const { items } = client.rules.lists;
    const contents = {
      hostname: { hostname: { url_hostname: 'a.example' } },
      asn: { asn: 64500 },
      redirect: { redirect: { source_url: 'a.example/', target_url: 'https://b.example/' } },
    };
    for (const [kind, item] of Object.entries(contents) as ['hostname' | 'asn' | 'redirect', object][]) {
      await withList(session, kind, async (list_id) => {
        const body = [item] as Cloudflare.Rules.Lists.ItemCreateParams['body'];
        const { operation_id } = await items.create(list_id, { account_id, body });
        equal(await waitUntilFinished(session, operation_id), 'completed');
        const [kept] = await all(items.list(list_id, { account_id }));
        deepEqual(Object.keys(kept!).includes(kind), true);
      });
    }
  },

  'rules.lists refuse wrong items at once, and to go while an expression names them': async (session) => {
    const { client, account_id, zone } = session;
    await withList(session, 'ip', async (list_id) => {
      await session.refuses(
        () =>
          client.rules.lists.items.create(list_id, {
            account_id,
            body: [{ ip: '192.0.2.1' }, { ip: '1.2.3' }],
          }),
        { status: 400, code: 10028, pointer: '/1/ip' },
      );
      const zone_id = await zone('pro');
      const { result } = await client.filters.create({
        zone_id,
        body: [{ expression: 'ip.src in $story_ip' }],
      });
      equal((await client.rules.lists.get(list_id, { account_id })).num_referencing_filters, 1);
      await session.refuses(() => client.rules.lists.delete(list_id, { account_id }), {
        status: 400,
        code: 10031,
      });
      await client.filters.delete(result[0]!.id!, { zone_id });
    });
  },
});
