/** Every action in every phase that has it: the client's response, the application's request, and the activity log. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SecurityEvent } from '#events';
import { solvePuzzle } from '../../src/traffic/edge/challenge/testing.ts';
import { type Answer, ServedEdge } from './served-edge.ts';
import { RawClient } from './wire/raw-client.ts';

const custom = 'http_request_firewall_custom';
const managed = 'http_request_firewall_managed';
/** The findings of the managed rules, with the numbers of the legacy WAF and of the managed rulesets. */
const attack = '?redirect:https://elsewhere.example/';
const legacyRuleId = '100001';

let served: ServedEdge;
let zone: string;
const ruleIds = new Map<string, string>();

before(async () => {
  served = await ServedEdge.open();
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
  await served.do(`PATCH ${zone}/settings/waf`, { value: 'on' });
  const firewallRules = [
    ['allow', '/firewall/allow'],
    ['bypass', '/firewall/bypass', { products: ['waf'] }],
    ['log', '/firewall/log'],
    ['block', '/firewall/block'],
    ['challenge', '/firewall/challenge'],
    ['js_challenge', '/firewall/js'],
    ['managed_challenge', '/firewall/managed'],
    ['block', '/firewall/allow', { filter: { expression: 'http.request.uri.path contains "/allow"' } }],
  ] as const;
  for (const [action, path, more = {}] of firewallRules) {
    const rule = { action, filter: { expression: on(path) }, description: `${action} ${path}`, ...more };
    const { result } = await served.do(`POST ${zone}/firewall/rules`, [rule]);
    ruleIds.set(rule.description, (result as { id: string }[])[0]!.id);
  }
  await putRules(custom, [
    { action: 'block', expression: on('/custom/block') },
    { action: 'block', expression: on('/custom/response'), action_parameters: teapot },
    { action: 'log', expression: on('/custom/log') },
    { action: 'challenge', expression: on('/custom/challenge') },
    { action: 'js_challenge', expression: on('/custom/js') },
    { action: 'managed_challenge', expression: on('/custom/managed') },
    { action: 'skip', expression: on('/custom/skip/rest'), action_parameters: { ruleset: 'current' } },
    { action: 'skip', expression: on('/custom/skip/phase'), action_parameters: { phases: [managed] } },
    { action: 'skip', expression: on('/custom/skip/product'), action_parameters: { products: ['waf'] } },
    {
      action: 'skip',
      expression: on('/custom/skip/silent'),
      action_parameters: { ruleset: 'current' },
      logging: { enabled: false },
    },
    { action: 'block', expression: 'starts_with(http.request.uri.path, "/custom/skip/")' },
  ]);
});
after(() => served[Symbol.asyncDispose]());

const teapot = {
  response: { status_code: 418, content: '{"no":"coffee"}', content_type: 'application/json' },
};

function on(path: string): string {
  return `http.request.uri.path eq "${path}"`;
}

async function putRules(phase: string, rules: readonly object[]): Promise<void> {
  const described = rules.map((rule) => ({
    ...rule,
    description: String((rule as { expression: string }).expression),
  }));
  const { result } = await served.do(`PUT ${zone}/rulesets/phases/${phase}/entrypoint`, { rules: described });
  for (const { id, description } of result.rules as { id: string; description: string }[])
    ruleIds.set(description, id);
}

/** `action source`, with the last one to act at the end. */
function told(events: readonly SecurityEvent[]): readonly string[] {
  return events.map(({ action, source, ruleId }) => `${action} ${source} ${ruleId}`);
}

async function passes(path: string): Promise<Answer> {
  const answer = await served.send(path);
  deepEqual([answer.status, answer.body], [200, `origin got GET ${path}`]);
  deepEqual(
    served.origin.take().map(({ url }) => url),
    [path],
  );
  return answer;
}

async function stops(path: string, status: number): Promise<Answer> {
  const answer = await served.send(path);
  equal(answer.status, status);
  deepEqual(served.origin.take(), [], 'nothing may come to the origin');
  return answer;
}

