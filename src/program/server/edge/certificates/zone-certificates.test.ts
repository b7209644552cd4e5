import { deepEqual, equal, match, notEqual } from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect as connectTcp, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { connect, type SecureContext, TLSSocket } from 'node:tls';
import { createAuthority, issueCertificate, LocalAuthority, writePem } from '#certificates';
import { ZoneCertificates } from './zone-certificates.ts';

const dayMs = 86_400_000;

function setUp(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-certificates-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const files = join(directory, 'files');
  mkdirSync(files);
  const problems: string[] = [];
  // The keys of tickets, and contexts with them, change at midnight: an hour later is the same day.
  let nowMs = Math.floor(Date.now() / dayMs) * dayMs;
  const certificates = new ZoneCertificates({
    authority: LocalAuthority.open(join(directory, 'tls'), nowMs),
    directory: files,
    now: () => nowMs,
    onError: (file, error) => problems.push(`${file}: ${(error as Error).message}`),
  });
  return { files, problems, certificates, advance: (ms: number) => (nowMs += ms) };
}

/** The names in the certificate that a client sees. */
async function namesIn(context: SecureContext): Promise<string> {
  const server = createServer((socket) => {
    new TLSSocket(socket, { isServer: true, secureContext: context }).on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const client = connect({ socket: connectTcp(port, '127.0.0.1'), rejectUnauthorized: false });
  await once(client, 'secureConnect');
  const { raw } = client.getPeerCertificate();
  client.destroy();
  server.close();
  return new X509Certificate(raw).subjectAltName ?? '';
}

test('ZoneCertificates.of issues one certificate for a zone and the names just below it', async (t) => {
  const { certificates, advance } = setUp(t);
  const context = certificates.of('example.com', 'example.com');
  equal(await namesIn(context), 'DNS:example.com, DNS:*.example.com');
  equal(certificates.of('example.com', 'www.example.com'), context);
  const deeper = certificates.of('example.com', 'a.b.example.com');
  equal(await namesIn(deeper), 'DNS:b.example.com, DNS:*.b.example.com');
  advance(31 * dayMs);
  notEqual(certificates.of('example.com', 'example.com'), context);
});

test('ZoneCertificates.of keeps the certificates in use while a client asks for countless names', async (t) => {
  const { certificates, advance } = setUp(t);
  const zone = certificates.of('example.com', 'example.com');
  const other = certificates.of('other.example', 'a.b.other.example');
  const deeper = certificates.of('example.com', 'a.b.example.com');
  const seen = new Set<SecureContext>();
  for (let index = 0; index < 1_200; index++) {
    seen.add(certificates.of('example.com', `x.name-${index}.example.com`));
  }
  // The limit of one zone, and for all further names the certificate of the zone.
  equal(seen.size, 50);
  equal(seen.has(zone), true);
  equal(certificates.of('example.com', 'www.example.com'), zone);
  equal(certificates.of('example.com', 'c.b.example.com'), deeper);
  equal(certificates.of('other.example', 'c.b.other.example'), other);
  // Unused names are evicted.
  advance(3_600_000);
  equal(certificates.of('example.com', 'a.b.example.com'), deeper);
  match(await namesIn(certificates.of('example.com', 'a.late.example.com')), /^DNS:late\.example\.com/);
  equal(certificates.of('example.com', 'a.b.example.com'), deeper);
});

test('ZoneCertificates.of serves the first uploaded certificate that covers the name and has not expired', async (t) => {
  const { certificates } = setUp(t);
  const authority = createAuthority('Elsewhere', Date.now());
  const upload = (name: string, atMs = Date.now()) => {
    const { certificate, privateKey } = issueCertificate(authority, [name], atMs);
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return { chain: certificate.toString(), privateKey: key };
  };
  const uploaded = [
    { chain: 'no certificate', privateKey: '' },
    upload('www.example.com', Date.now() - 500 * dayMs),
    upload('www.example.com'),
    upload('shop.example.com'),
  ];
  const www = certificates.of('example.com', 'www.example.com', uploaded);
  equal(await namesIn(www), 'DNS:www.example.com');
  equal(certificates.of('example.com', 'www.example.com', uploaded), www);
  equal(await namesIn(certificates.of('example.com', 'shop.example.com', uploaded)), 'DNS:shop.example.com');
  match(await namesIn(certificates.of('example.com', 'example.com', uploaded)), /\*\.example\.com/);
});

test('ZoneCertificates.of prefers the file of the zone if it contains the name, and reads a renewed one', async (t) => {
  const { certificates, files, advance, problems } = setUp(t);
  const authority = createAuthority('Elsewhere', Date.now());
  const file = join(files, 'example.com.pem');
  const write = (name: string, at: number): void => {
    writeFileSync(file, writePem(issueCertificate(authority, [name], Date.now())));
    utimesSync(file, at, at);
  };
  write('www.example.com', 1_000);
  equal(await namesIn(certificates.of('example.com', 'www.example.com')), 'DNS:www.example.com');
  match(await namesIn(certificates.of('example.com', 'shop.example.com')), /\*\.example\.com/);
  write('shop.example.com', 2_000);
  advance(61_000);
  equal(await namesIn(certificates.of('example.com', 'shop.example.com')), 'DNS:shop.example.com');
  // If a file is broken, the previous certificate stays in use.
  writeFileSync(file, 'no certificate');
  utimesSync(file, 3_000, 3_000);
  advance(61_000);
  equal(await namesIn(certificates.of('example.com', 'shop.example.com')), 'DNS:shop.example.com');
  equal(problems.length, 1);
  rmSync(file);
  advance(61_000);
  match(await namesIn(certificates.of('example.com', 'shop.example.com')), /\*\.example\.com/);
  deepEqual(problems.length, 1);
});
