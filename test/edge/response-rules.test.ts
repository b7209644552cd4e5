/** OWASP rules about responses: off by default, then logging, then replacing the origin's response. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { ServedEdge } from './served-edge.ts';

const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f';
/** The first 32 digits of sha256("4814384a9e5d4991b9815dcfc25d2f1f/959100"). */
const responseRuleId = 'a5446304369219c7a573ddb2c56ca9d2';
const leak = 'Fatal error, stack follows: at Object.<anonymous> (/srv/app.js:1:7)';

let served: ServedEdge;
let zone: string;
let origin: Server;
/** What the origin does with requests, by path. */
const pages = new Map<string, RequestListener>();

before(async () => {
  served = await ServedEdge.open();
  zone = `/zones/${served.control.zone('enterprise')}`;
  origin = createServer((incoming, response) => pages.get(incoming.url!)!(incoming, response));
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  await served.do(`PUT ${zone}/edge`, {
    origin: { url: `http://127.0.0.1:${(origin.address() as AddressInfo).port}` },
    protect: false,
  });
  await deploy([]);
});
after(async () => {
  await served[Symbol.asyncDispose]();
  origin.closeAllConnections();
  origin.close();
});

async function deploy(skips: readonly object[]): Promise<void> {
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
    rules: [...skips, { action: 'execute', expression: 'true', action_parameters: { id: owaspId } }],
  });
}

async function choose(response_rules: 'off' | 'log' | 'block'): Promise<void> {
  const { result } = await served.do(`PUT ${zone}/edge`, { response_rules });
  equal(result.response_rules, response_rules);
}

function answerWith(type: string, body: string | Buffer, headers: Record<string, string> = {}): string {
  const path = `/${pages.size}`;
  pages.set(path, (_, response) => response.writeHead(200, { 'content-type': type, ...headers }).end(body));
  return path;
}

/** The bytes, to check that forwarded responses do not change. */
async function fetchBytes(path: string): Promise<{ status: number; body: Buffer; ray: string }> {
  const outgoing = request({
    port: served.port,
    path,
    agent: false,
    headers: { host: served.host('enterprise'), 'user-agent': 'Mozilla/5.0' },
  });
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
  return { status: incoming.statusCode!, body, ray: incoming.headers['cf-ray'] as string };
}

const eventsOf = async (ray: string) => (await served.events()).filter(({ rayName }) => rayName === ray);

test('responses are not looked at unless the zone wants it', async () => {
  equal((await served.do(`GET ${zone}/edge`)).result.response_rules, 'off');
  const { status, body, ray } = await fetchBytes(answerWith('text/html', leak));
  deepEqual([status, body.toString()], [200, leak]);
  deepEqual(await eventsOf(ray), []);
});

test('a response that leaks passes with an event and its ledger where the zone logs, and the log has none of its text', async () => {
  await choose('log');
  const { status, body, ray } = await fetchBytes(answerWith('text/html', leak));
  deepEqual([status, body.toString()], [200, leak]);
  const [event, ...others] = await eventsOf(ray);
  deepEqual(others, []);
  deepEqual(
    [event!.action, event!.source, event!.rulesetId, event!.originResponseStatus, event!.edgeResponseStatus],
    ['log', 'firewallManaged', owaspId, 200, 200],
  );
  match(event!.description, /^959100: /);
  deepEqual(event!.metadata, [{ key: 'waf_score', value: '4' }]);
  const { result } = await served.do(`GET ${zone}/security/events/${event!.id}/explain`);
  const [{ score }] = result.explanation.rules.slice(-1);
  deepEqual([score.total, score.threshold, score.contributions.length], [4, 4, 1]);
  const [{ description, tree }] = score.contributions;
  equal(description, '59210: An error message');
  deepEqual([tree.parts[0].field, tree.parts[0].value], ['RESPONSE_BODY', '(hidden)']);
  ok(!JSON.stringify(result).includes('Fatal'));
});

