import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { randomBytes, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import {
  AccountKey,
  AcmeAuthority,
  type AcmeError,
  createCertificateKey,
  nameForRenewal,
  orderCertificate,
  planRenewal,
  presentByTls,
} from '#certificates';
import { createProofContext } from '../../src/program/server/edge/certificates/certificate-contexts.ts';
import { TestAuthority } from './test-authority.ts';

const names = ['shop.example', 'www.shop.example'];
const secret = randomBytes(32);
/** Only the plan made from it matters. */
const nowMs = Date.UTC(2026, 0, 1);

/** An authority, and a site that serves any proof it is given. */
async function start(t: TestContext): Promise<Site> {
  const proofs = new Map<string, string>();
  const server = createServer((request, response) => {
    const proof = proofs.get(request.url!.split('/').at(-1)!);
    response.writeHead(proof === undefined ? 404 : 200).end(proof);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const secure = createTlsServer({
    ALPNProtocols: ['acme-tls/1'],
    SNICallback: (name, done) => {
      const digest = proofs.get(name);
      if (digest === undefined) done(new Error('no proof of this name'));
      else done(null, createProofContext(name, digest));
    },
  });
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  const find = (listening: { address(): unknown }) => (): { host: string; port: number } => ({
    host: '127.0.0.1',
    port: (listening.address() as AddressInfo).port,
  });
  const authority = await TestAuthority.listen({ findsAt: find(server), findsTlsAt: find(secure) });
  t.after(async () => {
    await authority[Symbol.asyncDispose]();
    server.closeAllConnections();
    server.close();
    secure.close();
  });
  return { authority, proofs };
}

interface Site {
  readonly authority: TestAuthority;
  /** By token, or by name. */
  readonly proofs: Map<string, string>;
}

type Present = Parameters<typeof orderCertificate>[0]['present'];

function proveByHttp({ proofs }: Site): Present {
  return { 'http-01': async ({ token, authorization }) => void proofs.set(token, authorization) };
}

function proveByTls({ proofs }: Site): Present {
  const keep = async (name: string, digest: string | undefined): Promise<void> =>
    void (digest === undefined ? proofs.delete(name) : proofs.set(name, digest));
  return { 'tls-alpn-01': presentByTls(keep) };
}

function connect({ authority }: Site, signal?: AbortSignal): AcmeAuthority {
  const { directory, trusted } = authority;
  return new AcmeAuthority({
    directory,
    trusted,
    key: new AccountKey(secret),
    email: 'you@example.com',
    signal,
  });
}

type Options = Partial<Parameters<typeof orderCertificate>[0]>;

function order(site: Site, options: Options = {}): Promise<string> {
  return orderCertificate({
    authority: connect(site, options.signal),
    names,
    privateKey: createCertificateKey(),
    present: proveByHttp(site),
    ...options,
  });
}

test('orderCertificate proves every name and returns the chain for its key', async (t) => {
  const site = await start(t);
  const privateKey = createCertificateKey();
  const certificate = new X509Certificate(await order(site, { privateKey }));
  equal(certificate.subjectAltName, 'DNS:shop.example, DNS:www.shop.example');
  equal(site.authority.accountCount, 1);
  await order(site);
  equal(site.authority.accountCount, 1, 'the same secret has the same account');
});

test('AcmeAuthority goes on with another nonce when one is refused', async (t) => {
  const site = await start(t);
  site.authority.faults.nonceRefusedEvery = 2;
  ok(new X509Certificate(await order(site)));
});

test('orderCertificate reports what the authority says, and when it may be asked again', async (t) => {
  const site = await start(t);
  site.authority.faults.order = {
    type: 'rateLimited',
    detail: 'too many certificates for shop.example',
    retryAfter: '3600',
  };
  await rejects(order(site), (error: AcmeError) => {
    deepEqual(
      [error.problem, error.message, error.retryAfterMs],
      ['rateLimited', 'too many certificates for shop.example', 3_600_000],
    );
    return true;
  });
});

test('orderCertificate names the host that could not be proven', async (t) => {
  const site = await start(t);
  await rejects(order(site, { present: { 'http-01': async () => {} } }), {
    problem: 'unauthorized',
    message: /shop\.example answered/,
  });
  await rejects(order(site, { present: {} }), {
    problem: 'unsupported',
    message: /only be validated by dns-01, tls-alpn-01, http-01/,
  });
});

test('orderCertificate refuses a certificate for another key or another name', async (t) => {
  const site = await start(t);
  for (const [fault, message] of [
    ['other key', /another key/],
    ['other name', /not for shop\.example/],
  ] as const) {
    site.authority.faults.chain = fault;
    await rejects(order(site), { problem: 'invalidAnswer', message });
  }
});

test('orderCertificate proves names in TLS handshakes, takes the proofs away, and prefers what comes first', async (t) => {
  const site = await start(t);
  const present = { ...proveByTls(site), ...proveByHttp(site) };
  ok(new X509Certificate(await order(site, { present })));
  deepEqual([...site.proofs], []);
  const paths = site.authority.asked.filter((path) => path.startsWith('/challenge/'));
  deepEqual(
    paths.map((path) => path.split('/').at(-1)),
    ['tls-alpn', 'tls-alpn'],
  );
});

for (const [way, prove] of [
  ['http-01', proveByHttp],
  ['tls-alpn-01', proveByTls],
] as const)
  test(`orderCertificate with ${way} is continued from whichever request it was ended at`, async (t) => {
    const site = await start(t);
    await endAtEachRequest(site, prove(site));
  });

async function endAtEachRequest(site: Site, present: Present): Promise<void> {
  const { authority } = site;
  await order(site, { present });
  const requests = authority.asked.length;
  ok(requests > 8);
  for (let ended = 1; ended <= requests; ended++) {
    const end = new AbortController();
    const [before, orders] = [authority.asked.length, authority.orders.length];
    authority.faults.onRequest = () => {
      if (authority.asked.length - before >= ended) end.abort();
    };
    const privateKey = createCertificateKey();
    let orderUrl: string | undefined;
    const keep = async (url: string): Promise<void> => {
      orderUrl = url;
    };
    await order(site, { present, privateKey, signal: end.signal, onOrder: keep }).catch(() => {});
    delete authority.faults.onRequest;
    const chain = await order(site, { present, privateKey, orderUrl, onOrder: keep });
    equal(new X509Certificate(chain).subjectAltName, 'DNS:shop.example, DNS:www.shop.example');
    const placed = authority.orders.length - orders;
    ok(placed <= 2, `ended at request ${ended}: ${placed} orders`);
  }
}

test('AcmeAuthority reports an address that leads to something else', async (t) => {
  const server = createServer((_, response) => void response.end('<html>'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const directory = `http://127.0.0.1:${(server.address() as AddressInfo).port}/directory`;
  const key = new AccountKey(secret);
  await rejects(new AcmeAuthority({ directory, key, email: undefined }).readDirectory(), {
    problem: 'invalidAnswer',
  });
  server.closeAllConnections();
});

test('planRenewal chooses a moment of the window that the authority suggests, and names what it replaces', async (t) => {
  const site = await start(t);
  const chain = await order(site);
  const authority = connect(site);
  const [early, late] = await Promise.all(
    [0, 1].map((share) => planRenewal({ authority, chain, nowMs, share })),
  );
  equal(late!.renewAtMs - early!.renewAtMs, 2 * 86_400_000);
  equal(late!.lookAtMs, nowMs + 21_600_000);
  const replaces = nameForRenewal(new X509Certificate(chain))!;
  match(replaces, /^[\w-]+\.[\w-]+$/);
  notEqual(await order(site, { replaces }), chain);
  equal(site.authority.orders.at(-1)!.replaces, replaces);
});

test('planRenewal keeps a third of the lifetime where the authority cannot be asked', async (t) => {
  const site = await start(t);
  const chain = await order(site);
  const { validFromDate, validToDate } = new X509Certificate(chain);
  const directory = 'https://127.0.0.1:1/directory';
  const away = new AcmeAuthority({ directory, key: new AccountKey(secret), email: undefined });
  const { renewAtMs } = await planRenewal({ authority: away, chain, nowMs, share: 0 });
  const leftMs = validToDate.getTime() - renewAtMs;
  equal(Math.round(((validToDate.getTime() - validFromDate.getTime()) / leftMs) * 100), 300);
});
