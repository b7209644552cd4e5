/**
 * Rules that cost more than they should: one request that meets many patterns, one API call that brings many. Whoever else
 * uses the process is served meanwhile.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
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

/** As many patterns on the body as one rule may have, each slow on the body below. */
const slowExpression = Array.from(
  { length: 64 },
  (_, index) => `http.request.body.raw matches "[ab]*a[ab]{${300 + index}}[c-z]"`,
).join(' or ');

/** Leads every automaton to a state of its own at every byte. */
function randomBody(length: number): string {
  let [state, text] = [7, ''];
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    text += 'ab'[(state >>> 16) & 1];
  }
  return text;
}

test('a request that takes too many steps ends in its budget, with an event that names the rule', async () => {
  const { result } = await served.do(`POST ${zone}/firewall/rules`, [
    { action: 'log', filter: { expression: slowExpression } },
  ]);
  const answer = await served.send('/', { body: randomBody(100_000) });
  deepEqual([answer.status, served.origin.take()], [403, []]);
  const [event] = await served.eventsOf(answer);
  deepEqual([event!.action, event!.source, event!.ruleId], ['block', 'firewallrules', 'judging-budget']);
  deepEqual(event!.metadata, [{ key: 'judging_budget_rule_id', value: result[0].id }]);
  match(event!.description, new RegExp(`in rule ${result[0].id}`));
  const { judging } = served.edge.stats();
  equal(judging.exhausted[served.host('enterprise')], 1);
});

test('other zones and the API are served while such requests come without end', async () => {
  const body = randomBody(100_000);
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
  const answer = await served.send('/', { body: randomBody(100_000) });
  deepEqual([answer.status, served.origin.take().length], [200, 1]);
  deepEqual(
    (await served.eventsOf(answer)).map(({ action, ruleId }) => [action, ruleId]),
    [['log', 'judging-budget']],
  );
});

test('a ruleset whose patterns take too long to compile is refused, and the costliest are named', async () => {
  const rules = Array.from({ length: 100 }, (_, index) => ({
    action: 'block',
    expression: `http.user_agent matches r"(?:[a-f]{1,40}x?){1,20}${index}"`,
  }));
  const path = `${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const refused = await served.control.call(`PUT ${path}`, { body: { rules } });
  equal(refused.success, false);
  const [error] = refused.errors;
  equal(error?.code, 10424);
  match(error.message, /the costliest are \(\?:\[a-f\]\{1,40\}x\?\)\{1,20\}10 in \/rules\/10\/expression, /);
  const accepted = await served.control.call(`PUT ${path}`, { body: { rules: rules.slice(0, 5) } });
  equal(accepted.success, true, JSON.stringify(accepted.errors));
});
