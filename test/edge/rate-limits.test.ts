/** Rate limits at the edge: the client's response, the origin's requests, and the activity log. */
import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict';
import { Agent } from 'node:http';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { ServedEdge } from './served-edge.ts';
import { TestOrigin } from './test-origin.ts';
import { WorkerSite } from './worker-site.ts';

/** So long that no window ends during a test. */
const period = 65_535;
const phase = 'http_ratelimit';

let served: ServedEdge;
let zone: string;

before(async () => {
  served = await ServedEdge.open();
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
  await put('http_request_firewall_custom', [
    { action: 'skip', expression: on('/skipped/phase'), action_parameters: { phases: [phase] } },
    { action: 'skip', expression: on('/skipped/product'), action_parameters: { products: ['rateLimit'] } },
  ]);
  await put(phase, [
    limit('/block', 3, { mitigation_timeout: 60 }),
    limit('/throttle', 3),
    limit('/own', 1, { mitigation_timeout: 60 }, { action_parameters: { response } }),
    limit('/log', 1, { mitigation_timeout: 60 }, { action: 'log' }),
    limit('/challenge', 1, { mitigation_timeout: 60 }, { action: 'managed_challenge' }),
    limit('/key', 1, { characteristics: ['cf.colo.id', 'http.request.headers["x-key"]'] }),
    limit('/visitor', 2, { mitigation_timeout: 60, characteristics: ['cf.colo.id', 'cf.unique_visitor_id'] }),
    limit('/counted', 2, { mitigation_timeout: 60, counting_expression: 'http.request.method eq "POST"' }),
    limit('/skipped/phase', 1, { mitigation_timeout: 60 }),
    limit('/skipped/product', 1, { mitigation_timeout: 60 }),
    limit('/upload', 1, { mitigation_timeout: 60 }),
  ]);
});
after(() => served[Symbol.asyncDispose]());

const response = { status_code: 420, content: '{"slow":"down"}', content_type: 'application/json' };

function on(path: string): string {
  return `http.request.uri.path eq "${path}"`;
}

function limit(path: string, requests_per_period: number, more: object = {}, rule: object = {}): object {
  const ratelimit = { characteristics: ['cf.colo.id', 'ip.src'], period, requests_per_period, ...more };
  return { action: 'block', description: path, expression: on(path), ratelimit, ...rule };
}

async function put(name: string, rules: readonly object[]): Promise<void> {
  const { messages } = await served.do(`PUT ${zone}/rulesets/phases/${name}/entrypoint`, { rules });
  deepEqual(messages, []);
}

async function sendAll(
  path: string,
  times: number,
  sent?: Parameters<ServedEdge['send']>[1],
): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index++) statuses.push((await served.send(path, sent)).status);
  return statuses;
}

test('a rule with a timeout stops whoever came too often, says when to come back, and explains itself', async () => {
  deepEqual(await sendAll('/block', 3), [200, 200, 200]);
  const stopped = await served.send('/block');
  equal(stopped.status, 429);
  match(stopped.body, /Too many requests/);
  const wait = Number(stopped.headers['retry-after']);
  ok(wait >= 1 && wait <= 60, String(wait));
  const [event, ...others] = await served.eventsOf(stopped);
  deepEqual(others, []);
  deepEqual(
    [event!.source, event!.action, event!.description, event!.edgeResponseStatus, event!.metadata],
    ['ratelimit', 'block', '/block', 429, [{ key: 'rate', value: `4 of 3 requests in ${period} s` }]],
  );
  const { result } = await served.do(`GET ${zone}/security/events/${event!.id}/explain`);
  const { explanation } = result as {
    explanation: { rules: { rate: string }[]; steps: { phase: string }[] };
  };
  equal(explanation.rules[0]!.rate, `4 of 3 requests in ${period} s`);
  ok(explanation.steps.some((step) => step.phase === phase));
  equal((await served.send('/block', { headers: { 'x-forwarded-for': '192.0.2.1' } })).status, 429);
  equal((await served.send('/elsewhere')).status, 200);
});

