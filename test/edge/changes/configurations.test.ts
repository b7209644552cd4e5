/** Rules that give a request other settings than its zone has. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServedEdge } from '../served-edge.ts';

const phase = 'http_config_settings';

let served: ServedEdge;
let zone: string;

before(async () => {
  served = await ServedEdge.open();
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
  const { messages } = await served.do(`PUT ${zone}/rulesets/phases/${phase}/entrypoint`, {
    rules: [
      configure('starts_with(http.request.uri.path, "/careful")', {
        security_level: 'under_attack',
        bic: true,
      }),
      configure('http.request.uri.path eq "/careful/not"', { security_level: 'medium' }),
      configure('http.request.uri.path eq "/full"', { ssl: 'full' }),
    ],
  });
  deepEqual(messages, []);
});
after(() => served[Symbol.asyncDispose]());

function configure(expression: string, action_parameters: object): object {
  return { action: 'set_config', expression, action_parameters };
}

test('a rule asks visitors for more on some pages, and the last rule that sets it counts', async () => {
  const headers = { 'user-agent': 'browser' };
  equal((await served.send('/else', { headers })).status, 200);
  const asked = await served.send('/careful', { headers });
  deepEqual([asked.status, asked.headers['cf-mitigated']], [403, 'challenge']);
  const [event] = await served.eventsOf(asked);
  equal(event!.source, 'securitylevel');
  equal((await served.send('/careful/not', { headers })).status, 200);
  const tool = await served.send('/careful/not', { headers: { 'user-agent': 'sqlmap' } });
  equal((await served.eventsOf(tool))[0]!.source, 'bic');
});

test('a rule chooses how the origin is reached', async () => {
  served.origin.take();
  // The origin speaks no TLS.
  const { status } = await served.send('/full');
  deepEqual([status >= 500, served.origin.take().length], [true, 0]);
});

test('the trace says which settings a rule sets', async () => {
  const { result } = await served.control.call(`POST ${zone}/security/trace`, {
    body: { url: '/careful', headers: { 'user-agent': 'browser' } },
  });
  deepEqual(
    [result.verdict.action, result.explanation.changes[0].effect],
    ['managed_challenge', 'sets security_level to "under_attack", sets browser_check to "on"'],
  );
});

test('what there is not here is kept, and a message says why it does nothing', async () => {
  const put = (action_parameters: object) =>
    served.control.call(`PUT /zones/${served.control.zone('pro')}/rulesets/phases/${phase}/entrypoint`, {
      body: { rules: [configure('true', action_parameters)] },
    });
  for (const [parameters, code, reason] of [
    [{ polish: 'blurred' }, 20905, /lossless/],
    [{ ssl: 'origin_pull' }, 20905, /./],
    [{ bic: 'on' }, 20901, /true or false/],
    [{}, 20903, /at least one setting/],
    [{ cache: true }, 20902, /unknown field/],
  ] as const) {
    const { status, errors } = await put(parameters);
    deepEqual([status, errors[0]!.code], [400, code], JSON.stringify(parameters));
    match(errors[0]!.message, reason);
  }
  const off = await put({
    rocket_loader: false,
    polish: 'off',
    autominify: { css: false },
    disable_apps: true,
  });
  deepEqual([off.status, off.messages], [200, []]);
  const parameters = {
    autominify: { css: true, html: true, js: false },
    bic: false,
    content_converter: true,
    disable_pay_per_crawl: true,
    email_obfuscation: true,
    fonts: true,
    polish: 'lossy',
    redirects_for_ai_training: true,
    request_body_buffering: 'full',
    response_body_buffering: 'none',
    rocket_loader: true,
    sxg: true,
  };
  const kept = await put(parameters);
  deepEqual([kept.status, kept.result.rules[0].action_parameters], [200, parameters]);
  const told = kept.messages.find(({ code }) => code === 20956);
  match(
    told!.message,
    /^rule 1 .* sets autominify, .*rocket_loader: .*bodies of responses are not rewritten/,
  );
});