test('a response that leaks is replaced where the zone blocks, packed or not', async () => {
  await choose('block');
  const compressed = [
    answerWith('text/plain; charset=utf-8', leak),
    answerWith('application/problem+json', JSON.stringify({ detail: leak })),
    answerWith('text/html', gzipSync(leak), { 'content-encoding': 'gzip' }),
    answerWith('text/html', brotliCompressSync(leak), { 'content-encoding': 'br' }),
    answerWith('text/html', Buffer.from(leak, 'utf16le'), { 'content-type': 'text/html; charset=utf-16le' }),
    answerWith('text/html', `${leak}${'.'.repeat(300_000)}`),
  ];
  for (const path of compressed) {
    const { status, body, ray } = await fetchBytes(path);
    equal(status, 403, path);
    ok(!body.includes('Fatal') && body.includes(ray));
    const [event] = await eventsOf(ray);
    deepEqual(
      [event!.action, event!.originResponseStatus, event!.edgeResponseStatus],
      ['block', 200, 403],
      path,
    );
  }
});

test('an ordinary response passes byte by byte: short, long, packed, in chunks, without a body', async () => {
  await choose('block');
  const long = Buffer.from('A long page, and nothing in it. '.repeat(20_000));
  const bodies: readonly (readonly [string, Buffer])[] = [
    [answerWith('text/html', 'hello'), Buffer.from('hello')],
    [answerWith('text/html', ''), Buffer.alloc(0)],
    [answerWith('text/html', long), long],
    [answerWith('text/html', gzipSync(long), { 'content-encoding': 'gzip' }), gzipSync(long)],
    [answerWith('text/html', 'not packed', { 'content-encoding': 'gzip' }), Buffer.from('not packed')],
    // Rules about texts do not inspect pictures.
    [answerWith('image/png', leak), Buffer.from(leak)],
    // The rules see the beginning.
    [answerWith('text/html', `${'.'.repeat(200_000)}${leak}`), Buffer.from(`${'.'.repeat(200_000)}${leak}`)],
  ];
  for (const [path, expected] of bodies) {
    const { status, body } = await fetchBytes(path);
    equal(status, 200);
    ok(body.equals(expected), path);
  }
  pages.set('/chunks', async (_, response) => {
    for (const piece of ['one ', 'two ', 'three']) {
      response.write(piece);
      await new Promise(setImmediate);
    }
    response.end();
  });
  equal((await fetchBytes('/chunks')).body.toString(), 'one two three');
  for (const status of [204, 304]) {
    pages.set(`/${status}-status`, (_, response) => response.writeHead(status).end());
    const { status: got, body } = await fetchBytes(`/${status}-status`);
    deepEqual([got, body.length], [status, 0]);
  }
});

test('a stream is not held back', async () => {
  await choose('block');
  const opened = Promise.withResolvers<void>();
  pages.set('/stream', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
    void opened.promise.then(() => response.end('data: 2\n\n'));
  });
  const outgoing = request({
    port: served.port,
    path: '/stream',
    agent: false,
    headers: { host: served.host('enterprise') },
  });
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const [first] = (await once(incoming, 'data')) as [Buffer];
  equal(first.toString(), 'data: 1\n\n');
  opened.resolve();
  equal(await text(incoming), 'data: 2\n\n');
});

test('an origin that fails while its response is held back is answered for with 502', async () => {
  await choose('block');
  pages.set('/broken', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100' });
    response.write('the beginning', () => response.destroy());
  });
  const { status, body } = await fetchBytes('/broken');
  equal(status, 502);
  ok(!body.includes('the beginning'));
});

test('a skip of the rule lets its responses pass', async () => {
  await choose('block');
  const path = answerWith('text/html', leak);
  const { ray } = await fetchBytes(path);
  const [event] = await eventsOf(ray);
  const { result } = await served.do(`GET ${zone}/security/events/${event!.id}/explain`);
  const [{ request: proposed }] = result.exceptions;
  await served.do(`POST ${proposed.path}`, proposed.body);
  equal((await fetchBytes(path)).status, 200);
  equal((await fetchBytes(answerWith('text/html', leak))).status, 403);
  equal(event!.ruleId, responseRuleId);
  await deploy([]);
});