test('a rule without a timeout stops only what is beyond the rate', async () => {
  deepEqual(await sendAll('/throttle', 5), [200, 200, 200, 429, 429]);
});

test('a rule answers in its own words, logs, or asks for a challenge', async () => {
  equal((await served.send('/own')).status, 200);
  const own = await served.send('/own');
  deepEqual([own.status, own.body], [420, response.content]);
  ok(Number(own.headers['retry-after']) >= 1);
  deepEqual(await sendAll('/log', 3), [200, 200, 200]);
  const logged = (await served.events()).filter(({ description }) => description === '/log');
  deepEqual(
    logged.map(({ action }) => action),
    ['log', 'log'],
  );
  equal((await served.send('/challenge')).status, 200);
  const challenged = await served.send('/challenge');
  deepEqual([challenged.status, challenged.headers['cf-mitigated']], [403, 'challenge']);
});

test('requests are counted by their own values; one that is missing is a value of its own', async () => {
  for (const headers of [{ 'x-key': 'a' }, { 'x-key': 'b' }, { 'x-key': '' }, {}]) {
    deepEqual(await sendAll('/key', 2, { headers }), [200, 429], JSON.stringify(headers));
  }
});

test('visitors of one address are told apart by a signed cookie, which only those get who pass', async () => {
  const cookieOf = ({ headers }: Awaited<ReturnType<ServedEdge['send']>>): string =>
    String(headers['set-cookie'] ?? '').split(';')[0]!;
  const [one, other] = [cookieOf(await served.send('/visitor')), cookieOf(await served.send('/visitor'))];
  match(one, /^_cfuvid=[\w.-]+$/);
  notEqual(one, other);
  // The address alone has reached its limit.
  const stopped = await served.send('/visitor');
  deepEqual([stopped.status, cookieOf(stopped)], [429, '']);
  const known = await served.send('/visitor', { headers: { cookie: `a=b; ${one}` } });
  deepEqual([known.status, cookieOf(known)], [200, '']);
  deepEqual(await sendAll('/visitor', 2, { headers: { cookie: one } }), [200, 429]);
  deepEqual(await sendAll('/visitor', 1, { headers: { cookie: other } }), [200]);
  // A value that is not signed for this client counts as its address.
  const [content = ''] = one.split(/\.(?=[^.]*$)/);
  for (const headers of [
    { cookie: `${content}.${'x'.repeat(43)}` },
    { cookie: other, 'user-agent': 'another' },
    { cookie: '_cfuvid=' },
  ])
    deepEqual(await sendAll('/visitor', 1, { headers }), [429], JSON.stringify(headers));
  equal(cookieOf(await served.send('/other')), '', 'no rule has asked who it is');
});

test('a counting expression says which requests count, and the expression which are stopped', async () => {
  deepEqual(await sendAll('/counted', 5), [200, 200, 200, 200, 200]);
  const origin = { method: 'POST', body: 'x' };
  deepEqual(await sendAll('/other', 2, origin), [200, 200]);
  deepEqual(await sendAll('/counted', 1, origin), [429]);
  deepEqual(await sendAll('/counted', 1), [429]);
  deepEqual(await sendAll('/other', 1, origin), [200]);
});

test('rules before it skip the phase, or the product', async () => {
  deepEqual(await sendAll('/skipped/phase', 4), [200, 200, 200, 200]);
  deepEqual(await sendAll('/skipped/product', 4), [200, 200, 200, 200]);
});

test('a request whose body is judged in the thread counts once', async () => {
  const body = 'text '.repeat(20_000);
  await served.do(`PATCH ${zone}/settings/waf`, { value: 'on' });
  const [first, second] = [await served.send('/upload', { body }), await served.send('/upload', { body })];
  deepEqual([first.status, second.status], [200, 429]);
});

