/**
 * Rules that cost more than they should: one request that meets many patterns, one API call that brings many. Other
 * users of the process are served meanwhile.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { workTurns } from '#work';
import { readPatternTables } from '#expressions';
import { judgingStepsMax } from '#rulesets';
import { costlyExpression, createCostlyText } from '../../src/rules/firewall/testing.ts';
import { tableBytesMax } from '../../src/rules/regex/limits.ts';
import { type Answer, ServedEdge } from './served-edge.ts';

let served: ServedEdge;
let zone: string;

before(async () => {
  served = await ServedEdge.open();
  await served.serve('enterprise');
  await served.serve('business');
  zone = `/zones/${served.control.zone('enterprise')}`;
});

after(() => served[Symbol.asyncDispose]());

test('a body of values that detectors take long for ends in their share of the budget, and ordinary rows do not', async () => {
  const id = 'efb7b8c949ac4650a09736fc376e9aee';
  const managed = `PUT ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  await served.do(managed, {
    rules: [{ action: 'execute', expression: 'true', action_parameters: { id } }],
  });
  const headers = { 'content-type': 'application/json' };
  const write = (length: number, value: (index: number) => string): string =>
    JSON.stringify(Array.from({ length }, (_, index) => value(index)));
  const rows = write(2_400, (index) => `Order ${index}: 2 x "Mocha & Co." (40%) - it's $9.90`);
  deepEqual(
    [(await served.send('/', { headers, body: rows })).status, served.origin.take().length],
    [200, 1],
  );
  const answer = await served.send('/', {
    headers,
    body: write(3_000, (index) => `query{a(b:"'&#60;'=1\0'/'%25${index}`),
  });
  deepEqual([answer.status, served.origin.take()], [403, []]);
  const [event] = await served.eventsOf(answer);
  deepEqual([event!.action, event!.source, event!.ruleId], ['block', 'firewallManaged', 'judging-budget']);
  const [, steps] = /took more than (\d+) steps/.exec(event!.description)!;
  ok(Number(steps) < judgingStepsMax, event!.description);
  await served.do(managed, { rules: [] });
});

test('a request that takes too many steps ends in its budget, with an event that names the rule', async () => {
  const countExhausted = (): number => served.edge.stats().judging.exhausted[served.host('enterprise')] ?? 0;
  const before = countExhausted();
  const { result } = await served.do(`POST ${zone}/firewall/rules`, [
    { action: 'log', filter: { expression: costlyExpression } },
  ]);
  const answer = await served.send('/', { body: createCostlyText(100_000) });
  deepEqual([answer.status, served.origin.take()], [403, []]);
  const [event] = await served.eventsOf(answer);
  deepEqual([event!.action, event!.source, event!.ruleId], ['block', 'firewallrules', 'judging-budget']);
  deepEqual(event!.metadata, [{ key: 'judging_budget_rule_id', value: result[0].id }]);
  match(event!.description, new RegExp(`in rule ${result[0].id}`));
  equal(countExhausted() - before, 1);
});

test('other zones and the API are served while such requests come without end', async () => {
  const body = createCostlyText(100_000);
  const end = new AbortController();
  const hostile: Answer[] = [];
  const attack = async (): Promise<void> => {
    while (!end.signal.aborted) hostile.push(await served.send('/', { body }));
  };
  const attackers = Array.from({ length: 2 }, attack);
  const host = served.host('business');
  const others = [];
  for (let round = 0; round < 2; round++) {
    others.push((await served.send('/', { host })).status);
    const { success } = await served.control.call(`GET ${zone}`);
    others.push(success);
  }
  end.abort();
  await Promise.all(attackers);
  deepEqual(others, Array.from({ length: 2 }, () => [200, true]).flat());
  ok(hostile.length >= 2);
  deepEqual([...new Set(hostile.map(({ status }) => status))], [403]);
  served.origin.take();
});

test('where the zone says so, such a request passes with an event', async () => {
  await served.serve('enterprise', { over_inspection_limit: 'log' });
  const answer = await served.send('/', { body: createCostlyText(100_000) });
  deepEqual([answer.status, served.origin.take().length], [200, 1]);
  deepEqual(
    (await served.eventsOf(answer)).map(({ action, ruleId }) => [action, ruleId]),
    [['log', 'judging-budget']],
  );
});

/** 250 ms of work, in steps. */
const pauseStepsMax = 50_000_000;

