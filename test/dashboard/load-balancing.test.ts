/** Load balancers, pools, monitors, counts of rate limits, Logpush jobs and notifications, in a real browser. */
import { deepEqual } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

test('the page of load balancing creates a monitor, a pool and a load balancer, disables an origin, and deletes', async () => {
  const zoneId = await site.createZone('balanced.example', 'business');
  const page = await site.openSignedIn(`/zones/${zoneId}/load-balancing`);
  const dialog = page.getByRole('dialog');
  await page.getByText('No load balancers yet').waitFor();
  await page.getByRole('button', { name: 'Create monitor' }).click();
  await dialog.getByLabel('Path').fill('health');
  await dialog.getByRole('button', { name: 'Save monitor' }).click();
  await dialog.getByRole('alert').getByText('must begin with /').waitFor();
  await dialog.getByLabel('Path').fill('/health');
  await dialog.getByRole('button', { name: 'Save monitor' }).click();
  await page.getByRole('cell', { name: 'http /health every 60 s', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Create pool' }).click();
  await dialog.getByLabel('Name').fill('primary');
  await dialog.getByLabel('Origins', { exact: true }).fill('one not-a-host/');
  await dialog.getByRole('button', { name: 'Save pool' }).click();
  await dialog.getByRole('alert').getByText('must be an address or a host name').waitFor();
  await dialog.getByLabel('Origins', { exact: true }).fill('one 192.0.2.1:8080\ntwo app.example 0.5');
  await dialog.getByLabel('Minimum healthy origins').fill('3');
  await dialog.getByRole('button', { name: 'Save pool' }).click();
  await dialog.getByRole('alert').getByText('must be at most 2, the number of origins').waitFor();
  await dialog.getByLabel('Minimum healthy origins').fill('2');
  await dialog.getByLabel('Monitor').selectOption('http /health every 60 s');
  await dialog.getByRole('button', { name: 'Save pool' }).click();
  await page.getByRole('button', { name: 'primary', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Create load balancer' }).click();
  await dialog.getByLabel('primary').check();
  await dialog.getByLabel('Session affinity').selectOption('by cookie');
  await dialog.getByRole('button', { name: 'Save load balancer' }).click();
  await page.getByRole('button', { name: 'balanced.example', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Disable two of primary' }).press('Enter');
  await page.getByRole('button', { name: 'Enable two of primary' }).waitFor();
  const { result } = await site.call(`GET /zones/${zoneId}/load_balancers`);
  deepEqual([result[0].name, result[0].session_affinity], ['balanced.example', 'cookie']);
  await site.inspect(page, 'load-balancing');
  await page.getByRole('button', { name: 'Delete the load balancer balanced.example' }).press('Enter');
  await page.getByRole('button', { name: 'Delete load balancer', exact: true }).click();
  await page.getByText('No load balancers yet').waitFor();
  await page.getByRole('button', { name: 'Delete the pool primary' }).press('Enter');
  await page.getByRole('button', { name: 'Delete pool', exact: true }).click();
  await page.getByText('There is no pool').waitFor();
  site.checkConsole();
});

test('the page of Logpush creates a job, shows what is wrong with it, hides its secret, and deletes it', async () => {
  const zoneId = await site.createZone('pushed.example', 'business');
  const page = await site.openSignedIn(`/zones/${zoneId}/logpush`);
  const dialog = page.getByRole('dialog');
  await page.getByText('No Logpush jobs yet').waitFor();
  await page.getByRole('button', { name: 'Create job' }).click();
  await dialog.getByLabel('Destination').fill('s3://bucket/logs');
  await dialog.getByRole('button', { name: 'Save job' }).click();
  await dialog.getByRole('alert').getByText('is not sent to from here').waitFor();
  await dialog.getByLabel('Destination').fill('https://logs.example/in?header_X-Key=secret');
  await dialog.getByLabel('Filter').fill('http.response.code ge 500');
  await dialog.getByLabel('Enabled').uncheck();
  await dialog.getByRole('button', { name: 'Save job' }).click();
  await page
    .getByRole('button', { name: 'https://logs.example/in?header_X-Key=********', exact: true })
    .click();
  await dialog.getByLabel('Filter').fill('http.response.code ge 400');
  await dialog.getByRole('button', { name: 'Save job' }).click();
  await page.getByRole('cell', { name: 'http.response.code ge 400' }).waitFor();
  await site.inspect(page, 'logpush');
  await page.getByRole('button', { name: /^Delete the job to/ }).press('Enter');
  await page.getByRole('button', { name: 'Delete job', exact: true }).click();
  await page.getByText('No Logpush jobs yet').waitFor();
  site.checkConsole();
});

test('the page of notifications creates a webhook and a policy, and deletes them', async () => {
  const page = await site.openSignedIn('/notifications');
  const dialog = page.getByRole('dialog');
  await page.getByText('No notification policies yet').waitFor();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByLabel('Name').fill('chat');
  await dialog.getByLabel('Address').fill('ftp://chat.example/');
  await dialog.getByRole('button', { name: 'Save webhook' }).click();
  await dialog.getByRole('alert').getByText('must begin with https://').waitFor();
  await dialog.getByLabel('Address').fill('https://chat.example/hook');
  await dialog.getByRole('button', { name: 'Save webhook' }).click();
  await page.getByRole('cell', { name: 'https://chat.example/hook' }).waitFor();
  await page.getByRole('button', { name: 'Create policy' }).click();
  await dialog.getByLabel('Name').fill('attacks');
  await dialog.getByLabel('Webhook').selectOption('chat');
  await dialog.getByRole('button', { name: 'Save policy' }).click();
  await page.getByRole('cell', { name: 'a burst of attacks' }).waitFor();
  await site.inspect(page, 'notifications');
  await page.getByRole('button', { name: 'Delete the policy attacks' }).press('Enter');
  await page.getByRole('button', { name: 'Delete policy', exact: true }).click();
  await page.getByText('No notification policies yet').waitFor();
  await page.getByRole('button', { name: 'Delete the webhook chat' }).press('Enter');
  await page.getByRole('button', { name: 'Delete webhook', exact: true }).click();
  await page.getByText('There is no webhook').waitFor();
  site.checkConsole();
});

test('the page of rate limits shows who is stopped, and lets one go', async (t) => {
  const zoneId = await site.createZone('limited.example', 'enterprise');
  const { result: accounts } = await site.call('GET /accounts');
  const key = { key: `${zoneId}\nrule-of-the-account\n=192.0.2.1`, requests: 3, period_ms: 60_000, count: 0 };
  let keys: object[] = [{ ...key, until_ms: Date.now() + 3_600_000 }];
  // As an edge does: silent edges are forgotten.
  const report = (): Promise<unknown> =>
    site.call(`POST /accounts/${accounts[0].id}/edge/rates`, {
      instance: 'one',
      host: 'edge-1',
      after: '',
      counts: [],
      keys,
    });
  await report();
  const timer = setInterval(() => void report().catch(() => {}), 1_000);
  t.after(() => clearInterval(timer));
  const page = await site.openSignedIn(`/zones/${zoneId}/rate-limits`);
  await page.getByRole('cell', { name: '192.0.2.1', exact: true }).waitFor();
  await page.getByRole('cell', { name: '0 of 3 in 60 s', exact: true }).waitFor();
  await page.getByText('There were no events.').waitFor();
  await site.inspect(page, 'rate-limits');
  await page.getByRole('button', { name: 'Release 192.0.2.1' }).press('Enter');
  await page.getByText('The key is released within seconds').waitFor();
  keys = [];
  await page.getByText('No requests are being counted').waitFor();
  clearInterval(timer);
  site.checkConsole();
});
