import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { CertificateSite, openRecords } from '../certificates/certificate-site.ts';
import { eventually } from '../eventually.ts';
import type { Envelope } from './harness.ts';

const dayMs = 86_400_000;

test('universalSsl: a zone gets its certificate by itself, shows it as a pack, and never tells its key', async (t) => {
  const site = await CertificateSite.start(t);
  const { control, name } = site;
  deepEqual((await control.call(`GET /zones/${site.zone}/ssl/universal/settings`)).result, {
    enabled: false,
    hosts: [name],
    email: null,
  });
  equal(await site.readPack(), undefined);
  const hosts = [name, `www.${name}`];
  deepEqual((await site.edit({ enabled: true, hosts, email: 'you@example.com' })).result, {
    enabled: true,
    hosts,
    email: 'you@example.com',
  });
  await site.pass(1_000, ({ status }) => status === 'active');
  const pack = await site.readPack();
  deepEqual(pack.certificates[0].hosts, hosts);
  equal(pack.certificates[0].issuer, 'Test authority');
  deepEqual(pack.validation_errors, []);
  ok(!JSON.stringify(pack).includes('PRIVATE KEY'));
  deepEqual((await control.call(`GET /zones/${site.zone}/ssl/certificate_packs/${pack.id}`)).result, pack);
  equal(
    (await control.call(`GET /zones/${site.zone}/ssl/certificate_packs/${'0'.repeat(32)}`)).errors[0]!.code,
    11105,
  );
});

test('universalSsl: a certificate is renewed in the window of its authority, and names what it replaces', async (t) => {
  const site = await CertificateSite.start(t, { days: 3 });
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ status }) => status === 'active');
  const { uploaded_on: issuedOn } = (await site.readPack()).certificates[0];
  let looks = 0;
  for (; site.authority.orders.length === 1; looks++) await site.passNextAttempt();
  ok(looks >= 7, 'asked every six hours when to renew');
  const renewed = await site.readPack();
  ok(Date.parse(renewed.certificates[0].uploaded_on) - Date.parse(issuedOn) >= 2 * dayMs);
  match(site.authority.orders[1]!.replaces!, /\./);
});

test('universalSsl: an authority that wants everything renewed at once does not get an order after the other', async (t) => {
  const site = await CertificateSite.start(t);
  site.authority.faults.wantsRenewal = true;
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ status }) => status === 'active');
  const { renews_on: renewsOn } = await site.readPack();
  equal(Math.round((Date.parse(renewsOn) - site.control.clock.now()) / dayMs), 9);
});

test('universalSsl: a name that does not point here is told, and tried again later each time until it does', async (t) => {
  const site = await CertificateSite.start(t);
  site.isServed = false;
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ validation_errors: errors }) => errors.length > 0);
  const { validation_errors: errors, status } = await site.readPack();
  equal(status, 'pending_validation');
  match(errors[0].message, /answered another site/);
  const pauses: number[] = [];
  for (let attempt = 2; attempt <= 4; attempt++) {
    const { next_attempt_on: next } = await site.readPack();
    pauses.push(Math.round((Date.parse(next) - site.control.clock.now()) / 60_000));
    await site.passNextAttempt();
  }
  deepEqual(pauses, [1, 2, 4]);
  site.isServed = true;
  await site.passNextAttempt();
  equal((await site.readPack()).status, 'active');
  deepEqual((await site.readPack()).validation_errors, []);
});

test('universalSsl: the certificate that is there stays while its renewal fails', async (t) => {
  const site = await CertificateSite.start(t, { days: 3 });
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ status }) => status === 'active');
  const { primary_certificate: id } = await site.readPack();
  site.authority.faults.order = { type: 'rateLimited', detail: 'too many', retryAfter: '7200' };
  while ((await site.readPack()).validation_errors.length === 0) await site.passNextAttempt();
  const pack = await site.readPack();
  deepEqual([pack.status, pack.primary_certificate], ['active', id]);
  ok(
    Date.parse(pack.next_attempt_on) - site.control.clock.now() > 7_000_000,
    'not before the authority allows it',
  );
});

