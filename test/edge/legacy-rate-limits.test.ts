/** Rate limits of the older API: through that API, as rules, and at the edge. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Plan } from '#rulesets';
import { ServedEdge } from './served-edge.ts';

const absent = '0'.repeat(32);
const entryPoint = 'rulesets/phases/http_ratelimit/entrypoint';

let served: ServedEdge;
let zone: string;
before(async () => {
  served = await ServedEdge.open();
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
});
after(() => served[Symbol.asyncDispose]());
afterEach(() => served.do(`PUT ${zone}/${entryPoint}`, { rules: [] }));

/** The requests of the Terraform providers. */
function limit(url: string, more: object = {}): object {
  return {
    match: { request: { methods: ['_ALL_'], schemes: ['_ALL_'], url } },
    threshold: 2,
    period: 600,
    action: { mode: 'ban', timeout: 3_600 },
    ...more,
  };
}

async function create(body: object, plan: Plan = 'enterprise') {
  return served.control.call(`POST /zones/${served.control.zone(plan)}/rate_limits`, { body });
}

async function readRules(): Promise<{ id: string; expression: string; ratelimit: object; action: string }[]> {
  return (await served.do(`GET ${zone}/${entryPoint}`)).result.rules;
}

async function statusesOf(
  ...asked: readonly (readonly [path: string, method?: string])[]
): Promise<number[]> {
  const statuses: number[] = [];
  for (const [path, method = 'GET'] of asked) statuses.push((await served.send(path, { method })).status);
  return statuses;
}

test('a rate limit is a rule of the phase http_ratelimit, and is given back as it was sent', async () => {
  const body = limit('*.enterprise.example/api/*', {
    match: {
      request: { methods: ['GET', 'POST'], schemes: ['HTTPS'], url: '*.enterprise.example/api/*' },
      response: {
        status: [401, 403],
        origin_traffic: false,
        headers: [{ name: 'Cf-Cache-Status', op: 'ne', value: 'HIT' }],
      },
    },
    disabled: true,
    description: 'API',
    bypass: [{ name: 'url', value: 'api.enterprise.example/api/health' }],
  });
  const { status, result } = await create(body);
  equal(status, 200);
  deepEqual(result, { id: result.id, ...body });
  deepEqual((await served.do(`GET ${zone}/rate_limits/${result.id}`)).result, result);
  deepEqual((await served.do(`GET ${zone}/rate_limits`)).result, [result]);
  const expression =
    'http.host wildcard "*.enterprise.example" and http.request.uri.path wildcard "/api/*" and http.request.method in {"GET" "POST"} and ssl and not (http.host eq "api.enterprise.example" and http.request.uri.path wildcard "/api/health")';
  const [rule] = await readRules();
  deepEqual(
    [rule!.id, rule!.action, rule!.expression, rule!.ratelimit],
    [
      result.id,
      'block',
      expression,
      {
        characteristics: ['cf.colo.id', 'ip.src'],
        period: 600,
        requests_per_period: 2,
        mitigation_timeout: 3_600,
        counting_expression: `(${expression}) and (http.response.code in {401 403}) and (not any(http.response.headers["cf-cache-status"][*] eq "HIT"))`,
        requests_to_origin: false,
      },
    ],
  );
});

test('a rate limit stops whoever comes too often, whatever the query, and leaves an event of the rule', async () => {
  const response = { content_type: 'text/plain', body: 'slowly, please' };
  const { result } = await create(
    limit('enterprise.example/login', {
      match: { request: { methods: ['POST'], url: 'enterprise.example/login' } },
      // So long that no window ends during the test.
      period: 65_535,
      action: { mode: 'ban', timeout: 86_400, response },
    }),
  );
  await served.inForce();
  deepEqual(
    await statusesOf(['/login?a=1', 'POST'], ['/login', 'GET'], ['/login', 'POST'], ['/login/2', 'POST']),
    [200, 200, 200, 200],
  );
  const stopped = await served.send('/login', { method: 'POST' });
  deepEqual([stopped.status, stopped.body], [429, response.body]);
  const [event] = await served.eventsOf(stopped);
  deepEqual([event!.source, event!.ruleId], ['ratelimit', result.id]);
});

test('modes of rate limits are actions of rules', async () => {
  const modes = { simulate: 'log', challenge: 'challenge', js_challenge: 'js_challenge' } as const;
  for (const [mode, action] of Object.entries(modes)) {
    const timed = mode === 'simulate' ? { timeout: 600 } : {};
    const { result } = await create(limit(`enterprise.example/${mode}`, { action: { mode, ...timed } }));
    // The newest is checked first.
    const [rule] = await readRules();
    deepEqual([rule!.id, rule!.action], [result.id, action]);
  }
});

