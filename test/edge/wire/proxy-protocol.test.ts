import { equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';
import { parseNetworkSet } from '#addresses';
import { eventually } from '../../eventually.ts';
import { proxyUnderTest } from './proxy-under-test.ts';
import { RawClient } from './raw-client.ts';

/** The load balancer; direct clients have another address. */
const balancer = '127.0.0.2';
const proxyProtocol = parseNetworkSet([balancer]);
const header = 'PROXY TCP4 192.0.2.7 198.51.100.1 60000 443\r\n';
const request = 'GET / HTTP/1.1\r\nHost: a.example\r\n\r\n';

function pem(kind: 'cert' | 'key'): string {
  return readFileSync(new URL(`testdata/a.example.${kind}.pem`, import.meta.url), 'utf8');
}

const context = createSecureContext({ cert: pem('cert'), key: pem('key') });
const tls = { certificateFor: () => context };

test('serveProxy takes the client from the header of a peer that must send one, byte by byte, too', async () => {
  await using under = await proxyUnderTest({ proxyProtocol });
  for (const pieces of [[header + request], [...header.split(''), request], [header, request]]) {
    using client = await under.connect(balancer);
    for (const piece of pieces) client.send(piece);
    equal((await client.response())!.status, 200);
    const { clientAddress, connection } = under.judged.at(-1)!;
    equal(clientAddress, '192.0.2.7');
    equal(connection.clientPort, 60_000);
    equal(connection.serverAddress, '198.51.100.1');
  }
});

test('serveProxy serves a connection that is the load balancer’s own as its own', async () => {
  await using under = await proxyUnderTest({ proxyProtocol });
  using client = await under.connect(balancer);
  client.send(`PROXY UNKNOWN\r\n${request}`);
  equal((await client.response())!.status, 200);
  equal(under.judged.at(-1)!.clientAddress, balancer);
});

test('serveProxy closes connections of such a peer without a header, and counts them', async () => {
  await using under = await proxyUnderTest({ proxyProtocol });
  for (const bytes of [request, 'PROXY TCP4 nobody nowhere 1 2\r\n', '\x16\x03\x01\x00\x05hello']) {
    using client = await under.connect(balancer);
    client.send(bytes);
    await client.closed();
    equal(client.received, '');
  }
  equal(under.proxy.stats().proxyHeadersRefused, 3);
  equal(under.judged.length, 0);
});

test('serveProxy refuses a header from anybody else', async () => {
  await using under = await proxyUnderTest({ proxyProtocol });
  using client = await under.connect();
  client.send(header + request);
  equal((await client.response())!.status, 400);
  equal(under.judged.length, 0);
  equal(under.proxy.stats().proxyHeadersRefused, 0);
});

test('serveProxy counts connections for the client that the header names, not for the load balancer', async () => {
  await using under = await proxyUnderTest({ proxyProtocol, limits: { connectionsPerAddressMax: 2 } });
  const clients: RawClient[] = [];
  for (let index = 0; index < 6; index++) {
    const client = await under.connect(balancer);
    clients.push(client);
    client.send(`PROXY TCP4 192.0.2.${index} 198.51.100.1 1 443\r\n${request}`);
    equal((await client.response())!.status, 200);
  }
  ok(clients.every(({ isClosed }) => !isClosed));
  const crowd: RawClient[] = [];
  for (let index = 0; index < 4; index++) {
    const client = await under.connect(balancer);
    crowd.push(client);
    client.send(`PROXY TCP4 192.0.2.99 198.51.100.1 ${index} 443\r\n${request}`);
  }
  // The most idle connections of the same client are closed.
  await eventually(() => crowd.filter(({ isClosed }) => isClosed).length === 2);
  for (const client of [...clients, ...crowd]) client[Symbol.dispose]();
});

async function connectSecurely(port: number, protocol: string): Promise<TLSSocket> {
  const socket: Socket = connectTcp({ port, host: '127.0.0.1', localAddress: balancer });
  await once(socket, 'connect');
  socket.write(header);
  const secured = connectTls({ socket, servername: 'a.example', ca: pem('cert'), ALPNProtocols: [protocol] });
  await once(secured, 'secureConnect');
  return secured;
}

test('serveProxy reads the header before TLS, for HTTP/1.1 and for HTTP/2', async () => {
  await using under = await proxyUnderTest({ proxyProtocol, listeners: [{ port: 0, tls }] });
  using client = RawClient.over(await connectSecurely(under.port, 'http/1.1'));
  client.send(request);
  equal((await client.response())!.status, 200);
  equal(under.judged.at(-1)!.clientAddress, '192.0.2.7');
  const secured = await connectSecurely(under.port, 'h2');
  const session = connectHttp2('https://a.example', { createConnection: () => secured });
  const stream = session.request({ ':path': '/' });
  const [answer] = (await once(stream, 'response')) as [Record<string, unknown>];
  equal(answer[':status'], 200);
  equal(under.judged.at(-1)!.clientAddress, '192.0.2.7');
  equal(under.judged.at(-1)!.connection.clientPort, 60_000);
  session.destroy();
});

test('serveProxy trusts X-Forwarded-For behind a header only if the client that it names is trusted', async () => {
  const trustedProxies = parseNetworkSet(['198.51.100.9', balancer]);
  await using under = await proxyUnderTest({ proxyProtocol, trustedProxies });
  const ask = async (from: string): Promise<string> => {
    using client = await under.connect(balancer);
    client.send(`PROXY TCP4 ${from} 198.51.100.1 1 443\r\n`);
    client.send('GET / HTTP/1.1\r\nHost: a.example\r\nX-Forwarded-For: 203.0.113.5\r\n\r\n');
    await client.response();
    return under.judged.at(-1)!.clientAddress;
  };
  equal(await ask('192.0.2.7'), '192.0.2.7');
  equal(await ask('198.51.100.9'), '203.0.113.5');
});