test('universalSsl: the account knows the certificates of its zones, and which one is late', async (t) => {
  const site = await CertificateSite.start(t, { days: 10 });
  const list = async (): Promise<Envelope['result']> => {
    // The zone reports it a second after a change.
    await site.control.clock.advance(1_000);
    const { result } = await site.control.call(
      `GET /accounts/${site.control.control.directory.account!.id}/certificates`,
    );
    return result;
  };
  deepEqual(await list(), []);
  site.isServed = false;
  await site.edit({ enabled: true });
  await site.pass(1_000, ({ state }) => state === 'failing');
  await eventually(async () => (await list())[0]?.state === 'failing');
  const [failing] = await list();
  match(failing.problem, /answered another site/);
  deepEqual([failing.zone_name, failing.source, failing.expires_on], [site.name, 'universal', null]);
  site.isServed = true;
  while ((await site.readPack()).state !== 'active') await site.passNextAttempt();
  await eventually(async () => (await list())[0]?.state === 'active');
  site.authority.faults.order = { type: 'unauthorized', detail: 'not today' };
  while ((await site.readPack()).state === 'active') await site.passNextAttempt();
  equal((await site.readPack()).state, 'failing', 'a third of the lifetime is left');
  while ((await site.readPack()).state === 'failing') await site.passNextAttempt();
  const late = await site.readPack();
  const leftDays = (Date.parse(late.certificates[0].expires_on) - site.control.clock.now()) / dayMs;
  ok(late.state === 'expiring' && leftDays > 0.5 && leftDays <= 2, `${late.state} ${leftDays}`);
  const [urgent] = await list();
  deepEqual([urgent.state, /not today/.test(urgent.problem)], ['expiring', true]);
  await site.edit({ enabled: false });
  await eventually(async () => (await list()).length === 0);
});

test('universalSsl: names outside of the zone and wildcards are refused; switched off, nothing is ordered', async (t) => {
  const site = await CertificateSite.start(t);
  for (const host of ['other.example', `*.${site.name}`, `not${site.name}`]) {
    const refused = await site.edit({ enabled: true, hosts: [host] });
    deepEqual(
      [refused.status, refused.errors[0]!.code, refused.errors[0]!.source?.pointer],
      [400, 11104, '/hosts'],
      host,
    );
  }
  await site.edit({ enabled: true });
  await site.edit({ enabled: false });
  await site.control.clock.advance(dayMs);
  deepEqual(site.authority.asked, []);
});

test('universalSsl: a wildcard is proven by text records, where they can be changed', async (t) => {
  const dns = await openRecords(t);
  const site = await CertificateSite.start(t, { dns });
  site.isServed = false;
  const hosts = [site.name, `*.${site.name}`];
  equal((await site.edit({ enabled: true, hosts })).success, true);
  await site.pass(1_000, ({ status }) => status === 'active');
  const pack = await site.readPack();
  deepEqual([pack.certificates[0].hosts, pack.validation_method], [hosts, 'txt']);
  deepEqual([...dns.records], [[`_acme-challenge.${site.name}.`, []]]);
});

test('universalSsl: an order that was interrupted is continued after a restart', async (t) => {
  const site = await CertificateSite.start(t);
  const asked = Promise.withResolvers<void>();
  site.authority.faults.onRequest = (path) => {
    if (!path.startsWith('/finalize')) return;
    asked.resolve();
    // It never gets an answer.
    return new Promise(() => {});
  };
  await site.edit({ enabled: true });
  await site.control.clock.advance(1_000);
  await asked.promise;
  delete site.authority.faults.onRequest;
  await site.restart();
  await site.pass(600_000, ({ status }) => status === 'active');
  equal(site.authority.orders.length, 1);
});

for (const isRestarted of [false, true]) {
  const when = isRestarted ? 'after a restart' : 'at once';
  test(`universalSsl: names that change during an order are ordered ${when}, and the old order is left`, async (t) => {
    const site = await CertificateSite.start(t);
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    site.authority.faults.onRequest = (path) => {
      if (!path.startsWith('/finalize')) return;
      asked.resolve();
      return held.promise;
    };
    await site.edit({ enabled: true });
    await site.control.clock.advance(1_000);
    await asked.promise;
    delete site.authority.faults.onRequest;
    const hosts = [`www.${site.name}`];
    await site.edit({ enabled: true, hosts });
    if (isRestarted) await site.restart();
    else held.resolve();
    await site.pass(isRestarted ? 600_000 : 0, ({ status }) => status === 'active');
    const pack = await site.readPack();
    deepEqual([pack.certificates[0].hosts, pack.validation_errors], [hosts, []]);
    equal(site.authority.orders.length, 2);
  });
}
