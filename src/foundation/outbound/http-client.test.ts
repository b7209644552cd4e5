import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { getCACertificates } from 'node:tls';
import { chooseAddresses, lookUpGuarded } from './guarded-lookup.ts';
import { toTlsOptions } from './open-connection.ts';
import { OriginRules } from './origin-rules.ts';
import { createFetch, KeptConnections, openRequest, operatorRules, sendRequest } from './http-client.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close();
});

/** Answers `/away` with a redirect to `elsewhere`, `/near` with one to itself, all other requests with 200. */
async function serve(elsewhere: string, asked: IncomingHttpHeaders[]): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming.headers);
    const location = { '/away': elsewhere, '/near': '/here' }[incoming.url ?? ''];
    if (location !== undefined) outgoing.writeHead(302, { location });
    outgoing.end();
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('sendRequest follows redirects, and sends credentials to the server that was named and to no other', async () => {
  const [near, far]: IncomingHttpHeaders[][] = [[], []];
  const other = await serve('', far!);
  const named = await serve(`${other}/taken`, near!);
  const rules = new OriginRules({ allowPrivate: true });
  const headers = { authorization: 'Bearer mine' };
  for (const path of ['/near', '/away']) {
    const { status } = await sendRequest({
      url: `${named}${path}`,
      headers,
      rules,
      timeoutMs: 60_000,
      bytesMax: 1_000,
      redirectsMax: 1,
    });
    deepEqual(status, 200);
  }
  const keys = (requests: readonly IncomingHttpHeaders[]) =>
    requests.map(({ authorization }) => authorization);
  deepEqual([keys(near!), keys(far!)], [['Bearer mine', 'Bearer mine', 'Bearer mine'], [undefined]]);
});

const limits = { timeoutMs: 60_000, bytesMax: 1_000, redirectsMax: 3 };

test('sendRequest checks the target of a redirect like the server that was named', async () => {
  const asked: IncomingHttpHeaders[] = [];
  for (const [target, reason] of [
    ['http://169.254.169.254/latest', /169\.254\.169\.254 port 80: it belongs to the metadata service/],
    ['http://[::ffff:a9fe:a9fe]/', /metadata service/],
    ['http://metadata.google.internal/', /metadata service/],
    ['http://224.0.0.1/', /no host can have/],
    ['ftp://127.0.0.1/', /cannot be sent to ftp:/],
  ] as const) {
    const url = `${await serve(target, asked)}/away`;
    await rejects(sendRequest({ ...limits, url, rules: operatorRules }), reason);
  }
  equal(asked.length, 5);
});

test('sendRequest refuses private addresses, also of names, and connects to none of them', async () => {
  const asked: IncomingHttpHeaders[] = [];
  const { port } = new URL(await serve('', asked));
  for (const host of ['127.0.0.1', 'localhost', 'a.localhost', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433'])
    await rejects(
      sendRequest({ ...limits, url: `http://${host}:${port}/`, rules: new OriginRules() }),
      { code: 'CONNECTION_FORBIDDEN', message: /is a private address, and allow_private_origins is off$/ },
      host,
    );
  const forbidden = [{ address: '127.0.0.1', port: Number(port) }];
  await rejects(
    sendRequest({
      ...limits,
      url: `http://127.0.0.1:${port}/`,
      rules: new OriginRules({ allowPrivate: true, forbidden }),
    }),
    /it is a listener of this program/,
  );
  deepEqual(asked, []);
});

test('lookUpGuarded gives the socket only addresses of the same answer that are allowed', async () => {
  const answers = [['127.0.0.1', '8.8.8.8'], ['127.0.0.1'], ['not an address']];
  const resolve = (...[, , found]: Parameters<Parameters<typeof lookUpGuarded>[1] & {}>): void =>
    found(
      null,
      answers.shift()!.map((address) => ({ address, family: 4 })),
    );
  const rules = new OriginRules();
  const choose = (found: readonly string[], host: string) =>
    chooseAddresses(rules, found, { host, port: 80 });
  const look = (all: boolean): Promise<unknown> => {
    const { promise, resolve: done } = Promise.withResolvers<unknown>();
    lookUpGuarded(choose, resolve)('a.example', { all }, (error, found) => done(error ?? found));
    return promise;
  };
  deepEqual(await look(true), [{ address: '8.8.8.8', family: 4 }]);
  match(String(await look(false)), /cannot connect to a\.example port 80: it is a private address/);
  match(String(await look(false)), /no host can have/);
});

test('sendRequest names the server that does not answer, and why', async () => {
  const url = 'http://127.0.0.1:1/';
  await rejects(sendRequest({ ...limits, url, rules: operatorRules }), {
    code: 'ECONNREFUSED',
    message: 'no answer from 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1',
  });
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const asked = { ...limits, url: `http://127.0.0.1:${port}/`, rules: operatorRules };
  await rejects(sendRequest({ ...asked, timeoutMs: 1 }), {
    code: 'ETIMEDOUT',
    message: `no answer from 127.0.0.1:${port}: it took longer than 0.001 s`,
  });
  silent.closeAllConnections();
  silent.close();
});

test('sendRequest refuses an answer that is longer than wanted', async () => {
  const server = createServer((_, outgoing) => void outgoing.end('x'.repeat(1_001))).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await rejects(sendRequest({ ...limits, url, rules: operatorRules }), /longer than 1000 bytes/);
  const { body } = await openRequest({ url, rules: operatorRules });
  equal((await body.toArray()).join('').length, 1_001);
});

test('createFetch keeps its connection, and passes on several fields of one name', async () => {
  const ports = new Set<number | undefined>();
  const server = createServer((incoming, outgoing) => {
    ports.add(incoming.socket.remotePort);
    outgoing.writeHead(
      incoming.url === '/none' ? 204 : 200,
      [
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ].flat(),
    );
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using connections = new KeptConnections({ connectionsMax: 1 });
  const send = createFetch({ rules: operatorRules, connections });
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('streamed'));
      controller.close();
    },
  });
  const answer = await send(`${url}/`, { method: 'POST', body });
  equal(await answer.text(), 'streamed');
  deepEqual(answer.headers.getSetCookie(), ['a=1', 'b=2']);
  equal((await send(`${url}/none`, {})).status, 204);
  equal(await (await send(`${url}/`, { method: 'PUT', body: 'text' })).text(), 'text');
  equal(ports.size, 1);
});

test('toTlsOptions adds certificates to those of the system, and replaces these if it is pinned', () => {
  const system = getCACertificates('default');
  deepEqual(toTlsOptions({ trusted: 'mine' }).ca, [...system, 'mine']);
  deepEqual(toTlsOptions({ trusted: 'mine', isPinned: true }).ca, ['mine']);
  equal(toTlsOptions({}).ca, undefined);
});
