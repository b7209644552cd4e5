/** Answers in place of errors: of the origin, of the edge when there is none, and of rules that block. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServedEdge } from '../served-edge.ts';

let served: ServedEdge;
let zone: string;

const serve = (expression: string, action_parameters: object, more: object = {}): object => ({
  action: 'serve_error',
  expression,
  action_parameters,
  ...more,
});
const on = (path: string): string => `starts_with(http.request.uri.path, "${path}")`;

before(async () => {
  served = await ServedEdge.open();
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
  const put = async (phase: string, rules: readonly object[]): Promise<void> => {
    const { messages } = await served.do(`PUT ${zone}/rulesets/phases/${phase}/entrypoint`, { rules });
    deepEqual(messages, []);
  };
  await put('http_custom_errors', [
    serve('http.response.code eq 404', { content: '<h1>::RAY_ID:: from ::CLIENT_IP::</h1>' }),
    serve('http.response.code in {403 429}', { content: 'No.', content_type: 'text/plain' }),
    serve('http.response.code ge 500', {
      content: '{"sorry":true}',
      content_type: 'application/json',
      status_code: 503,
    }),
    serve('http.response.code ge 500', { content: 'the first rule that matches answers' }),
  ]);
  await put('http_response_headers_transform', [
    {
      action: 'rewrite',
      expression: 'true',
      action_parameters: { headers: { 'x-seen': { operation: 'set', value: 'yes' } } },
    },
  ]);
  await put('http_request_firewall_custom', [
    { action: 'block', expression: on('/blocked') },
    {
      action: 'block',
      expression: on('/own'),
      action_parameters: { response: { status_code: 403, content: 'own', content_type: 'text/plain' } },
    },
    { action: 'managed_challenge', expression: on('/challenged') },
    { action: 'skip', expression: on('/404/plain'), action_parameters: { phases: ['http_custom_errors'] } },
  ]);
  await put('http_request_origin', [
    { action: 'route', expression: on('/away'), action_parameters: { origin: { port: 1 } } },
  ]);
  await put('http_ratelimit', [
    {
      action: 'block',
      expression: on('/limited'),
      ratelimit: {
        characteristics: ['cf.colo.id', 'ip.src'],
        period: 65_535,
        requests_per_period: 1,
        mitigation_timeout: 60,
      },
    },
  ]);
});
after(() => served[Symbol.asyncDispose]());

test('errors of the origin are answered by the zone, with their status or another one', async () => {
  const lost = await served.send('/404/page');
  deepEqual([lost.status, lost.headers['content-type']], [404, 'text/html; charset=utf-8']);
  equal(lost.body, `<h1>${String(lost.headers['cf-ray'])} from 127.0.0.1</h1>`);
  const failed = await served.send('/500/page');
  deepEqual(
    [failed.status, failed.headers['content-type'], failed.body],
    [503, 'application/json; charset=utf-8', '{"sorry":true}'],
  );
  const fine = await served.send('/page');
  deepEqual([fine.status, fine.headers['x-seen']], [200, 'yes']);
  equal((await served.send('/410/page')).body, 'origin got GET /410/page');
  equal((await served.send('/404/plain')).body, 'origin got GET /404/plain');
  equal((await served.send('/404/page', { method: 'HEAD' })).body, '');
});

test('so are the errors of the edge, but not what rules say in their own words, and not challenges', async () => {
  deepEqual((await served.send('/away')).body, '{"sorry":true}');
  const blocked = await served.send('/blocked');
  deepEqual([blocked.status, blocked.body], [403, 'No.']);
  equal((await served.send('/own')).body, 'own');
  match((await served.send('/challenged')).body, /<html/);
  await served.send('/limited');
  const limited = await served.send('/limited');
  deepEqual([limited.status, limited.body], [429, 'No.']);
  match(String(limited.headers['retry-after']), /^\d+$/);
});

test('the trace names the rule that answers', async () => {
  const { result } = await served.do(`POST ${zone}/security/trace`, {
    url: '/x',
    response: { status: 404 },
  });
  const { explanation } = result as { explanation: { changes: { phase: string; effect: string }[] } };
  deepEqual(
    explanation.changes.map(({ phase, effect }) => [phase, effect]),
    [
      ['http_custom_errors', 'answers with its own page of type text/html'],
      ['http_response_headers_transform', 'sets x-seen'],
    ],
  );
});
