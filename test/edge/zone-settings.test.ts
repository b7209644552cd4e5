/** Each setting of a zone, set through the API: its effect on the visitor and the application. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as requestPlain, type Server, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { brotliDecompressSync, createGunzip, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type Clock, realClock } from '#base';
import { createAuthority, issueCertificate, LocalAuthority } from '#certificates';
import { solvePuzzle } from '../../src/traffic/edge/challenge/testing.ts';
import { createClientCertificates } from '../../src/program/server/edge/certificates/client-certificates.ts';
import { ZoneCertificates } from '../../src/program/server/edge/certificates/zone-certificates.ts';
import { eventually } from '../eventually.ts';
import { type Answer, ServedEdge } from './served-edge.ts';
import { RawClient } from './wire/raw-client.ts';

let served: ServedEdge;
let zone: string;

const authority = createAuthority('Test', Date.now());
const { certificate, privateKey } = issueCertificate(authority, ['enterprise.example'], Date.now());
const pem = { cert: certificate.toString(), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };

/** Real, but with the time of the control plane: a setting says when it ends. */
let aheadMs = 0;
const clock: Clock = {
  ...realClock,
  now: () => realClock.now() + aheadMs,
  setTimer: (at, callback, kind) => realClock.setTimer(at - aheadMs, callback, kind),
};

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
    clientCertificate: createClientCertificates(directory),
    trustedProxies: ['127.0.0.1'],
    clock,
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
  aheadMs = served.control.clock.now() - realClock.now();
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
});
after(async () => {
  await served[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

/** Settings that are in force during the work. */
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
    // A request that a trusted proxy received over HTTPS is secure.
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

test('tls_client_auth shows the origin a certificate of the local authority, with the name of the zone', async () => {
  const options = {
    ...pem,
    requestCert: true,
    rejectUnauthorized: false,
    ca: readFileSync(join(directory, 'ca.crt')),
  };
  await using asking = await listen(
    createSecureServer(options, ({ socket }, response) => {
      const { authorized } = socket as TLSSocket;
      response.end(`${authorized} ${(socket as TLSSocket).getPeerX509Certificate()?.subjectAltName}`);
    }),
  );
  await served.serve('enterprise', { origin: { url: `https://127.0.0.1:${asking.port}` } });
  await having({ ssl: 'full' }, async () => {
    equal((await served.send('/')).body, 'false undefined');
    await having({ tls_client_auth: 'on' }, async () =>
      equal((await served.send('/')).body, 'true DNS:enterprise.example'),
    );
  });
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

test('brotli compresses texts by what the client takes, and nothing else', async () => {
  const body = 'a word that is said again and again. '.repeat(2_000);
  const types: Record<string, Record<string, string>> = {
    '/text': { 'content-type': 'text/html', etag: '"1"', 'accept-ranges': 'bytes', vary: 'Origin' },
    '/length': { 'content-type': 'application/json', 'content-length': String(body.length) },
    '/image': { 'content-type': 'image/png' },
    '/as-is': { 'content-type': 'text/html', 'cache-control': 'public, no-transform' },
    '/encoded': { 'content-type': 'text/html', 'content-encoding': 'identity' },
    '/events': { 'content-type': 'text/event-stream' },
    '/short': { 'content-type': 'text/html', 'content-length': '5' },
  };
  await using origin = await listen(
    createServer((incoming, response) => {
      response.writeHead(
        incoming.url === '/part' ? 206 : 200,
        types[incoming.url!] ?? { 'content-type': 'text/html' },
      );
      response.end(incoming.url === '/short' ? 'short' : body);
    }),
  );
  await served.serve('enterprise', { origin: { url: `http://127.0.0.1:${origin.port}` } });
  const ask = async (path: string, accepted: string) => {
    const outgoing = requestPlain({
      port: served.port,
      host: '127.0.0.1',
      agent: false,
      path,
      headers: { host: served.host('enterprise'), 'accept-encoding': accepted },
    });
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { headers: incoming.headers, bytes: await buffer(incoming) };
  };
  equal((await ask('/text', 'br, gzip')).headers['content-encoding'], undefined);
  await having({ brotli: 'on' }, async () => {
    const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const;
    for (const [coding, accepted] of [
      ['zstd', 'gzip, deflate, br, zstd'],
      ['br', 'gzip, br;q=0.5, zstd;q=0'],
      ['gzip', 'gzip'],
    ] as const) {
      for (const path of ['/text', '/length']) {
        const { headers, bytes } = await ask(path, accepted);
        equal(headers['content-encoding'], coding, path);
        equal(decoders[coding](bytes).toString(), body);
        ok(bytes.length < body.length / 10);
      }
    }
    const { headers } = await ask('/text', 'br');
    deepEqual(
      [headers.etag, headers.vary, headers['accept-ranges'], headers['content-length']],
      ['W/"1"', 'Origin, accept-encoding', undefined, undefined],
    );
    const plain = await ask('/text', 'identity');
    deepEqual(
      [plain.headers['content-encoding'], plain.headers.vary, plain.headers.etag, plain.bytes.toString()],
      [undefined, 'Origin, accept-encoding', '"1"', body],
    );
    for (const path of ['/image', '/as-is', '/encoded', '/events', '/part', '/short']) {
      const seen = await ask(path, 'br, gzip');
      equal(seen.headers['content-encoding'], types[path]?.['content-encoding'], path);
      equal(seen.bytes.toString(), path === '/short' ? 'short' : body, path);
    }
  });
  await served.serve('enterprise');
});

test('brotli lets out what an origin streams as it comes, and ends with a response that breaks', async () => {
  const step = Promise.withResolvers<void>();
  const first = 'x'.repeat(400);
  await using origin = await listen(
    createServer((incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(first);
      void step.promise.then(() =>
        incoming.url === '/broken' ? response.destroy() : response.end('second'),
      );
    }),
  );
  await served.serve('enterprise', { origin: { url: `http://127.0.0.1:${origin.port}` } });
  await having({ brotli: 'on' }, async () => {
    const open = async (path: string) => {
      const outgoing = requestPlain({
        port: served.port,
        host: '127.0.0.1',
        agent: false,
        path,
        headers: { host: served.host('enterprise'), 'accept-encoding': 'gzip' },
      });
      outgoing.end();
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
      const decoded = incoming.pipe(createGunzip());
      let seen = '';
      decoded.on('data', (bytes: Buffer) => (seen += bytes.toString())).on('error', () => {});
      // The origin sends the rest only when this has arrived.
      await eventually(() => seen === first, 'the first part');
      return { incoming, decoded, seen: () => seen };
    };
    const whole = await open('/whole');
    const broken = await open('/broken');
    const cut = new Promise((resolve) => broken.incoming.on('error', () => {}).on('close', resolve));
    step.resolve();
    await once(whole.decoded, 'end');
    equal(whole.seen(), `${first}second`);
    await cut;
    equal(broken.incoming.complete, false);
  });
  await served.serve('enterprise');
});

test('development_mode lets answers pass as they are, until it ends', async () => {
  await using origin = await listen(
    createServer((_, response) => response.setHeader('content-type', 'text/plain').end('x'.repeat(1_000))),
  );
  await served.serve('enterprise', { origin: { url: `http://127.0.0.1:${origin.port}` } });
  const ask = async () =>
    (await served.send('/', { headers: { 'accept-encoding': 'gzip' } })).headers['content-encoding'];
  await having({ brotli: 'on' }, async () => {
    equal(await ask(), 'gzip');
    await having({ development_mode: 'on' }, async () => {
      equal(await ask(), undefined);
      aheadMs += 3 * 3_600_000;
      equal(await ask(), 'gzip');
      aheadMs -= 3 * 3_600_000;
    });
    equal(await ask(), 'gzip');
  });
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