const entryPoint = 'rulesets/phases/http_request_firewall_custom/entrypoint';

/** Counts the turns of the event loop during the work; in each of them others can be served. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let timer = setImmediate(function next() {
    turns++;
    timer = setImmediate(next);
  });
  await work;
  clearImmediate(timer);
  return turns;
}

/** Another zone and the API. */
async function checkOthers(): Promise<void> {
  const [request, call] = await Promise.all([
    served.send('/', { host: served.host('business') }),
    served.control.call(`GET ${zone}`),
  ]);
  deepEqual([request.status, call.success], [200, true]);
}

/** As large as 1,000 patterns of one call can be. */
const largeRules = Array.from({ length: 1_000 }, (_, index) => ({
  action: 'block',
  expression: `http.user_agent matches r"(?:[a-f]{1,6}x?){1,6}${index}"`,
}));

test('while 1,000 large patterns are checked, put in force and met by a request, others have their turns', async () => {
  await served.do(`PUT ${zone}/${entryPoint}`, { rules: [] });
  equal((await served.send('/')).status, 200);
  const put = served.control.call(`PUT ${zone}/${entryPoint}`, { body: { rules: largeRules } });
  const checking = countTurns(put);
  await checkOthers();
  const answer = await put;
  equal(answer.success, true, JSON.stringify(answer.errors));
  ok((await checking) >= 50, `${await checking} turns to check them`);
  // The first request behind it waits for its zone; that of another zone does not.
  const first = served.send('/', { headers: { 'user-agent': 'abcdef'.repeat(40) } });
  const loading = countTurns(served.inForce());
  await checkOthers();
  equal((await first).status, 200);
  ok((await loading) >= 50, `${await loading} turns to put them in force`);
  ok(workTurns.counts.turnStepsMax <= pauseStepsMax, `${workTurns.counts.turnStepsMax} steps in a turn`);
  ok(judgingStepsMax <= pauseStepsMax);
  served.origin.take();
});

test('a cookie that leads 800 patterns to ever more states takes no more memory than all tables may', async () => {
  const rules = Array.from({ length: 800 }, (_, index) => ({
    action: 'log',
    expression: `http.cookie matches "[ab]*a[ab]{${10 + (index % 30)}}[c-z]${index}"`,
  }));
  await served.do(`PUT ${zone}/${entryPoint}`, { rules });
  const cookie = `name=${createCostlyText(15_000)}`;
  const requests = Array.from({ length: 3 }, () => served.send('/', { headers: { cookie } }));
  await checkOthers();
  for (const { status } of await Promise.all(requests)) ok([200, 403].includes(status), String(status));
  const { bytes } = readPatternTables();
  ok(bytes <= tableBytesMax, `${bytes} bytes`);
  served.origin.take();
});

test('a ruleset whose patterns take too long to compile is refused, and the slowest are named', async () => {
  const rules = Array.from({ length: 100 }, (_, index) => ({
    action: 'block',
    expression: `http.user_agent matches r"(?:[a-f]{1,40}x?){1,20}${index}"`,
  }));
  const path = `${zone}/${entryPoint}`;
  const refused = await served.control.call(`PUT ${path}`, { body: { rules } });
  equal(refused.success, false);
  const [error] = refused.errors;
  equal(error?.code, 10424);
  match(error.message, /the slowest are \(\?:\[a-f\]\{1,40\}x\?\)\{1,20\}10 in \/rules\/10\/expression, /);
  const accepted = await served.control.call(`PUT ${path}`, { body: { rules: rules.slice(0, 5) } });
  equal(accepted.success, true, JSON.stringify(accepted.errors));
});
