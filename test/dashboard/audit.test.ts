/** The audit log, in a real browser. */
import { equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

test('the audit log filters by who, what, where and when, and shows before and after side by side', async () => {
  const zoneId = await site.createZone('audited.example', 'pro');
  await site.createZone('quiet.example', 'free');
  const markup = '<script>alert("audit")</script>';
  const [filter] = (
    await site.call(`POST /zones/${zoneId}/filters`, [
      { expression: 'ip.src eq 192.0.2.1', description: markup },
    ])
  ).result;
  await site.call(`PUT /zones/${zoneId}/filters/${filter.id}`, {
    id: filter.id,
    expression: 'ip.src eq 192.0.2.2',
    description: markup,
  });
  const page = await site.openSignedIn('/audit');
  const rows = page.getByRole('region', { name: 'Changes' }).getByRole('row');
  await rows.nth(1).waitFor();
  await page.getByLabel('Site', { exact: true }).fill('audited.example');
  await page.getByLabel('What', { exact: true }).selectOption('change');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('cell', { name: 'quiet.example' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'filter', exact: true }).first().click();
  const sides = page.getByRole('group', { name: 'Before and after' });
  await sides.getByText('192.0.2.1').waitFor();
  await sides.getByText('192.0.2.2').waitFor();
  equal(await sides.getByText('alert').count(), 2, 'the markup is shown as text, on both sides');
  await site.inspect(page, 'audit');
  await page.getByLabel('Before', { exact: true }).fill('2001-01-01T00:00');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByText('No change matches').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Check that it is intact' }).click();
  await page.getByText('The audit log is intact').waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  await site.inspect(page, 'audit-phone');
  site.checkConsole();
});
