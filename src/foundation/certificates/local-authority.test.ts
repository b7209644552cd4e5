import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { LocalAuthority } from './local-authority.ts';

const nowMs = Date.UTC(2030, 0, 1);
const dayMs = 86_400_000;
const names = ['localhost', '::1'] as const;

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return join(directory, 'tls');
}

test('LocalAuthority stores its key and the certificate of the server so that only their owner can read them', (t) => {
  const directory = temporary(t);
  const first = LocalAuthority.open(directory, nowMs);
  const issued = first.getServerCertificate(names, nowMs);
  const trusted = readFileSync(first.certificateFile, 'utf8');
  assert.doesNotMatch(trusted, /PRIVATE/);
  assert.deepEqual(readdirSync(directory).toSorted(), ['ca.crt', 'ca.pem', 'ca.pem.copy', 'server.pem']);
  assert.equal(statSync(directory).mode & 0o777, 0o700);
  for (const file of readdirSync(directory))
    assert.equal(statSync(join(directory, file)).mode & 0o777, 0o600);

  const second = LocalAuthority.open(directory, nowMs + dayMs);
  assert.equal(readFileSync(second.certificateFile, 'utf8'), trusted);
  const again = second.getServerCertificate(names, nowMs + dayMs);
  assert.equal(again.certificate.fingerprint256, issued.certificate.fingerprint256);
});

test('LocalAuthority issues a new certificate before expiry, for other names, and after a change of authority', (t) => {
  const directory = temporary(t);
  const authority = LocalAuthority.open(directory, nowMs);
  const serialAt = (afterDays: number, of: LocalAuthority, wanted: readonly [string, ...string[]]): string =>
    of.getServerCertificate(wanted, nowMs + afterDays * dayMs).certificate.serialNumber;
  const first = serialAt(0, authority, names);
  assert.equal(serialAt(366, authority, names), first);
  const renewed = serialAt(368, authority, names);
  assert.notEqual(renewed, first);
  const wider = serialAt(368, authority, [...names, 'api.test']);
  assert.notEqual(wider, renewed);
  assert.equal(serialAt(368, authority, names), wider);
  for (const name of ['ca.pem', 'ca.pem.copy']) rmSync(join(directory, name));
  assert.notEqual(serialAt(368, LocalAuthority.open(directory, nowMs), names), wider);
});

test('LocalAuthority goes by the copy of its file, and issues a certificate again whose file is damaged', (t) => {
  const directory = temporary(t);
  const [file, copy, server] = ['ca.pem', 'ca.pem.copy', 'server.pem'].map((name) => join(directory, name));
  const said: string[] = [];
  const open = (): LocalAuthority =>
    LocalAuthority.open(directory, nowMs, (message) => void said.push(message));
  const first = open();
  const trusted = readFileSync(first.certificateFile, 'utf8');
  for (const damage of [(): void => rmSync(file!), (): void => writeFileSync(file!, 'no certificate')]) {
    damage();
    open();
    assert.match(said.pop()!, /ca\.pem is (?:missing|damaged): written again$/);
    assert.equal(readFileSync(first.certificateFile, 'utf8'), trusted);
  }
  first.getServerCertificate(names, nowMs);
  writeFileSync(server!, 'no certificate');
  const { certificate } = first.getServerCertificate(names, nowMs);
  assert.match(
    readFileSync(server!, 'utf8'),
    new RegExp(certificate.toString().split('\n')[1]!.slice(0, 30).replaceAll('+', '.')),
  );

  for (const each of [file!, copy!]) writeFileSync(each, 'no certificate');
  assert.throws(
    open,
    /ca\.pem is damaged, and .*ca\.pem\.copy is damaged: put it back from a backup, or delete/,
  );
});
