/**
 * One zone is attacked on a program with a single worker of the edge. All other clients are served, and wait for a
 * bounded number of costly requests: budgets.test.ts counts the cost of one.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { costlyExpression, createCostlyText } from '../../src/rules/firewall/testing.ts';
import { eventually } from '../eventually.ts';
import { TestOrigin } from './test-origin.ts';
import { WorkerSite } from './worker-site.ts';

/** Concurrent costly requests. */
const attackers = 4;
const rounds = 3;

/**
 * A request takes a few turns of the event loop of the worker, in each of which at most one costly request is judged.
 */
const costlyPerRequestMax = 12;

test('while one zone gets costly requests and costly rules, other zones, the API and /livez are served', async (t) => {
  await using origin = await TestOrigin.listen();
  const site = await WorkerSite.start(t, { workers: 1 });
  const other = site.findZone('business');
  for (const { id } of [site.zone, other])
    await site.call(`PUT /zones/${id}/edge`, { origin: { url: origin.url } });
  const isServed = async (host: string): Promise<boolean> => (await site.send('/', { host })).status === 200;
  await eventually(async () => (await isServed(site.zone.name)) && (await isServed(other.name)));
  const checkOthers = async (): Promise<void> => {
    equal((await site.send('/', { host: other.name })).status, 200);
    const { origin: root } = new URL(site.ready.api);
    const headers = { authorization: `Bearer ${site.ready.token}` };
    const answers = [fetch(`${root}/livez`), fetch(`${site.ready.api}/zones/${other.id}`, { headers })];
    deepEqual(
      (await Promise.all(answers)).map(({ status }) => status),
      [200, 200],
    );
  };

  await site.call(`POST /zones/${site.zone.id}/firewall/rules`, [
    { action: 'log', filter: { expression: costlyExpression } },
  ]);
  const body = createCostlyText(100_000);
  // The rule is in force when a request ends in its budget.
  await eventually(async () => (await site.send('/', { body })).status === 403);
  const end = new AbortController();
  let costly = 0;
  const flood = Array.from({ length: attackers }, async () => {
    while (!end.signal.aborted) {
      equal((await site.send('/', { body })).status, 403);
      costly++;
    }
  });
  for (let round = 0; round < rounds; round++) await checkOthers();
  const costlyDuring = costly;
  // The program compiles the patterns of a call first, and then the worker does.
  const rules = Array.from({ length: 1_000 }, (_, index) => ({
    action: 'block',
    expression: `http.user_agent matches r"(?:[a-f]{1,6}x?){1,6}${index}"`,
  }));
  const put = site.call(
    `PUT /zones/${site.zone.id}/rulesets/phases/http_request_firewall_custom/entrypoint`,
    { rules },
  );
  for (let round = 0; round < rounds; round++) await checkOthers();
  await put;
  end.abort();
  await Promise.all(flood);
  ok(costlyDuring <= rounds * costlyPerRequestMax + attackers, `${costlyDuring} costly requests`);
  // No process had to be replaced for it.
  const ends = ['stuck', 'silent', 'memory'].map((reason) =>
    site.readMetric('gatehouse_edge_worker_ends_total', `{reason="${reason}"}`),
  );
  deepEqual(await Promise.all(ends), [0, 0, 0]);
});