test('block of a firewall rule refuses the request, and the event has every field', async () => {
  const sentMs = Date.now();
  const answer = await served.send('/firewall/block?a=%C3%BC', {
    headers: { 'user-agent': 'Test/1 ü', referer: 'https://from.example:8443/page?x=1' },
  });
  deepEqual([answer.status, answer.headers['cache-control']], [403, 'private, no-store']);
  match(answer.body, new RegExp(String(answer.headers['cf-ray'])));
  deepEqual(served.origin.take(), []);
  const [event, ...others] = await served.eventsOf(answer);
  deepEqual(others, []);
  const { datetime, ...rest } = event!;
  ok(sentMs <= Date.parse(datetime) && Date.parse(datetime) <= Date.now() && datetime.endsWith('Z'));
  const rayName = String(answer.headers['cf-ray']);
  deepEqual(rest, {
    id: `${rayName}-0`,
    action: 'block',
    source: 'firewallrules',
    kind: 'firewall',
    ruleId: ruleIds.get('block /firewall/block'),
    rulesetId: '',
    ref: '',
    description: 'block /firewall/block',
    matchIndex: 0,
    rayName,
    originatorRayName: rayName,
    clientIP: '127.0.0.1',
    clientIPClass: 'unknown',
    clientAsn: '',
    clientASNDescription: '',
    clientCountryName: '',
    clientRequestHTTPHost: 'enterprise.example',
    clientRequestHTTPMethodName: 'GET',
    clientRequestHTTPProtocol: 'HTTP/1.1',
    clientRequestPath: '/firewall/block',
    clientRequestQuery: '?a=%C3%BC',
    clientRequestScheme: 'http',
    clientRefererHost: 'from.example:8443',
    clientRefererPath: '/page',
    clientRefererQuery: '?x=1',
    clientRefererScheme: 'https',
    userAgent: 'Test/1 \ufffd',
    edgeColoName: 'LOCAL',
    edgeResponseStatus: 403,
    originResponseStatus: 0,
    sampleInterval: 1,
    metadata: [],
  });
});

test('log of a firewall rule lets the request through, and the event has both statuses', async () => {
  const answer = await passes('/firewall/log');
  const [event] = await served.eventsOf(answer);
  deepEqual(told([event!]), [`log firewallrules ${ruleIds.get('log /firewall/log')}`]);
  deepEqual([event!.edgeResponseStatus, event!.originResponseStatus], [200, 200]);
});

test('allow of a firewall rule ends their list, but not what managed rules do', async () => {
  const answer = await passes('/firewall/allow');
  deepEqual(told(await served.eventsOf(answer)), [
    `allow firewallrules ${ruleIds.get('allow /firewall/allow')}`,
  ]);
  const attacked = await stops(`/firewall/allow${attack}`, 403);
  deepEqual(
    (await served.eventsOf(attacked)).map(({ action, source, matchIndex }) => [action, source, matchIndex]),
    [
      ['allow', 'firewallrules', 1],
      ['block', 'waf', 0],
    ],
  );
});

test('bypass of a firewall rule skips the legacy managed rules', async () => {
  const stopped = await stops(`/elsewhere${attack}`, 403);
  deepEqual(told(await served.eventsOf(stopped)), [`block waf ${legacyRuleId}`]);
  const answer = await passes(`/firewall/bypass${attack}`);
  deepEqual(told(await served.eventsOf(answer)), [
    `bypass firewallrules ${ruleIds.get('bypass /firewall/bypass')}`,
  ]);
});

test('block of a custom rule refuses the request', async () => {
  const answer = await stops('/custom/block', 403);
  const [event] = await served.eventsOf(answer);
  deepEqual(told([event!]), [`block firewallCustom ${ruleIds.get(on('/custom/block'))}`]);
  ok(event!.rulesetId !== '' && event!.ref !== '');
});

test('block with a custom response sends that response', async () => {
  const answer = await stops('/custom/response', 418);
  deepEqual(
    [answer.body, answer.headers['content-type']],
    ['{"no":"coffee"}', 'application/json; charset=utf-8'],
  );
  equal((await served.eventsOf(answer))[0]!.edgeResponseStatus, 418);
});

test('log of a custom rule lets the request through', async () => {
  const answer = await passes('/custom/log');
  deepEqual(told(await served.eventsOf(answer)), [`log firewallCustom ${ruleIds.get(on('/custom/log'))}`]);
});

test('skip of the current ruleset leaves out the rules after it', async () => {
  const answer = await passes('/custom/skip/rest');
  deepEqual(told(await served.eventsOf(answer)), [
    `skip firewallCustom ${ruleIds.get(on('/custom/skip/rest'))}`,
  ]);
  const stopped = await stops('/custom/skip/none', 403);
  deepEqual(
    (await served.eventsOf(stopped)).map(({ action }) => action),
    ['block'],
  );
});

test('skip without logging leaves no event', async () => {
  const answer = await passes('/custom/skip/silent');
  deepEqual(await served.eventsOf(answer), []);
});

