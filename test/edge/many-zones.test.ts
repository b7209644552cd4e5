import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { countWorkOf } from '../../tools/count-work.ts';
import { ServedEdge } from './served-edge.ts';

/** Work that is done once, whatever the number of zones. */
const workOfAnySize = 3_000;

async function addZone(served: ServedEdge, name: string): Promise<string> {
  const account = { id: served.control.control.directory.accountId };
  return (await served.do('POST /zones', { name, account })).result.id;
}

async function addBlockedZone(served: ServedEdge, name: string): Promise<string> {
  const id = await addZone(served, name);
  const filter = { expression: `http.request.uri.path eq "/no"` };
  await served.do(`POST /zones/${id}/firewall/rules`, [{ action: 'block', filter }]);
  return id;
}

/** After some turns, all effects of a write have happened. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await nextTurn();
}

async function countWrites(zones: number): Promise<Map<string, number>> {
  await using served = await ServedEdge.open();
  const { accountId } = served.control.control.directory;
  const account = `/accounts/${accountId}`;
  for (let index = 0; index < zones; index++) {
    const body = { name: `many-${index}.example`, account: { id: accountId } };
    equal((await served.control.call('POST /zones', { body })).success, true);
  }
  const counts = new Map<string, number>();
  const write = async (route: string, body?: unknown): Promise<{ readonly id: string }> => {
    const { result, success, errors } = await served.control.call(route, { body });
    equal(success, true, JSON.stringify(errors));
    await settle();
    return result;
  };
  const steps = async (kind: string, run: () => Promise<unknown>): Promise<void> => {
    counts.set(kind, await countWorkOf(run));
  };
  for (const round of ['warm', 'counted']) {
    let list = '';
    await steps('create a list', async () => {
      list = (await write(`POST ${account}/rules/lists`, { name: round, kind: 'ip' })).id;
    });
    await steps('describe a list', () =>
      write(`PUT ${account}/rules/lists/${list}`, { description: 'theirs' }),
    );
    await steps('list the lists', () => write(`GET ${account}/rules/lists`));
    await steps('delete a list', () => write(`DELETE ${account}/rules/lists/${list}`));
    let token = '';
    await steps('create a token', async () => {
      token = (await write('POST /user/tokens', readZones)).id;
    });
    await steps('delete a token', () => write(`DELETE /user/tokens/${token}`));
    await steps('create a ruleset', () => write(`POST ${account}/rulesets`, createRuleset(round)));
    await steps('create a zone', () =>
      write('POST /zones', { name: `${round}.example`, account: { id: accountId } }),
    );
  }
  return counts;
}

const readZones = {
  name: 'token',
  policies: [
    {
      effect: 'allow',
      permission_groups: [{ id: 'c8fed203ed3043cba015a93ad1616f1f' }],
      resources: { 'com.cloudflare.api.account.zone.*': '*' },
    },
  ],
};

function createRuleset(name: string): object {
  const rules = [{ action: 'block', expression: 'http.request.uri.path eq "/no"' }];
  return { name, kind: 'custom', phase: 'http_request_firewall_custom', rules };
}

test('a write to the account does the same work for 10 and for 60 zones', async () => {
  const [few, many] = [await countWrites(10), await countWrites(60)];
  for (const [kind, steps] of many) {
    const most = workOfAnySize + 1.1 * few.get(kind)!;
    ok(steps <= most, `${kind}: ${few.get(kind)} steps for 10 zones, ${steps} for 60`);
  }
});

test('an edge reads no zone before a request needs it, then that one, and again only when it changes', async () => {
  const read: string[] = [];
  await using served = await ServedEdge.open({
    source: (real) => ({
      ...real,
      readZone: (zoneId) => {
        read.push(zoneId);
        return real.readZone(zoneId);
      },
    }),
  });
  const zone = await addBlockedZone(served, 'one.example');
  const list = await served.do(`POST /accounts/${served.control.control.directory.accountId}/rules/lists`, {
    name: 'unused',
    kind: 'ip',
  });
  ok(list.success);
  deepEqual([read, served.edge.stats().zonesLoaded], [[], 0]);
  const answers = await Promise.all([1, 2, 3].map(() => served.send('/no', { host: 'www.one.example' })));
  deepEqual([answers.map(({ status }) => status), read], [[403, 403, 403], [zone]]);
  await served.do(`PUT /zones/${zone}/edge`, { origin: { url: served.origin.url } });
  equal((await served.send('/yes', { host: 'one.example' })).status, 200);
  ok(read.length >= 2 && read.every((id) => id === zone), read.join());
});

test('an edge drops the zones used longest ago, and judges their requests when it has loaded them again', async () => {
  await using served = await ServedEdge.open({ loadedZonesMax: 2 });
  const names = ['a.example', 'b.example', 'c.example', 'd.example'];
  for (const name of names) await addBlockedZone(served, name);
  for (const name of [...names, ...names]) {
    equal((await served.send('/no', { host: name })).status, 403);
    ok(served.edge.stats().zonesLoaded <= 2);
  }
  deepEqual([served.edge.isLoaded(served.control.zone('pro')), served.edge.stats().zonesLoaded], [false, 2]);
});

test('a request for a zone that cannot be loaded is refused, and does not fall to the zone above it', async () => {
  let isAway = false;
  await using served = await ServedEdge.open({
    source: (real) => ({
      ...real,
      readZone: (zoneId) => (isAway ? Promise.reject(new Error('away')) : real.readZone(zoneId)),
    }),
  });
  await served.serve('enterprise');
  const zone = await addBlockedZone(served, `shop.${served.host('enterprise')}`);
  await served.do(`PUT /zones/${zone}/edge`, { origin: { url: served.origin.url } });
  equal((await served.send('/')).status, 200);
  served.origin.take();
  isAway = true;
  const refused = await served.send('/no', { host: `shop.${served.host('enterprise')}` });
  deepEqual([refused.status, refused.headers['retry-after'], served.origin.take()], [503, '1', []]);
  match(refused.body, /cannot be loaded/);
  isAway = false;
  equal((await served.send('/no', { host: `shop.${served.host('enterprise')}` })).status, 403);
});

test('a list that changes is in force for the next request of the zones that name it', async () => {
  await using served = await ServedEdge.open();
  await served.serve('enterprise');
  const lists = `/accounts/${served.control.control.directory.accountId}/rules/lists`;
  const { id } = (await served.do(`POST ${lists}`, { name: 'refused', kind: 'ip' })).result;
  await served.do(`POST /zones/${served.control.zone('enterprise')}/firewall/rules`, [
    { action: 'block', filter: { expression: 'ip.src in $refused' } },
  ]);
  equal((await served.send('/')).status, 200);
  await served.do(`POST ${lists}/${id}/items`, [{ ip: '127.0.0.1' }]);
  await served.control.clock.advance(10);
  await served.inForce();
  equal((await served.send('/')).status, 403);
  const deletion = await served.control.call(`DELETE ${lists}/${id}`);
  equal(deletion.success, false, 'a rule names it');
});
