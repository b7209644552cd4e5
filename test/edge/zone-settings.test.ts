/** Each setting of a zone, set through the API: what the visitor sees, and what the application gets. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { createAuthority, issueCertificate, LocalAuthority } from '#certificates';
import { solvePuzzle } from '../../src/edge/challenge/testing.ts';
import { ZoneCertificates } from '../../src/server/edge/certificates/zone-certificates.ts';
import { type Answer, ServedEdge } from './served-edge.ts';
import { RawClient } from './wire/raw-client.ts';

let served: ServedEdge;
let zone: string;

const authority = createAuthority('Test', Date.now());
const { certificate, privateKey } = issueCertificate(authority, ['enterprise.example'], Date.now());
const pem = { cert: certificate.toString(), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-settings-'));

before(async () => {
  const certificates = new ZoneCertificates({
    authority: LocalAuthority.open(directory, Date.now()),
    directory: undefined,
    onError: () => {},
  });
  served = await ServedEdge.open({
    listeners: [{ port: 0 }, { port: 0, isSecure: true }],
    certificateOf: certificates.of,
    trustedProxies: ['127.0.0.1'],
    geo: {
      hasCountries: true,
      find: (address) => ({
        country: address === '192.0.2.7' ? 'NZ' : '',
        asn: undefined,
        asnDescription: '',
        read: () => undefined,
      }),
    },
  });
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
});
after(async () => {
  await served[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

/** Settings that are in force while the work is done. */
async function having(settings: Readonly<Record<string, unknown>>, work: () => Promise<void>): Promise<void> {
  const items = Object.entries(settings).map(([id, value]) => ({ id, value }));
  const before = await Promise.all(
    items.map(async ({ id }) => {
      const { result } = await served.control.call(`GET ${zone}/settings/${id}`);
      return { id, value: result.value as unknown };
    }),
  );
  await served.do(`PATCH ${zone}/settings`, { items });
  await work();
  await served.do(`PATCH ${zone}/settings`, { items: before });
}

async function sendSecurely(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const host = served.host('enterprise');
  const outgoing = request({
    port: served.edge.addresses[1]!.port,
    host: '127.0.0.1',
    servername: host,
    rejectUnauthorized: false,
    agent: false,
    path,
    headers: { host, ...headers },
  });
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: incoming.statusCode!, headers: incoming.headers, body: await text(incoming) };
}

async function listen(server: Server): Promise<AsyncDisposable & { readonly port: number }> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('always_use_https redirects HTTP before any rule, and leaves HTTPS alone', async () => {
  await having({ always_use_https: 'on' }, async () => {
    const moved = await served.send('/a?b=c');
    deepEqual([moved.status, moved.headers.location], [301, 'https://enterprise.example/a?b=c']);
    equal((await sendSecurely('/a')).status, 200);
    // What a trusted proxy received over HTTPS is secure.
    equal((await served.send('/a', { headers: { 'x-forwarded-proto': 'https' } })).status, 200);
  });
  equal((await served.send('/a')).status, 200);
});

test('ssl off redirects HTTPS to HTTP, whatever always_use_https says', async () => {
  await having({ ssl: 'off', always_use_https: 'on' }, async () => {
    const moved = await sendSecurely('/a?b');
    deepEqual([moved.status, moved.headers.location], [301, 'http://enterprise.example/a?b']);
    equal((await served.send('/a')).status, 200);
  });
});

test('ssl chooses scheme and verification for the origin: flexible, full and strict', async () => {
  await using plain = await listen(createServer((_, response) => response.end('plain')));
  await using secure = await listen(createSecureServer(pem, (_, response) => response.end('secure')));
  await served.serve('enterprise', {
    origin: { url: `https://enterprise.example:${secure.port}`, connect_to: '127.0.0.1' },
  });
  await having({ ssl: 'full' }, async () => equal((await served.send('/')).body, 'secure'));
  await having({ ssl: 'strict' }, async () => equal((await served.send('/')).status, 502));
  await served.serve('enterprise', { origin: { url: `https://127.0.0.1:${plain.port}` } });
  await having({ ssl: 'flexible' }, async () => equal((await served.send('/')).body, 'plain'));
  await having({ ssl: 'full' }, async () => equal((await served.send('/')).status, 502));
  await served.do(`PATCH ${zone}/settings/ssl`, { value: 'flexible' });
  await served.serve('enterprise');
});

