/** What a zone learns from the values of its requests: from the edge to its object, and back to the judge. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LearnedBatch } from '#learning';
import { type Answer, ServedEdge } from './served-edge.ts';

const dayMs = 86_400_000;
const ruleset = 'efb7b8c949ac4650a09736fc376e9aee';

let served: ServedEdge;
let zoneId: string;
let zone: string;
/** The reports of the edge, the newest last. */
const told: LearnedBatch[] = [];

before(async () => {
  served = await ServedEdge.open({
    trustedProxies: ['127.0.0.0/8'],
    sendLearned: async (id, batch) => {
      told.push(batch);
      await served.control.control.learn(id, batch);
    },
  });
  zoneId = served.control.zone('enterprise');
  zone = `/zones/${zoneId}`;
  await served.serve('enterprise', { learning: 'watching' });
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
    rules: [{ action: 'execute', expression: 'true', action_parameters: { id: ruleset } }],
  });
  // The first request of a zone loads it.
  await served.send('/');
  await served.inForce();
});
after(() => served[Symbol.asyncDispose]());

function sendFrom(network: number, path: string, body?: string): Promise<Answer> {
  return served.send(path, {
    headers: {
      'x-forwarded-for': `10.0.${network}.5`,
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** From 30 networks, eight requests each: enough to count, except for the time span. */
async function visit(): Promise<void> {
  for (let request = 0; request < 240; request++) {
    const q = encodeURIComponent(`find * of the things ${request}`);
    await sendFrom(request % 30, `/product/${request}?id=${request}&q=${q}`);
    if (request % 60 === 59) await served.edge.describeLearned();
  }
}

async function list(query = ''): Promise<any[]> {
  return (await served.do(`GET ${zone}/learning/values${query}`)).result;
}

async function explain(answer: Answer): Promise<string> {
  const [event] = await served.eventsOf(answer);
  const { result } = await served.do(`GET ${zone}/security/events/${event!.id}/explain`);
  return JSON.stringify(result);
}

test('a zone learns, watches, acts and forgets', async (t) => {
  await t.test('from requests that passed without a finding and were answered well', async () => {
    await visit();
    const learned = (await list()).map(({ path, name, requests, networks, usual, known }) => [
      path,
      name,
      requests,
      networks,
      usual,
      known,
    ]);
    deepEqual(learned, [
      ['/product/{number}', 'id', 240, 30, 'numbers, up to 4 characters', false],
      [
        '/product/{number}',
        'q',
        240,
        30,
        'other text with operators (= ! * # ^ + ~), spaces, up to 32 characters',
        false,
      ],
    ]);
    const before = told.length;
    await sendFrom(1, '/404/x?a=1');
    equal((await sendFrom(1, `/x?a=${encodeURIComponent('test|ls')}`)).status, 200);
    equal((await sendFrom(1, `/x?a=${encodeURIComponent('; cat /etc/passwd')}`)).status, 403);
    await sendFrom(1, '/x', 'password=hunter2');
    await served.edge.describeLearned();
    equal(told.length, before, 'nothing is learned from errors, findings and passwords');
  });

  await t.test('says in events what acting would do, once a day has passed', async () => {
    const early = await sendFrom(40, `/product/7?id=${encodeURIComponent("'; select 1")}`);
    equal(early.status, 200);
    ok(!(await explain(early)).includes('learned:'), 'too little is known for now');
    await served.control.clock.advance(dayMs);
    await visit();
    await served.inForce();
    const watched = await sendFrom(40, `/product/7?id=${encodeURIComponent("'; select 1")}`);
    equal(watched.status, 200);
    match(
      await explain(watched),
      /learned: values of \\+"id\\+" on \/product\/\{number\} are numbers, up to 4 characters, in \d{3} requests from about 30 networks since .*this one has quotes, separators .*, spaces, another form .*would be sure if learning acted/,
    );
    const { result } = await served.do(`GET ${zone}/learning`);
    deepEqual([result.mode, result.values, result.known], ['watching', 2, 2]);
  });

  await t.test(
    'acts: what is far out is blocked, what is usual is not told, what is sure stays',
    async () => {
      const ask = (value: string): Promise<Answer> =>
        sendFrom(41, `/product/7?q=${encodeURIComponent(value)}`);
      const logged = await ask('select * from users');
      deepEqual([logged.status, (await served.eventsOf(logged)).length], [200, 1], 'likely, and logged');
      await served.do(`PUT ${zone}/edge`, { learning: 'acting' });
      const blocked = await sendFrom(41, `/product/7?id=${encodeURIComponent("'; select 1")}`);
      equal(blocked.status, 403);
      match(await explain(blocked), /learned: values of \\+"id\\+".*, so it is sure/);
      const lowered = await ask('select * from users');
      deepEqual([lowered.status, (await served.eventsOf(lowered)).length], [200, 0]);
      equal((await ask('; cat /etc/passwd')).status, 403, 'what is sure is never lowered');
      equal((await sendFrom(41, `/other?id=${encodeURIComponent("'; select 1")}`)).status, 200, 'elsewhere');
    },
  );

  await t.test('forgets one name, or everything; what edges have learned before is left out', async () => {
    const { result: one } = await served.do(`DELETE ${zone}/learning?path=/product/%7Bnumber%7D&name=id`);
    equal(one.values, 1);
    equal((await sendFrom(42, `/product/7?id=${encodeURIComponent("'; select 1")}`)).status, 200);
    deepEqual(
      (await list()).map(({ name }) => name),
      ['q'],
    );
    const old = told.at(-1)!;
    equal((await served.do(`DELETE ${zone}/learning`)).result.values, 1);
    await served.control.control.learn(zoneId, old);
    deepEqual(await list(), []);
    const { result } = await served.do(`GET ${zone}/learning`);
    deepEqual([result.mode, result.requests, result.known], ['acting', 0, 0]);
    const audit = await served.do(
      `GET /accounts/${served.control.control.directory.accountId}/audit_logs?per_page=50`,
    );
    ok(JSON.stringify(audit.result).includes('learned values'), 'the audit log has it');
  });

  await t.test('learns nothing while it is off', async () => {
    await served.do(`PUT ${zone}/edge`, { learning: 'off' });
    const before = told.length;
    await sendFrom(1, '/product/1?id=1');
    await served.edge.describeLearned();
    equal(told.length, before);
  });
});
