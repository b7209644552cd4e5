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
  assert.deepEqual(readdirSync(directory).toSorted(), ['ca.crt', 'ca.pem', 'server.pem']);
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
  rmSync(join(directory, 'ca.pem'));
  assert.notEqual(serialAt(368, LocalAuthority.open(directory, nowMs), names), wider);
});

test('LocalAuthority says which file is damaged and what to do', (t) => {
  const directory = temporary(t);
  LocalAuthority.open(directory, nowMs);
  writeFileSync(join(directory, 'ca.pem'), 'no certificate');
  assert.throws(
    () => LocalAuthority.open(directory, nowMs),
    /ca\.pem is damaged \(.+\): delete it, and the next start creates a new one/,
  );
});
