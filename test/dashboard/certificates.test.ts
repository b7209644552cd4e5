/** The certificates of a zone, in a real browser. */
import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createAuthority, issueCertificate } from '#certificates';
import { TestAuthority } from '../certificates/test-authority.ts';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
let authority: TestAuthority;
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-authority-'));
before(async () => {
  authority = await TestAuthority.listen({ findsAt: () => ({ host: '127.0.0.1', port: 9 }) });
  authority.faults.order = { type: 'rejectedIdentifier', detail: 'this name is on a list of ours' };
  const trust = join(folder, 'trusted.pem');
  writeFileSync(trust, authority.trusted);
  site = await DashboardSite.open({
    'acme-directories': authority.directory,
    'acme-trust': trust,
    'edge-https-port': '0',
  });
});
after(async () => {
  await site[Symbol.asyncDispose]();
  await authority[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('the page of certificates uploads and deletes a certificate', async () => {
  const zoneId = await site.createZone('certified.example', 'business');
  const issuer = createAuthority('Test authority', Date.now());
  const { certificate, privateKey } = issueCertificate(issuer, ['certified.example'], Date.now());
  const page = await site.openSignedIn(`/zones/${zoneId}/certificates`, { width: 390 });
  await page.getByRole('button', { name: 'Upload certificate' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Certificate chain', { exact: true }).fill(certificate.toString());
  await dialog.getByLabel('Private key', { exact: true }).fill('nothing');
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('File of the private key').setInputFiles({
    name: 'key.pem',
    mimeType: 'text/plain',
    buffer: Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  });
  await dialog.getByText('BEGIN PRIVATE KEY').waitFor();
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('cell', { name: 'certified.example', exact: true }).waitFor();
  await site.inspect(page, 'certificates-phone');
  await page.getByRole('button', { name: 'Delete the certificate of certified.example' }).click();
  await page.getByRole('button', { name: 'Delete certificate', exact: true }).click();
  await page.getByText('No certificate is uploaded').waitFor();
  site.checkConsole();
});

test('the pages of certificates and of sites tell why a site has no certificate', async () => {
  const zoneId = await site.createZone('pending.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zoneId}/certificates`);
  await page.getByLabel('Get a certificate').selectOption('on');
  await page.getByLabel('E-mail for the authority').fill('you@example.com');
  await page.getByRole('button', { name: 'Save Universal SSL' }).click();
  await page.getByText('Universal SSL is saved').waitFor();
  await page.getByRole('alert').getByText('this name is on a list of ours').waitFor();
  await page.getByText('failing', { exact: true }).waitFor();
  await site.inspect(page, 'certificates');
  const { result } = await site.call(`GET /zones/${zoneId}/ssl/universal/settings`);
  equal(result.email, 'you@example.com');
  const sites = await site.openSignedIn('/');
  await sites.getByRole('alert').getByRole('link', { name: 'pending.example' }).click();
  await sites.getByRole('heading', { name: 'Universal SSL' }).waitFor();
  site.checkConsole();
});

test('the page of certificates says what a scanner would of a site', async () => {
  const zoneId = await site.createZone('scanned.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zoneId}/certificates`);
  await page.getByRole('button', { name: 'Scan TLS' }).click();
  await page.getByText('TLS_AES_256_GCM_SHA384').waitFor();
  await page.getByText('h2, http/1.1').waitFor();
  await page.getByText(/browsers do not trust the certificate/).waitFor();
  await site.inspect(page, 'certificates-scan');
  const path = `POST /zones/${zoneId}/protection/tls_scan`;
  const { result } = await site.call(path, { host: 'elsewhere.example' });
  deepEqual(result.problems, ['elsewhere.example is not in the zone scanned.example']);
  site.checkConsole();
});