/** The version and the cipher of a handshake with the zone; undefined if it fails. */
async function shakeHands(options: ConnectionOptions = {}): Promise<readonly string[] | undefined> {
  const socket: TLSSocket = connect({
    port: served.edge.addresses[1]!.port,
    host: '127.0.0.1',
    servername: served.host('enterprise'),
    rejectUnauthorized: false,
    ...options,
  });
  try {
    await once(socket, 'secureConnect');
    return [socket.getProtocol()!, socket.getCipher().name];
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}

test('min_tls_version, tls_1_3 and ciphers decide about the handshake, from the first message on', async () => {
  const old = { maxVersion: 'TLSv1.2' } as const;
  deepEqual([(await shakeHands())?.[0], (await shakeHands(old))?.[0]], ['TLSv1.3', 'TLSv1.2']);
  await having({ min_tls_version: '1.3' }, async () => {
    deepEqual([(await shakeHands())?.[0], await shakeHands(old)], ['TLSv1.3', undefined]);
  });
  await having({ tls_1_3: 'off' }, async () => {
    const only = await shakeHands({ minVersion: 'TLSv1.3' });
    deepEqual([(await shakeHands())?.[0], only], ['TLSv1.2', undefined]);
  });
  await having({ ciphers: ['ECDHE-ECDSA-AES256-SHA384', 'ECDHE-ECDSA-AES128-SHA'] }, async () => {
    deepEqual(await shakeHands({ ...old, ciphers: 'ALL' }), ['TLSv1.2', 'ECDHE-ECDSA-AES256-SHA384']);
    equal(await shakeHands({ ...old, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }), undefined);
    equal((await shakeHands())?.[0], 'TLSv1.3');
  });
});

test('security_header adds HSTS to every answer over HTTPS, also to blocks and errors', async () => {
  const header = { enabled: true, max_age: 300, include_subdomains: true, preload: true, nosniff: true };
  const expected = 'max-age=300; includeSubDomains; preload';
  await served.do(`POST ${zone}/firewall/rules`, [
    { action: 'block', filter: { expression: 'http.request.uri.path eq "/blocked"' } },
  ]);
  await having({ security_header: { strict_transport_security: header } }, async () => {
    for (const path of ['/', '/blocked', '/404/x']) {
      const { headers } = await sendSecurely(path);
      equal(headers['strict-transport-security'], expected, path);
      equal(headers['x-content-type-options'], 'nosniff', path);
    }
    equal((await served.send('/')).headers['strict-transport-security'], undefined);
  });
  equal((await sendSecurely('/')).headers['strict-transport-security'], undefined);
});

test('security_header replaces the HSTS of the origin', async () => {
  await using own = await listen(
    createServer((_, response) => response.setHeader('strict-transport-security', 'max-age=1').end('own')),
  );
  await served.serve('enterprise', { origin: { url: `http://127.0.0.1:${own.port}` } });
  equal((await sendSecurely('/')).headers['strict-transport-security'], 'max-age=1');
  const header = { enabled: true, max_age: 5 };
  await having({ security_header: { strict_transport_security: header } }, async () =>
    equal((await sendSecurely('/')).headers['strict-transport-security'], 'max-age=5'),
  );
  await served.serve('enterprise');
});

test('websockets off forwards a request for a WebSocket as an ordinary one', async () => {
  const head = `GET /ws HTTP/1.1\r\nHost: ${served.host('enterprise')}\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
  const ask = async (): Promise<unknown> => {
    served.origin.take();
    using client = await RawClient.connect(served.port);
    client.send(head);
    await client.response();
    return served.origin.take()[0]?.headers.upgrade;
  };
  equal(await ask(), 'websocket');
  await having({ websockets: 'off' }, async () => equal(await ask(), undefined));
});

test('ip_geolocation, true_client_ip_header and pseudo_ipv4 tell the origin about the visitor, whatever the visitor says', async () => {
  const ask = async (address: string) => {
    served.origin.take();
    const claims = { 'cf-ipcountry': 'AQ', 'true-client-ip': '10.0.0.1', 'cf-pseudo-ipv4': '10.0.0.1' };
    await served.send('/', { headers: { 'x-forwarded-for': address, ...claims } });
    const { headers } = served.origin.take()[0]!;
    return [
      headers['cf-ipcountry'],
      headers['true-client-ip'],
      headers['cf-pseudo-ipv4'],
      headers['cf-connecting-ip'],
      headers['cf-connecting-ipv6'],
      headers['x-forwarded-for'],
    ];
  };
  const [v4, v6] = ['192.0.2.7', '2001:db8::7'];
  deepEqual(await ask(v4), ['NZ', undefined, undefined, v4, undefined, `${v4}, 127.0.0.1`]);
  deepEqual((await ask('192.0.2.8'))[0], 'XX');
  await having({ ip_geolocation: 'off', true_client_ip_header: 'on' }, async () =>
    deepEqual((await ask(v6)).slice(0, 4), [undefined, v6, undefined, v6]),
  );
  await having({ pseudo_ipv4: 'add_header' }, async () => {
    const [, , pseudo, address] = await ask(v6);
    match(String(pseudo), /^2[45]\d\.\d+\.\d+\.\d+$/);
    deepEqual([address, (await ask('2001:db8::8'))[2], (await ask(v4))[2]], [v6, pseudo, undefined]);
  });
  await having({ pseudo_ipv4: 'overwrite_header' }, async () => {
    const [, , added, address, real, forwarded] = await ask(v6);
    match(String(address), /^2[45]\d\./);
    deepEqual([added, real, forwarded], [undefined, v6, address]);
  });
});

test('browser_check blocks requests without a user agent and those of scanners, unless a rule skips it', async () => {
  const ask = (path: string, userAgent?: string) =>
    served.send(path, { headers: userAgent === undefined ? {} : { 'user-agent': userAgent } });
  equal((await ask('/')).status, 200);
  await served.do(`POST ${zone}/firewall/rules`, [
    { action: 'bypass', products: ['bic'], filter: { expression: 'http.request.uri.path eq "/health"' } },
  ]);
  await having({ browser_check: 'on' }, async () => {
    const blocked = await ask('/');
    equal(blocked.status, 403);
    deepEqual(
      (await served.eventsOf(blocked)).map(({ source, action }) => [source, action]),
      [['bic', 'block']],
    );
    equal((await ask('/', 'sqlmap/1.7')).status, 403);
    equal((await ask('/', 'Mozilla/5.0')).status, 200);
    equal((await ask('/health')).status, 200);
  });
});

test('security_level under_attack challenges every visitor once, for as long as challenge_ttl says', async () => {
  const headers = { 'user-agent': 'Mozilla/5.0' };
  for (const level of ['off', 'low', 'high']) {
    await having({ security_level: level }, async () =>
      equal((await served.send('/', { headers })).status, 200),
    );
  }
  await having({ security_level: 'under_attack', challenge_ttl: 7_200 }, async () => {
    const asked = await served.send('/', { headers });
    deepEqual([asked.status, asked.headers['cf-mitigated']], [403, 'challenge']);
    deepEqual(
      (await served.eventsOf(asked)).map(({ source, action }) => [source, action]),
      [['securitylevel', 'managed_challenge']],
    );
    const puzzle = /data-puzzle="([^"]+)"/.exec(asked.body)![1]!;
    const body = new URLSearchParams({
      puzzle,
      solution: solvePuzzle(puzzle),
    }).toString();
    const solved = await served.send('/cdn-cgi/gatehouse/challenge', { body, headers });
    equal(solved.status, 204);
    const cookie = solved.headers['set-cookie']![0]!;
    match(cookie, /Max-Age=7200;/);
    const cleared = await served.send('/', { headers: { ...headers, cookie: cookie.split(';')[0] } });
    equal(cleared.status, 200);
    deepEqual(await served.eventsOf(cleared), []);
  });
});

test('max_upload refuses longer bodies, and allows more than the edge does by itself', async () => {
  const host = served.host('enterprise');
  const megabytes = (count: number): number => count * 1024 * 1024;
  const ask = async (length: number): Promise<number | undefined> => {
    using client = await RawClient.connect(served.port);
    client.send(
      `POST /up HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
    );
    return (await client.response())?.status;
  };
  equal(await ask(megabytes(101)), 413);
  await having({ max_upload: 200 }, async () => {
    equal(await ask(megabytes(101)), 100);
    equal(await ask(megabytes(201)), 413);
  });
});

