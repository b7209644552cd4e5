import { equal, match } from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { VirtualClock } from '#base';
import type { Origin } from '../../../src/traffic/edge/wire/exchange.ts';
import type { TlsOptions } from '../../../src/traffic/edge/proxy/serve-proxy.ts';
import { type ProxyUnderTest, proxyUnderTest } from './proxy-under-test.ts';
import { eventually } from '../../eventually.ts';
import { RawClient } from './raw-client.ts';

// Made for these tests, self-signed, in no trust store.
function pem(name: string, kind: 'cert' | 'key'): string {
  return readFileSync(new URL(`testdata/${name}.${kind}.pem`, import.meta.url), 'utf8');
}

function contextOf(name: string): SecureContext {
  return createSecureContext({ cert: pem(name, 'cert'), key: pem(name, 'key') });
}

const certificates: TlsOptions = {
  certificateFor: (serverName) => {
    if (serverName === 'fault.example') throw new Error('a fault of the operator’s');
    return serverName === undefined || /^[ab]\.example$/.test(serverName)
      ? contextOf(serverName ?? 'a.example')
      : undefined;
  },
};

async function connectTo(port: number, servername: string, ca: string): Promise<TLSSocket> {
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    servername,
    ca: pem(ca, 'cert'),
    ALPNProtocols: ['http/1.1'],
  });
  await once(socket, 'secureConnect');
  return socket;
}

test('serveProxy ends TLS with the certificate of the requested name', async () => {
  await using under = await proxyUnderTest({ listeners: [{ port: 0, tls: certificates }, { port: 0 }] });
  for (const name of ['a.example', 'b.example']) {
    const socket = await connectTo(under.port, name, name);
    equal(socket.alpnProtocol, 'http/1.1');
    using client = RawClient.over(socket);
    for (let round = 0; round < 3; round++) {
      client.send(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
      equal((await client.response())?.body, 'ok');
    }
    const judged = under.judged.at(-1)!;
    equal(judged.isSecure, true);
    equal(judged.serverName, name);
  }
  match(under.origin.bytes, /x-forwarded-proto: https/);
  using plain = await RawClient.connect(under.proxy.addresses[1]!.port);
  plain.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  equal((await plain.response())?.status, 200);
  equal(under.judged.at(-1)!.isSecure, false);
  equal(under.judged.at(-1)!.serverName, undefined);
});

test('serveProxy has a certificate for clients that send no server name', async () => {
  await using under = await proxyUnderTest({ listeners: [{ port: 0, tls: certificates }] });
  const socket = connectTls({ port: under.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  equal(socket.getPeerCertificate().subject.CN, 'a.example');
  socket.destroy();
});

test('serveProxy ends handshakes without a certificate, invalid ones, and those that take too long', async () => {
  const clock = new VirtualClock();
  await using under = await proxyUnderTest({ listeners: [{ port: 0, tls: certificates }], clock });
  for (const servername of ['unknown.example', 'fault.example']) {
    const socket = connectTls({ port: under.port, host: '127.0.0.1', servername });
    await once(socket, 'error');
  }
  using garbage = await under.connect();
  garbage.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await garbage.closed();
  const silent = connectTcp(under.port, '127.0.0.1');
  await eventually(() => under.proxy.stats().connections === 1);
  await clock.advance(16_000);
  silent.resume();
  await once(silent, 'close');
  await eventually(() => under.proxy.stats().connections === 0);
  equal(under.judged.length, 0);
});

/** An https origin that calls itself a.example, and a proxy that forwards to what `originAt` makes of its port. */
async function beforeHttps(
  originAt: (port: number) => Origin,
  use: (under: ProxyUnderTest, port: number) => Promise<void>,
): Promise<void> {
  const server = createServer(
    { cert: pem('a.example', 'cert'), key: pem('a.example', 'key') },
    (request, response) => {
      response.end(`secret of ${request.headers.host}`);
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await using under = await proxyUnderTest({
    addresses: { allowPrivate: true, resolve: async () => ['127.0.0.1'] },
    judge: () => ({ kind: 'forward', zone: 'z', origin: originAt(port) }),
  });
  await use(under, port);
  server.closeAllConnections();
  server.close();
}

async function statusOf(under: ProxyUnderTest): Promise<number> {
  using client = await under.connect();
  client.send('GET / HTTP/1.1\r\nHost: shop.example\r\n\r\n');
  const response = await client.response();
  if (response!.status === 200) equal(response!.body, 'secret of shop.example');
  else match(response!.body, /origin_tls/);
  return response!.status;
}

test('serveProxy checks the certificate of an https origin against its name', async () => {
  const ca = pem('a.example', 'cert');
  const cases: readonly (readonly [Omit<Origin, 'port'>, number])[] = [
    [{ scheme: 'https', host: 'a.example', ca }, 200],
    [{ scheme: 'https', host: 'a.example', ca, connectTo: '127.0.0.1' }, 200],
    [{ scheme: 'https', host: 'a.example' }, 502],
    [{ scheme: 'https', host: 'b.example', ca }, 502],
    [{ scheme: 'https', host: '127.0.0.1', ca }, 502],
    [{ scheme: 'https', host: 'b.example', verifyTls: false }, 200],
  ];
  for (const [origin, status] of cases) {
    await beforeHttps(
      (port) => ({ ...origin, port }),
      async (under) => equal(await statusOf(under), status, JSON.stringify(origin.host)),
    );
  }
});