for (const [path, kinds] of [
  ['challenge', { asked: 'challenge', solved: 'challengesolved', passed: 'challengebypassed' }],
  ['js', { asked: 'jschallenge', solved: 'jschallengesolved', passed: 'jschallengebypassed' }],
  [
    'managed',
    {
      asked: 'managed_challenge',
      solved: 'managedchallengenoninteractivesolved',
      passed: 'managedchallengebypassed',
    },
  ],
] as const) {
  for (const [phase, source] of [
    ['firewall', 'firewallrules'],
    ['custom', 'firewallCustom'],
  ] as const) {
    test(`${kinds.asked} of ${source} requires a solution, and lets clients pass that have one`, async () => {
      const asked = await stops(`/${phase}/${path}`, 403);
      equal(asked.headers['cf-mitigated'], 'challenge');
      deepEqual(
        (await served.eventsOf(asked)).map((event) => [event.action, event.source]),
        [[kinds.asked, source]],
      );
      const puzzle = puzzleIn(asked);
      const wrong = await sendSolution(puzzle, 'none');
      deepEqual([wrong.status, wrong.headers['set-cookie']], [403, undefined]);
      const solved = await sendSolution(puzzle, solvePuzzle(puzzle));
      equal(solved.status, 204, solved.body);
      deepEqual(
        (await served.eventsOf(solved)).map((event) => [event.action, event.source]),
        [[kinds.solved, source]],
      );
      const cookie = solved.headers['set-cookie']![0]!.split(';', 1)[0]!;
      const through = await served.send(`/${phase}/${path}`, { headers: { cookie } });
      equal(through.status, 200);
      equal(served.origin.take().length, 1);
      deepEqual(
        (await served.eventsOf(through)).map((event) => [event.action, event.source]),
        [[kinds.passed, source]],
      );
      const other = await served.send(`/${phase}/${path}`, { headers: { cookie, 'user-agent': 'Other/1' } });
      equal(other.status, 403, 'a clearance is for the client that got it');
    });
  }
}

test('POST of a solution that is too long is answered before its body has arrived', async () => {
  // After these heads, the body is missing or too short.
  for (const [framing, body] of [
    ['Content-Length: 1000000', ''],
    ['Transfer-Encoding: chunked', `1000\r\n${'a'.repeat(3_000)}`],
  ] as const) {
    using client = await RawClient.connect(served.port);
    client.send(
      `POST /cdn-cgi/gatehouse/challenge HTTP/1.1\r\nHost: ${served.host('enterprise')}\r\n${framing}\r\n\r\n${body}`,
    );
    const response = await client.response('POST');
    equal(response?.status, 403, framing);
    match(response.body, /too long/);
  }
});

function puzzleIn({ body }: Answer): string {
  return /puzzle\s*[=:]\s*"([^"]+)"/.exec(body)![1]!;
}

function sendSolution(puzzle: string, solution: string): Promise<Answer> {
  return served.send('/cdn-cgi/gatehouse/challenge', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ puzzle, solution }).toString(),
  });
}

test('execute of a custom ruleset runs its rules where the account says so', async () => {
  const rulesets = `/accounts/${served.control.control.directory.accountId}/rulesets`;
  const { result: shared } = await served.do(`POST ${rulesets}`, {
    name: 'shared',
    kind: 'custom',
    phase: custom,
    rules: [{ action: 'block', expression: on('/account/block') }],
  });
  await served.do(`PUT ${rulesets}/phases/${custom}/entrypoint`, {
    rules: [
      {
        action: 'execute',
        expression: 'cf.zone.plan eq "ENT"',
        action_parameters: { id: shared.id },
      },
    ],
  });
  const answer = await stops('/account/block', 403);
  deepEqual(
    (await served.eventsOf(answer)).map(({ action, source, rulesetId }) => [action, source, rulesetId]),
    [['block', 'firewallCustom', shared.id]],
  );
});

test('skip of a product and of a phase take requests past managed rules, old and new', async () => {
  await passes(`/custom/skip/rest`);
  // The rules after it still see the request; only a product is skipped.
  const stopped = await stops(`/custom/skip/product`, 403);
  deepEqual(
    (await served.eventsOf(stopped)).map(({ action }) => action),
    ['skip', 'block'],
  );
  await putRules(custom, [
    { action: 'skip', expression: on('/skip/product'), action_parameters: { products: ['waf'] } },
  ]);
  await passes(`/skip/product${attack}`);
  await stops(`/other${attack}`, 403);
});