test('proxy_read_timeout ends the wait for an origin that is silent', async () => {
  await using silent = await listen(createServer(() => {}));
  await served.serve('enterprise', { origin: { url: `http://127.0.0.1:${silent.port}` } });
  await having({ proxy_read_timeout: '1' }, async () => equal((await served.send('/')).status, 504));
  await served.serve('enterprise');
});

test('Page rules change settings for the requests that they match, and only the first that matches does', async () => {
  const add = (pattern: string, priority: number, actions: readonly object[]) =>
    served.do(`POST ${zone}/pagerules`, {
      targets: [{ target: 'url', constraint: { operator: 'matches', value: pattern } }],
      priority,
      status: 'active',
      actions,
    });
  await add('*enterprise.example/secure/*', 1, [{ id: 'always_use_https' }]);
  await add('*enterprise.example/attacked/*', 2, [{ id: 'security_level', value: 'under_attack' }]);
  await add('*enterprise.example/checked/*', 3, [{ id: 'browser_check', value: 'on' }]);
  await add('*enterprise.example/secure/open/*', 4, [{ id: 'ip_geolocation', value: 'off' }]);
  equal((await served.send('/secure/a')).status, 301);
  equal((await served.send('/secure/open/a')).status, 200);
  equal((await served.send('/attacked/a')).headers['cf-mitigated'], 'challenge');
  equal((await served.send('/checked/a')).status, 403);
  equal((await served.send('/other')).status, 200);
  ok((await served.events()).some(({ source }) => source === 'securitylevel'));
});