test('edge processes of a machine count together', async (t) => {
  await using origin = await TestOrigin.listen();
  const site = await WorkerSite.start(t);
  await site.call(`PUT /zones/${site.zone.id}/edge`, { origin: { url: origin.url } });
  const requests = 300;
  const rules = [
    limit('/ready', 1, { mitigation_timeout: 600 }),
    limit('/shared', requests, { mitigation_timeout: 600 }),
    limit('/login', 5, { mitigation_timeout: 600 }),
    limit('/throttled', 8),
    limit('/answered', 5, {
      mitigation_timeout: 600,
      counting_expression: `${on('/answered')} and http.response.code eq 200`,
    }),
  ];
  await site.call(`PUT /zones/${site.zone.id}/rulesets/phases/${phase}/entrypoint`, { rules });
  await awaitStopped(site, '/ready');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  let passed = 0;
  // One process counts until it stops the key; then the other one knows it, too.
  while ((await site.send('/shared', { agent })).status === 200) passed++;
  passed += await awaitStopped(site, '/shared');
  equal(passed, requests);

  // Changes of rules apply in both.
  await site.call(`PUT /zones/${site.zone.id}/rulesets/phases/http_request_dynamic_redirect/entrypoint`, {
    rules: [
      {
        action: 'redirect',
        expression: on('/moved'),
        action_parameters: {
          from_value: { target_url: { value: 'https://new.example/' }, status_code: 308 },
        },
      },
    ],
  });
  await awaitAlways(site, '/moved', 308);

  // One is killed with its counts, and its successor has none: no client passes more often than the limit again.
  process.kill(site.listWorkers()[0]!, 'SIGKILL');
  await site.awaitWorkers();
  ok((await awaitStopped(site, '/ready')) <= 1, 'as often as the limit');

  // Both processes report to the program, which shows the fullest keys, and releases one in both.
  const keys = `/zones/${site.zone.id}/rate_limit_keys`;
  type Key = { id: string; values: string[]; limit: number; stopped_until: string | null };
  let stopped: Key | undefined;
  await eventually(async () => {
    const shown = (await site.ask(`GET ${keys}`)) as Key[];
    stopped = shown.find((key) => key.limit === requests && key.stopped_until !== null);
    return stopped !== undefined;
  }, 'the key that is stopped');
  deepEqual(stopped!.values, ['127.0.0.1']);
  await site.ask(`DELETE ${keys}/${stopped!.id}`);
  await eventually(async () => (await site.send('/shared')).status === 200, 'the key that was let go');

  // Stopped requests are in the activity log, and show which clients a limit of one would have stopped.
  type Suggestion = { visitors: number; peak: number; suggested_limit: number; stopped: { ip: string }[] };
  await eventually(async () => {
    const path = `/zones/${site.zone.id}/rate_limit_suggestion?period=3600&limit=1`;
    const found = (await site.ask(`GET ${path}`)) as Suggestion;
    const isOne = found.visitors === 1 && found.suggested_limit === found.peak;
    return isOne && found.stopped[0]?.ip === '127.0.0.1';
  }, 'a suggestion');

  // Each request on a new connection, after the response to the one before.
  for (const [path, allowed] of [
    ['/login', 5],
    ['/throttled', 8],
    ['/answered', 6],
  ] as const) {
    const statuses: number[] = [];
    while (statuses.length < 30) statuses.push((await site.send(path)).status);
    deepEqual(
      statuses,
      statuses.map((_, index) => (index < allowed ? 200 : 429)),
      path,
    );
  }
});

/** Waits until a number of connections in a row are stopped. Returns how many were not. */
function awaitStopped(site: WorkerSite, path: string): Promise<number> {
  return awaitAlways(site, path, 429);
}

/**
 * Waits until a number of connections in a row, served by both processes, get this response. Returns how many passed.
 */
async function awaitAlways(site: WorkerSite, path: string, wanted: number): Promise<number> {
  let [inRow, passed] = [0, 0];
  await eventually(async () => {
    const { status } = await site.send(path);
    if (status === 200) passed++;
    inRow = status === wanted ? inRow + 1 : 0;
    return inRow >= 20;
  });
  return passed;
}
