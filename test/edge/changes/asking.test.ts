/** Rules that ask servers or objects about visitors: the question, the effect of answers, and missing answers. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type Answer, type Sent, ServedEdge } from '../served-edge.ts';

/** A server that knows visitors, with a different answer for each path. */
const asked: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
const held: ServerResponse[] = [];
const auth = createServer((request, response) => {
  // An abandoned question may arrive at any time.
  if (request.url === '/hangs') return;
  asked.push({ url: request.url!, headers: request.headers });
  const answer = answers[request.url!] ?? ((): void => void response.writeHead(404).end());
  answer(request, response);
});

const answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/session?a=b': ({ headers }, response) => {
    const user = /user=(\w+)/.exec(headers.cookie ?? '')?.[1];
    if (user === undefined)
      return void response
        .writeHead(302, { location: 'https://login.example/', 'set-cookie': ['state=1', 'b=2'] })
        .end('sign in');
    if (user === 'mallory')
      return void response
        .writeHead(403, { 'content-type': 'text/plain', 'keep-alive': 'timeout=9', 'x-why': 'expelled' })
        .end('no, mallory');
    response.writeHead(200, { 'x-user': user, 'x-other': 'secret', 'x-groups': ['a', 'b'] }).end('yes');
  },
  '/challenge': (_, response) =>
    void response.writeHead(204, { 'gatehouse-action': 'managed_challenge' }).end(),
  '/unknown-action': (_, response) => void response.writeHead(204, { 'gatehouse-action': 'allow' }).end(),
  '/fails': (_, response) => void response.writeHead(500).end('a stack'),
  '/long': (_, response) => void response.writeHead(403).end('x'.repeat(100_000)),
  '/held': (_, response) => void held.push(response),
  '/breaks': (request) => void request.socket.destroy(),
  '/no-store': (_, response) => void response.writeHead(204, { 'cache-control': 'no-store' }).end(),
};

let served: ServedEdge;
let zone: string;
let authUrl: string;

before(async () => {
  await once(auth.listen(0, '127.0.0.1'), 'listening');
  authUrl = `http://127.0.0.1:${(auth.address() as AddressInfo).port}`;
  served = await ServedEdge.open();
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
  const ask = (path: string, url: string, more: object = {}): object => ({
    action: 'forward_auth',
    expression: `http.request.uri.path eq "${path}"`,
    description: `asks for ${path}`,
    action_parameters: { url: authUrl + url, default_action: 'block', timeout_ms: 10_000, ...more },
  });
  await put('gatehouse_ask', [
    ask('/session', '/session?a=b', { copy_headers: ['X-User', 'x-groups'] }),
    ask('/private', '/session?a=b', { default_action: 'pass' }),
    ask('/challenge', '/challenge'),
    ask('/unknown-action', '/unknown-action'),
    ask('/fails', '/fails', { copy_headers: ['x-user'], default_action: 'pass' }),
    ask('/long', '/long'),
    ask('/late', '/hangs', { timeout_ms: 1 }),
    ask('/late-challenge', '/hangs', { timeout_ms: 1, default_action: 'js_challenge' }),
    ask('/breaks', '/breaks'),
    ask('/crowd', '/held', { keep_seconds: 60, send: [], send_headers: ['x-customer'] }),
    ask('/each', '/held', { send: [] }),
    ask('/kept', '/session?a=b', { keep_seconds: 60, send: ['address'] }),
    ask('/no-store', '/no-store', { keep_seconds: 60 }),
    ask('/loop', '', { url: `http://127.0.0.1:${served.port}/session` }),
    ask('/twice', '/session?a=b', { copy_headers: ['x-user'] }),
    ask('/twice', '/fails'),
    {
      action: 'ask',
      expression: 'http.request.uri.path eq "/object"',
      action_parameters: {
        object: {
          worker: 'absent',
          class_name: 'A',
          name: { expression: 'http.request.headers["x-name"][0]' },
        },
        default_action: 'block',
      },
    },
  ]);
  await put('http_request_firewall_custom', [
    {
      action: 'skip',
      expression: 'http.request.uri.query eq "skipped"',
      action_parameters: { phases: ['gatehouse_ask'] },
    },
    { action: 'block', expression: 'http.request.uri.query eq "blocked"' },
  ]);
});

after(async () => {
  await served[Symbol.asyncDispose]();
  auth.closeAllConnections();
  auth.close();
});

async function put(phase: string, rules: readonly object[]): Promise<void> {
  await served.do(`PUT ${zone}/rulesets/phases/${phase}/entrypoint`, { rules });
}

function get(path: string, headers: Sent['headers'] = {}): Promise<Answer> {
  asked.length = 0;
  served.origin.take();
  return served.send(path, { headers });
}

const alice = { cookie: 'user=alice' };

test('a success passes: the origin gets the fields of the answer, and none that the visitor made up', async () => {
  const { status } = await get('/session?x=1', { ...alice, 'x-user': 'root', 'x-secret': '1' });
  equal(status, 200);
  const { headers } = served.origin.take()[0]!;
  deepEqual([headers['x-user'], headers['x-groups'], headers['x-other']], ['alice', 'a, b', undefined]);
  const { 'cf-ray': ray, 'cdn-loop': loop, ...told } = asked[0]!.headers;
  ok(ray !== undefined && loop !== undefined);
  deepEqual(told, {
    host: authUrl.slice('http://'.length),
    'x-forwarded-method': 'GET',
    'x-forwarded-host': served.host('enterprise'),
    'x-forwarded-uri': '/session?x=1',
    'x-forwarded-for': '127.0.0.1',
    'cf-connecting-ip': '127.0.0.1',
    'x-forwarded-proto': 'http',
    cookie: 'user=alice',
  });
});