test('a rate limit is replaced and deleted; its rule keeps its id, and goes with it', async () => {
  const { result } = await create(limit('enterprise.example/a'));
  const path = `${zone}/rate_limits/${result.id}`;
  const changed = await served.do(
    `PUT ${path}`,
    limit('enterprise.example/b', { threshold: 50, disabled: true }),
  );
  deepEqual([changed.result.threshold, changed.result.disabled, changed.result.id], [50, true, result.id]);
  const [rule] = await readRules();
  match(rule!.expression, /"\/b"/);
  deepEqual((await served.do(`DELETE ${path}`)).result, { id: result.id });
  deepEqual(await readRules(), []);
  for (const route of [`GET ${path}`, `DELETE ${path}`, `GET ${zone}/rate_limits/${absent}`]) {
    const gone = await served.control.call(route);
    deepEqual([gone.status, gone.errors[0]!.code], [404, 10001]);
  }
});

test('what is changed of the rule is seen in the rate limit, and a rule that says more is none', async () => {
  const { result } = await create(limit('enterprise.example/seen'));
  const [rule] = await readRules();
  const put = (change: object) =>
    served.do(`PUT ${zone}/${entryPoint}`, {
      rules: [
        { ...rule, ...change },
        { ...own, ref: 'own' },
      ],
    });
  const own = {
    action: 'block',
    expression: 'ssl',
    ratelimit: { characteristics: ['cf.colo.id', 'ip.src'], period: 60, requests_per_period: 5 },
  };
  await put({ enabled: false, ratelimit: { ...rule!.ratelimit, requests_per_period: 9 } });
  const { result: seen } = await served.do(`GET ${zone}/rate_limits/${result.id}`);
  deepEqual([seen.disabled, seen.threshold], [true, 9]);
  equal((await served.do(`GET ${zone}/rate_limits`)).result.length, 1);
  await put({ expression: 'http.host contains "x"' });
  deepEqual((await served.do(`GET ${zone}/rate_limits`)).result, []);
});

test('visitors behind one address can be counted each by itself', async () => {
  const body = limit('enterprise.example/nat', { correlate: { by: 'nat' } });
  const { result } = await create(body);
  deepEqual(result.correlate, { by: 'nat' });
  const [rule] = await readRules();
  deepEqual((rule!.ratelimit as { characteristics: string[] }).characteristics, [
    'cf.colo.id',
    'cf.unique_visitor_id',
  ]);
  const refused = await create(body, 'pro');
  deepEqual([refused.status, refused.errors[0]!.code], [400, 10010]);
  match(refused.errors[0]!.message, /cf\.unique_visitor_id.*business/i);
});

test('periods are rounded to those of the plan, and the answer says so', async () => {
  const { result, messages } = await create(limit('pro.example/*', { period: 55 }), 'pro');
  equal(result.period, 55);
  match(messages[0]!.message, /counted over 60 s, the supported period nearest to 55 s/);
  await served.do(`DELETE /zones/${served.control.zone('pro')}/rate_limits/${result.id}`);
});

test('rate limits are refused with the field and the reason', async () => {
  await create(limit('enterprise.example/twice'));
  const cases = [
    [limit('enterprise.example/twice', { threshold: 5 }), 10009, '/match', /^ratelimit\.api\.duplicate/],
    [limit('https://enterprise.example/'), 10018, '/match/request/url', /no scheme/],
    [limit('enterprise.example/?a=b'), 10018, '/match/request/url', /no query/],
    [limit('a**b'), 10018, '/match/request/url', /two stars/],
    [limit('*', { correlate: { by: 'address' } }), 10026, '/correlate/by', /nat/],
    [limit('*', { action: { mode: 'ban' } }), 10018, '/action/timeout', /needs a timeout/],
    [limit('*', { action: { mode: 'ban', timeout: 60 } }), 10018, '/action/timeout', /below the period/],
    [
      limit('*', { action: { mode: 'challenge', timeout: 3_600 } }),
      10018,
      '/action/timeout',
      /has no timeout/,
    ],
    [limit('*', { threshold: 0 }), 10026, '/threshold', /threshold/],
  ] as const;
  for (const [body, code, pointer, reason] of cases) {
    const { status, errors } = await create(body);
    deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [400, code, pointer]);
    match(errors[0]!.message, reason);
  }
  const response = { status: [401] };
  const ofAnswers = limit('*', { match: { request: { url: '*' }, response } });
  const refused = await create(ofAnswers, 'pro');
  equal(refused.errors[0]!.code, 10010);
  match(refused.errors[0]!.message, /Business/);
});
