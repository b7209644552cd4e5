/** A zone's certificate while its authorities, its clock or its disk misbehave. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { realFileSystem } from '#files';
import { eventually } from '../eventually.ts';
import { FaultyFileSystem } from '../faults/faulty-file-system.ts';
import { CertificateSite } from './certificate-site.ts';
import { TestAuthority } from './test-authority.ts';

const dayMs = 86_400_000;
/** Nothing listens there. */
const away = 'https://127.0.0.1:1/directory';

/** Otherwise each attempt after the first uses another challenge type. */
const overHttp = () => ({ challenges: ['http-01'] as const });

test('universalSsl asks the next authority when one is away', async (t) => {
  const site = await CertificateSite.start(t, {
    acme: ({ directory }) => ({ directories: [away, directory] }),
  });
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ validation_errors: errors }) => errors.length > 0);
  const { validation_errors: errors, certificate_authority: asked } = await site.readPack();
  match(errors[0].message, /^no answer from 127\.0\.0\.1:1: /);
  equal(asked, '127.0.0.1:1');
  await site.passNextAttempt();
  const pack = await site.readPack();
  deepEqual([pack.status, pack.validation_errors], ['active', []]);
  equal(pack.certificate_authority, new URL(site.authority.directory).host);
});

test('universalSsl asks the authority for trying first after a failure, and the real one only when that agrees', async (t) => {
  const findsNothing = { findsAt: () => ({ host: '127.0.0.1', port: 1 }) };
  await using staging = await TestAuthority.listen(findsNothing);
  const site = await CertificateSite.start(t, {
    acme: ({ trusted }) => ({
      ...overHttp(),
      staging: staging.directory,
      trusted: trusted + staging.trusted,
    }),
  });
  site.isServed = false;
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ validation_errors: errors }) => errors.length > 0);
  deepEqual([site.authority.orders.length, staging.orders.length], [1, 0]);
  site.isServed = true;
  await site.passNextAttempt();
  deepEqual([site.authority.orders.length, staging.orders.length], [1, 1], 'the names do not point there');
});

test('universalSsl gives up an authority that never decides, tells it, and tries again', async (t) => {
  const site = await CertificateSite.start(t, { acme: overHttp });
  site.authority.faults.isUndecided = true;
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ validation_errors: errors }) => errors.length > 0);
  const { validation_errors: errors } = await site.readPack();
  match(errors[0].message, /did not decide within 120 s/);
  site.authority.faults.isUndecided = false;
  await site.passNextAttempt();
  equal((await site.readPack()).status, 'active');
});

test('universalSsl serves no chain of another key or name, and gets the right one later', async (t) => {
  const site = await CertificateSite.start(t);
  for (const [chain, message] of [
    ['other key', /another key/],
    ['other name', /not for/],
  ] as const) {
    site.authority.faults.chain = chain;
    await site.edit({ enabled: false });
    await site.edit({ enabled: true });
    await site.pass(1_000, ({ validation_errors: errors }) => message.test(errors[0]?.message ?? ''));
    equal((await site.readPack()).status, 'pending_validation');
  }
  delete site.authority.faults.chain;
  while ((await site.readPack()).status !== 'active') await site.passNextAttempt();
});

test('universalSsl does not order again and again by a clock that is a year ahead, and names the clock', async (t) => {
  const site = await CertificateSite.start(t, { acme: overHttp, aheadMs: 365 * dayMs });
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ validation_errors: errors }) => errors.length > 0);
  for (let attempt = 0; attempt < 3; attempt++) await site.passNextAttempt();
  const { validation_errors: errors, next_attempt_on: next } = await site.readPack();
  match(errors[0].message, /but the clock of this server says .*: set the clock$/);
  equal(site.authority.orders.length, 4);
  ok(Date.parse(next) - site.control.clock.now() >= 8 * 60_000 - 1_000, 'later each time');
});

test('universalSsl uses a certificate that is not valid yet by its own clock, and names the clock', async (t) => {
  const site = await CertificateSite.start(t, { aheadMs: -2 * dayMs });
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ status }) => status === 'active');
  const { validation_errors: errors, state } = await site.readPack();
  match(errors[0].message, /set the clock$/);
  equal(state, 'failing');
  while ((await site.readPack()).validation_errors.length > 0) await site.passNextAttempt();
  equal(site.authority.orders.length, 1, 'the clock is right again, and nothing was ordered for it');
});

test('universalSsl finishes an order that met a full disk, and keeps the certificate that was there', async (t) => {
  const fs = new FaultyFileSystem(realFileSystem);
  const errors: unknown[] = [];
  const site = await CertificateSite.start(t, { fs, days: 3, onError: (error) => errors.push(error) });
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ status }) => status === 'active');
  const { primary_certificate: id, certificates } = await site.readPack();
  site.authority.faults.onRequest = (path) => {
    if (path.startsWith('/challenge')) fs.fail('write', { code: 'ENOSPC', path: 'journal', times: Infinity });
  };
  const before = site.authority.orders.length;
  while (fs.failures === 0) {
    const { next_attempt_on: next } = await site.readPack();
    await site.control.clock.advance(Date.parse(next) - site.control.clock.now() + 1_000);
    // Time stands still until the attempt is over: the certificate must not expire meanwhile.
    await eventually(async () => fs.failures > 0 || (await site.readPack()).next_attempt_on !== next);
  }
  const during = await site.readPack();
  deepEqual([during.status, during.certificates], ['active', certificates]);
  delete site.authority.faults.onRequest;
  fs.heal();
  await site.pass(dayMs / 4, (pack) => pack.certificates[0].uploaded_on !== certificates[0].uploaded_on);
  equal((await site.readPack()).primary_certificate, id);
  ok(site.authority.orders.length - before <= 2);
});

/** `npm run verify -- certificates:crowd` takes a thousand. */
const crowd = Number(process.env['GATEHOUSE_NAMES'] ?? 12);

test('universalSsl gets the certificates of many zones at once, each by one order', async (t) => {
  const site = await CertificateSite.start(t);
  const { control, authority } = site;
  const account = { id: control.control.directory.account!.id };
  const zones: string[] = [];
  for (let index = 0; index < crowd; index++) {
    const name = `shop-${index}.example`;
    const created = await control.call('POST /zones', { body: { name, account } });
    equal(created.success, true, JSON.stringify(created.errors));
    zones.push(created.result.id);
  }
  for (const zone of zones)
    equal(
      (await control.call(`PATCH /zones/${zone}/ssl/universal/settings`, { body: { enabled: true } })).status,
      200,
    );
  await control.clock.advance(1_000);
  for (const zone of zones)
    await eventually(async () => {
      const { result } = await control.call(`GET /zones/${zone}/ssl/certificate_packs?status=all`);
      return result[0].status === 'active';
    }, zone);
  deepEqual(authority.orders.flatMap(({ names }) => names).toSorted(), listNames(crowd));
  equal(authority.accountCount, 1);
});

function listNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `shop-${index}.example`).toSorted();
}
