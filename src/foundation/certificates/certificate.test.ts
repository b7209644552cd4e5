import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { test } from 'node:test';
import { connect, createServer } from 'node:tls';
import { createAuthority, isCertificateName, issueCertificate, readPem, writePem } from './certificate.ts';

const nowMs = Date.UTC(2030, 0, 1);
const names = ['localhost', '127.0.0.1', '::1', '*.example.com', '2001:db8::1:0:0:1'] as const;

test('createAuthority creates a self-signed certificate that may sign servers', () => {
  const { certificate } = createAuthority('Test authority', nowMs);
  assert.equal(certificate.subject, 'CN=Test authority');
  assert.equal(certificate.ca, true);
  assert.ok(certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey));
  assert.equal(certificate.validFromDate.getTime(), nowMs - 3_600_000);
  assert.equal(certificate.validToDate.getTime(), nowMs + 3650 * 86_400_000);
});

test('createAuthority writes years from 2050 on with four digits', () => {
  const { certificate } = createAuthority('Test authority', Date.UTC(2055, 5, 1));
  assert.equal(certificate.validFromDate.toISOString(), '2055-05-31T23:00:00.000Z');
});

test('issueCertificate creates a certificate for names and addresses, signed by the authority', () => {
  const authority = createAuthority('Test authority', nowMs);
  const { certificate, privateKey } = issueCertificate(authority, names, nowMs);
  assert.ok(certificate.checkIssued(authority.certificate));
  assert.ok(certificate.verify(authority.certificate.publicKey));
  assert.equal(certificate.verify(createAuthority('Test authority', nowMs).certificate.publicKey), false);
  assert.ok(certificate.checkPrivateKey(privateKey));
  assert.equal(certificate.ca, false);
  assert.equal(certificate.subject, 'CN=localhost');
  assert.equal(certificate.checkHost('localhost'), 'localhost');
  assert.equal(certificate.checkHost('a.example.com'), '*.example.com');
  assert.equal(certificate.checkHost('example.com'), undefined);
  for (const address of ['127.0.0.1', '::1', '2001:db8:0:0:1::1']) assert.ok(certificate.checkIP(address));
  assert.equal(certificate.checkIP('127.0.0.2'), undefined);
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  assert.notEqual(
    certificate.serialNumber,
    issueCertificate(authority, names, nowMs).certificate.serialNumber,
  );
});

test('issueCertificate keeps a certificate within the life of its authority', () => {
  const authority = createAuthority('Test authority', nowMs);
  const lateMs = authority.certificate.validToDate.getTime() - 86_400_000;
  const { certificate } = issueCertificate(authority, ['localhost'], lateMs);
  assert.deepEqual(certificate.validToDate, authority.certificate.validToDate);
});

test('issueCertificate refuses invalid names', () => {
  const authority = createAuthority('Test authority', nowMs);
  for (const name of [
    '',
    'a b',
    'a..b',
    '-a',
    'a.*.b',
    'grüße.example',
    'x'.repeat(254),
    'fe80::1%eth0',
    'a\0b',
  ]) {
    assert.equal(isCertificateName(name), false, name);
    assert.throws(() => issueCertificate(authority, [name], nowMs), RangeError);
  }
});

test('readPem reads what writePem wrote, and refuses a key of another certificate', () => {
  const one = createAuthority('One', nowMs);
  const other = createAuthority('Other', nowMs);
  assert.equal(readPem(writePem(one)).certificate.fingerprint256, one.certificate.fingerprint256);
  const mixed = writePem({ certificate: one.certificate, privateKey: other.privateKey });
  assert.throws(() => readPem(mixed), /the key does not belong to the certificate/);
});

test('a TLS client that trusts the authority, and nothing else, accepts the server by name and by address', async (t) => {
  const authority = createAuthority('Test authority', Date.now());
  const { certificate, privateKey } = issueCertificate(authority, ['localhost', '127.0.0.1'], Date.now());
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const server = createServer({ key, cert: certificate.toString() }, (socket) => socket.end('hello'));
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  const greet = async (servername: string, ca?: X509Certificate): Promise<string> => {
    // An address is checked against the certificate, but never sent as a server name.
    const host = servername === 'localhost' ? { host: '127.0.0.1', servername } : { host: servername };
    const socket = connect({ port, ...host, ...(ca && { ca: ca.toString() }) });
    return Buffer.concat((await Array.fromAsync(socket)) as Buffer[]).toString();
  };
  assert.equal(await greet('localhost', authority.certificate), 'hello');
  assert.equal(await greet('127.0.0.1', authority.certificate), 'hello');
  await assert.rejects(greet('localhost'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  const stranger = createAuthority('Test authority', Date.now());
  await assert.rejects(greet('localhost', stranger.certificate), Error);
});
