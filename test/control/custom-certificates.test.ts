import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createAuthority, issueCertificate, type KeyedCertificate } from '#certificates';
import { TestControl } from './harness.ts';
import { makeToken } from './token-maker.ts';

let control: TestControl;
let zone: string;
let path: string;
let name: string;
beforeEach(async () => {
  control = await TestControl.open();
  zone = control.zone('enterprise');
  path = `/zones/${zone}/custom_certificates`;
  name = control.control.directory.zones.get(zone)!.name;
});
afterEach(() => control.close());

const authority = createAuthority('An Authority', Date.UTC(2026, 0, 1));
const issue = (...names: [string, ...string[]]): KeyedCertificate =>
  issueCertificate(authority, names, Date.UTC(2026, 0, 1));
/** It has a day left. */
const issueLongAgo = (...names: [string, ...string[]]): KeyedCertificate =>
  issueCertificate(authority, names, Date.UTC(2026, 0, 1) - 396 * 86_400_000);
const keyOf = ({ privateKey }: KeyedCertificate): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const toBody = (keyed: KeyedCertificate) => ({
  certificate: `${keyed.certificate.toString()}${authority.certificate.toString()}`,
  private_key: keyOf(keyed),
});

/** Every file below the directory, as one text. */
async function readAll(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
  );
  return texts.join('\n');
}

test('customCertificates: a certificate is uploaded, listed and deleted, and its key is never answered', async () => {
  const keyed = issueLongAgo(name, `*.${name}`);
  const made = await control.call(`POST ${path}`, { body: { ...toBody(keyed), bundle_method: 'force' } });
  equal(made.status, 200, JSON.stringify(made.errors));
  deepEqual(made.result, {
    id: made.result.id,
    zone_id: zone,
    hosts: [name, `*.${name}`],
    issuer: 'An Authority',
    signature: 'ECDSAWithSHA256',
    status: 'active',
    bundle_method: 'force',
    priority: 0,
    uploaded_on: '2026-01-01T00:00:00Z',
    modified_on: '2026-01-01T00:00:00Z',
    expires_on: '2026-01-02T00:00:00Z',
  });
  deepEqual((await control.call(`GET ${path}`)).result, [made.result]);
  deepEqual((await control.call(`GET ${path}?status=expired`)).result, []);
  deepEqual((await control.call(`GET ${path}/${made.result.id}`)).result, made.result);
  const audit = await control.call(
    `GET /accounts/${control.control.directory.accountId}/audit_logs?per_page=100`,
  );
  ok(!JSON.stringify(audit).includes('PRIVATE KEY'));
  const configuration = await control.control.configurations.readConfiguration(zone);
  deepEqual(configuration?.certificates, [{ chain: toBody(keyed).certificate, privateKey: keyOf(keyed) }]);
  await control.clock.advance(3 * 86_400_000);
  equal((await control.call(`GET ${path}/${made.result.id}`)).result.status, 'expired');
  deepEqual((await control.call(`DELETE ${path}/${made.result.id}`)).result, { id: made.result.id });
  equal((await control.call(`GET ${path}/${made.result.id}`)).errors[0]!.code, 11102);
  equal((await control.control.configurations.readConfiguration(zone))?.certificates, undefined);
});

test('customCertificates: private keys are encrypted on disk, and survive a restart', async () => {
  const keyed = issue(name);
  await control.call(`POST ${path}`, { body: toBody(keyed) });
  const file = join(control.directory, 'certificates.key');
  equal((await stat(file)).mode & 0o777, 0o600);
  control = await control.restart();
  const everything = await readAll(control.directory);
  const secret = keyOf(keyed).split('\n')[1]!;
  ok(everything.includes(keyed.certificate.toString().split('\n')[1]!), 'the log can be searched');
  ok(!everything.includes(secret), 'the key is not in any file');
  const read = async () => (await control.control.configurations.readConfiguration(zone))?.certificates;
  equal((await read())?.[0]?.privateKey, keyOf(keyed));
  // Without the file, the zone is served without its certificate, and the error is reported.
  await control.control.close();
  for (const each of [file, `${file}.copy`]) await rm(each);
  const errors: string[] = [];
  control = await control.restart({ onError: (error: unknown) => errors.push((error as Error).message) });
  equal(await read(), undefined);
  match(errors[0]!, /certificates\.key is missing/);
});

test('customCertificates.create says what is wrong with a certificate or its key', async () => {
  const good = issue(name);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const encrypted = rsa.privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString();
  const cases: readonly [object, RegExp, string][] = [
    [{ certificate: 'x' }, /not a certificate chain/, '/certificate'],
    [
      { certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
      /not a certificate chain/,
      '/certificate',
    ],
    [{ certificate: good.certificate.toString().repeat(11) }, /at most 10/, '/certificate'],
    [toBody(issue('elsewhere.example')), /no host name of the zone/, '/certificate'],
    [toBody(issue(`x${name}`)), /no host name of the zone/, '/certificate'],
    [toBody(issueCertificate(authority, [name], Date.UTC(2020, 0, 1))), /expired/, '/certificate'],
    [{ private_key: 'x' }, /not an unencrypted private key/, '/private_key'],
    [{ private_key: encrypted }, /not an unencrypted private key/, '/private_key'],
    [{ private_key: keyOf(issue(name)) }, /does not belong/, '/private_key'],
  ];
  for (const [more, reason, pointer] of cases) {
    const { status, errors } = await control.call(`POST ${path}`, { body: { ...toBody(good), ...more } });
    deepEqual([status, errors[0]!.code, errors[0]!.source?.pointer], [400, 11101, pointer]);
    match(errors[0]!.message, reason);
  }
  for (let count = 0; count < 20; count++)
    equal((await control.call(`POST ${path}`, { body: toBody(good) })).status, 200);
  equal((await control.call(`POST ${path}`, { body: toBody(good) })).errors[0]!.code, 11103);
});

test('edge.feed has private keys for edges, and not for those who only read it', async () => {
  await control.call(`POST ${path}`, { body: toBody(issue(name)) });
  const readFeed = async (group: string): Promise<string> => {
    const { headers } = await makeToken(control, { groups: [group] });
    const { body } = await control.control.answer({
      method: 'GET',
      target: `/client/v4/accounts/${control.control.directory.accountId}/edge/feed`,
      headers,
      address: '127.0.0.1',
      readBody: async () => new Uint8Array(),
    });
    let all = '';
    for await (const line of body as AsyncIterable<string>) {
      all += line;
      if (line.includes('"complete"')) break;
    }
    return all;
  };
  match(await readFeed('Account Edge Write'), /PRIVATE KEY/);
  ok(!(await readFeed('Account Edge Read')).includes('PRIVATE KEY'));
});
