/** Rate limits that count by the response: its status, its headers, and the score that the origin returns. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { ServedEdge } from './served-edge.ts';

/** So long that no window ends during a test. */
const period = 65_535;
const entryPoint = 'rulesets/phases/http_ratelimit/entrypoint';

let served: ServedEdge;
let zone: string;

/** Answers with the status and the fields that the query names. */
const application = createServer(({ url = '/' }, response) => {
  const { searchParams } = new URL(url, 'http://a');
  response.statusCode = Number(searchParams.get('status') ?? 200);
  for (const [name, value] of searchParams) if (name.startsWith('x-')) response.setHeader(name, value);
  response.end('answered');
});

before(async () => {
  await once(application.listen(0, '127.0.0.1'), 'listening');
  served = await ServedEdge.open();
  const { port } = application.address() as AddressInfo;
  await served.serve('enterprise', { origin: { url: `http://127.0.0.1:${port}` } });
  zone = `/zones/${served.control.zone('enterprise')}`;
  await served.do(`PUT ${zone}/${entryPoint}`, {
    rules: [
      limit('/login', {
        requests_per_period: 2,
        mitigation_timeout: 60,
        counting_expression: `${on('/login')} and http.response.code eq 401`,
      }),
      limit('/slow', {
        requests_per_period: 2,
        counting_expression: `${on('/slow')} and http.response.code ge 500`,
      }),
      limit('/named', {
        requests_per_period: 1,
        mitigation_timeout: 60,
        counting_expression: `${on('/named')} and any(http.response.headers["x-kind"][*] eq "miss")`,
      }),
      limit('/score', {
        score_per_period: 100,
        score_response_header_name: 'X-Score',
        mitigation_timeout: 60,
      }),
      limit('/scored/some', {
        score_per_period: 10,
        score_response_header_name: 'x-score',
        mitigation_timeout: 60,
        counting_expression: `${on('/scored/some')} and http.request.method eq "POST"`,
      }),
    ],
  });
});
after(async () => {
  await served[Symbol.asyncDispose]();
  application.closeAllConnections();
  application.close();
});

function on(path: string): string {
  return `http.request.uri.path eq "${path}"`;
}

function limit(path: string, more: object): object {
  const ratelimit = { characteristics: ['cf.colo.id', 'ip.src'], period, ...more };
  return { action: 'block', description: path, expression: on(path), ratelimit };
}

async function statusesOf(...paths: readonly string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await served.send(path)).status);
  return statuses;
}

test('a rule counts by the status of the answer: the request beyond the limit passes, the next is stopped', async () => {
  deepEqual(await statusesOf('/login', '/login', '/login', '/login'), [200, 200, 200, 200]);
  deepEqual(await statusesOf('/login?status=401', '/login?status=401', '/login?status=401'), [401, 401, 401]);
  const stopped = await served.send('/login');
  equal(stopped.status, 429);
  const [event] = await served.eventsOf(stopped);
  deepEqual([event!.source, event!.action], ['ratelimit', 'block']);
});

test('a rule without a timeout counts by the answer, too', async () => {
  deepEqual(
    await statusesOf('/slow?status=500', '/slow?status=503', '/slow', '/slow?status=502', '/slow'),
    [500, 503, 200, 502, 429],
  );
});

test('a rule counts by the headers of the answer', async () => {
  deepEqual(
    await statusesOf('/named?x-kind=hit', '/named', '/named?x-kind=hit', '/named?x-kind=miss'),
    [200, 200, 200, 200],
  );
  deepEqual(await statusesOf('/named?x-kind=miss', '/named?x-kind=hit'), [200, 429]);
});

test('a rule adds up the scores that the origin gives; what is no score counts nothing', async () => {
  const ignored = ['', '?x-score=many', '?x-score=-5', '?x-score=1000001', '?x-score=1.5', '?x-score=0'];
  for (const query of ignored) equal((await served.send(`/score${query}`)).status, 200, query);
  deepEqual(await statusesOf('/score?x-score=60', '/score?x-score=40', '/score?x-score=1'), [200, 200, 200]);
  const stopped = await served.send('/score');
  equal(stopped.status, 429);
  const [event] = await served.eventsOf(stopped);
  match(JSON.stringify(event!.metadata), /a score of \d+ of 100 in 65535 s/);
});

test('a counting expression about requests says whose scores count', async () => {
  deepEqual(await statusesOf('/scored/some?x-score=99', '/scored/some'), [200, 200]);
  equal((await served.send('/scored/some?x-score=11', { body: 'x' })).status, 200);
  equal((await served.send('/scored/some')).status, 429);
});

test('a request that the origin does not answer counts with the status that its visitor gets', async () => {
  const { port } = application.address() as AddressInfo;
  await served.do(`PUT ${zone}/edge`, { origin: { url: 'http://127.0.0.1:1' }, protect: false });
  await served.do(`PUT ${zone}/${entryPoint}`, {
    rules: [
      limit('/away', {
        requests_per_period: 1,
        mitigation_timeout: 60,
        counting_expression: `${on('/away')} and http.response.code eq 502`,
      }),
    ],
  });
  deepEqual(await statusesOf('/away', '/away', '/away'), [502, 502, 429]);
  await served.do(`PUT ${zone}/edge`, { origin: { url: `http://127.0.0.1:${port}` }, protect: false });
});

test('limits that count by answers are refused where they cannot be, each with its place', async () => {
  const refuse = async (more: object, plan: 'enterprise' | 'business' = 'enterprise') => {
    const { errors } = await served.control.call(`PUT /zones/${served.control.zone(plan)}/${entryPoint}`, {
      body: { rules: [limit('/', { mitigation_timeout: 60, period: 60, ...more })] },
    });
    return errors.map(({ source }) => source?.pointer.split('/').at(-1));
  };
  const requests_per_period = 1;
  const score = { score_per_period: 5, score_response_header_name: 'x' };
  deepEqual(await refuse({}), ['requests_per_period']);
  deepEqual(await refuse({ ...score, requests_per_period }), ['score_per_period']);
  deepEqual(await refuse({ score_per_period: 5 }), ['score_response_header_name']);
  deepEqual(await refuse({ requests_per_period, score_response_header_name: 'x' }), [
    'score_response_header_name',
  ]);
  deepEqual(await refuse({ ...score, score_response_header_name: 'a b' }), ['score_response_header_name']);
  deepEqual(await refuse(score, 'business'), ['score_per_period']);
  const counting = (counting_expression: string) => refuse({ requests_per_period, counting_expression });
  deepEqual(await counting('http.response.code eq 401 and ip.src in $none'), ['counting_expression']);
  deepEqual(await counting('cf.response.error_type eq "waf"'), ['counting_expression']);
  deepEqual(await counting('http.response.code eq 401 and http.request.body.size gt 1'), [
    'counting_expression',
  ]);
  const inRule = await served.control.call(`PUT ${zone}/${entryPoint}`, {
    body: {
      rules: [
        { ...limit('/', { requests_per_period, period: 60 }), expression: 'http.response.code eq 401' },
      ],
    },
  });
  equal(inRule.success, false);
});