test('a redirect is the visitor’s, with its cookies, and no event; a refusal is an event that is explained', async () => {
  const signIn = await get('/private');
  deepEqual([signIn.status, signIn.body], [302, 'sign in']);
  deepEqual(
    [signIn.headers.location, signIn.headers['set-cookie']],
    ['https://login.example/', ['state=1', 'b=2']],
  );
  equal(signIn.headers['cache-control'], 'private, no-store');
  deepEqual(await served.eventsOf(signIn), []);
  const refused = await get('/private', { cookie: 'user=mallory' });
  deepEqual([refused.status, refused.body, refused.headers['x-why']], [403, 'no, mallory', 'expelled']);
  equal(refused.headers['keep-alive'] === 'timeout=9', false);
  equal(served.origin.take().length, 0);
  const [event, ...others] = await served.eventsOf(refused);
  deepEqual(others, []);
  const { action, source, metadata } = event!;
  deepEqual([action, source, metadata], ['block', 'ask', [{ key: 'asked', value: 'answered 403' }]]);
  const { result } = await served.control.call(`GET ${zone}/security/events/${event!.id}/explain`);
  equal(
    result.sentence,
    `Blocked: the rule "asks for /private" asked ${authUrl}/session: answered status 403.`,
  );
});

test('an answer can ask for a challenge, and for nothing else', async () => {
  const challenged = await get('/challenge');
  equal(challenged.status, 403);
  deepEqual(
    (await served.eventsOf(challenged)).map(({ action }) => action),
    ['managed_challenge'],
  );
  equal((await get('/unknown-action')).status, 403);
});

test('without an answer the default counts, and the event says why', async () => {
  const cases: readonly [string, number, string, RegExp][] = [
    ['/fails', 200, 'log', /none: its answer had the status 500/],
    ['/long', 403, 'block', /none: its answer is longer than 65536 bytes/],
    ['/late', 403, 'block', /none: none came within 1 ms/],
    ['/late-challenge', 403, 'jschallenge', /none came within 1 ms/],
    ['/breaks', 403, 'block', /none: the server closed the connection/],
    ['/loop', 403, 'block', /none: the server has an address to which connections are not allowed/],
    ['/object', 403, 'block', /none: its name is empty/],
  ];
  for (const [path, status, action, reason] of cases) {
    const answer = await get(path, { 'x-user': 'root' });
    equal(answer.status, status, path);
    const [event] = await served.eventsOf(answer);
    equal(event!.action, action, path);
    match(event!.metadata[0]!.value, reason, path);
    // No answer named the visitor.
    if (status === 200) equal(served.origin.take()[0]!.headers['x-user'], undefined);
  }
  const absent = await get('/object', { 'x-name': 'a' });
  match((await served.eventsOf(absent))[0]!.metadata[0]!.value, /no Worker with the name absent runs/);
});

test('rules are asked in order, until one stops the request; others are asked about nothing', async () => {
  equal((await get('/twice', alice)).status, 403);
  deepEqual(
    asked.map(({ url }) => url),
    ['/session?a=b', '/fails'],
  );
  for (const path of ['/session?skipped', '/session?blocked', '/elsewhere']) {
    await get(path, alice);
    deepEqual(asked, [], path);
  }
});

test('an answer is kept for the same question, unless it does not want to be', async () => {
  const before = served.edge.stats().questions.kept;
  equal((await get('/kept?first', alice)).status, 200);
  equal(asked.length, 1);
  equal((await get('/kept?second', alice)).status, 200);
  equal(asked.length, 0);
  equal((await get('/kept', { cookie: 'user=mallory' })).status, 403);
  equal(asked.length, 1);
  equal((await get('/kept', { cookie: 'user=mallory' })).body, 'no, mallory');
  equal(asked.length, 0);
  equal(served.edge.stats().questions.kept - before, 2);
  await get('/no-store');
  await get('/no-store');
  equal(asked.length, 1);
});

test('the same question is asked once while its answer is on its way, and one that is not kept each time', async () => {
  const answerHeld = async (count: number): Promise<void> => {
    while (held.length < count) await once(auth, 'request');
    for (const response of held.splice(0)) response.writeHead(204).end();
  };
  held.length = 0;
  asked.length = 0;
  const same = Array.from({ length: 5 }, () => served.send('/crowd', { headers: { 'x-customer': 'a' } }));
  const other = served.send('/crowd', { headers: { 'x-customer': 'b' } });
  await answerHeld(2);
  deepEqual(
    (await Promise.all([...same, other])).map(({ status }) => status),
    Array(6).fill(200),
  );
  equal(asked.length, 2);
  asked.length = 0;
  const each = Array.from({ length: 3 }, () => served.send('/each'));
  await answerHeld(3);
  deepEqual(
    (await Promise.all(each)).map(({ status }) => status),
    [200, 200, 200],
  );
  equal(asked.length, 3);
});

test('a trace asks nobody: it takes the default, or the answer that it is told', async () => {
  asked.length = 0;
  const trace = async (body: object) =>
    (await served.control.call(`POST ${zone}/security/trace`, { body: { url: '/session', ...body } })).result;
  const plain = await trace({});
  deepEqual([plain.verdict.action, plain.verdict.source], ['block', 'ask']);
  match(plain.explanation.rules[0].asked, /no answer, a trace asks nobody; the default is block/);
  const passed = await trace({ asked: {} });
  equal(passed.verdict.action, 'pass');
  match(passed.explanation.changes[0].effect, /\/session: assumed status 200$/);
  equal((await trace({ asked: { status: 401 } })).verdict.status, 401);
  equal((await trace({ asked: { action: 'js_challenge' } })).verdict.action, 'js_challenge');
  deepEqual(asked, []);
});
