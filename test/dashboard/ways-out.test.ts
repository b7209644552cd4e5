/** The texts of the page for empty states and failures. */
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

test('an address that no page has says so beside the menu, and leads to the sites', async () => {
  const page = await site.openSignedIn('/nope/at/all');
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await site.inspect(page, 'not-found');
  await page.getByRole('link', { name: 'All sites' }).click();
  await page.getByRole('heading', { name: 'Sites', exact: true }).waitFor();
  site.checkConsole();
});

test('the address of an unknown site names no other site, and leads to those there are', async () => {
  await site.createZone('known.example', 'free');
  const page = await site.openSignedIn(`/zones/${'f'.repeat(32)}`);
  await page.getByRole('alert').waitFor();
  const chosen = page.getByRole('combobox', { name: 'Site' }).locator('option:checked');
  await page
    .getByRole('combobox', { name: 'Site' })
    .getByText('known.example')
    .waitFor({ state: 'attached' });
  equal(await chosen.textContent(), 'Choose a site');
  await site.inspect(page, 'unknown-site');
  await page.getByRole('link', { name: 'All sites' }).click();
  await page.getByRole('link', { name: 'known.example' }).waitFor();
});

test('the list of databases says nothing of what is in them, which only the page of each knows', async () => {
  const account = `/accounts/${site.program.ready.account_id}`;
  const { result: made } = await site.call(`POST ${account}/d1/database`, { name: 'orders' });
  await site.call(`POST ${account}/d1/database/${made.uuid}/query`, { sql: 'CREATE TABLE one (id INTEGER)' });
  const { result: listed } = await site.call(`GET ${account}/d1/database`);
  deepEqual(Object.keys(listed[0]).toSorted(), ['created_at', 'name', 'read_replication', 'uuid', 'version']);
  equal((await site.call(`GET ${account}/d1/database/${made.uuid}`)).result.num_tables, 1);
  const page = await site.openSignedIn('/stores');
  await page.getByRole('link', { name: 'orders' }).waitFor();
  const table = page.getByRole('table').filter({ hasText: 'orders' });
  deepEqual(await table.getByRole('columnheader').allTextContents(), ['Name', 'Id', 'Created']);
});

test('a source of a list that cannot be read is an error, and a list without one is filled by hand', async () => {
  const path = `/accounts/${site.program.ready.account_id}/rules/lists`;
  const { result: list } = await site.call(`POST ${path}`, { name: 'office', kind: 'ip' });
  const page = await site.openSignedIn(`/lists/${list.id}`);
  await page.getByText('Items are added by hand.').waitFor();
  const answer = {
    success: false,
    errors: [{ code: 10000, message: 'it is full' }],
    messages: [],
    result: null,
  };
  await page.route(`**${path}/${list.id}/source`, (route) => route.fulfill({ status: 403, json: answer }));
  await page.reload();
  await page.getByRole('alert').getByText('it is full').waitFor();
  equal(await page.getByText('Items are added by hand.').count(), 0);
});

test('an origin that no host has asked is not known to be well', async () => {
  const account = `/accounts/${site.program.ready.account_id}`;
  const zoneId = await site.createZone('balanced.example', 'enterprise');
  const { result: pool } = await site.call(`POST ${account}/load_balancers/pools`, {
    name: 'unwatched',
    origins: [{ name: 'one', address: '192.0.2.20', enabled: true }],
  });
  await site.call(`POST /zones/${zoneId}/load_balancers`, {
    name: 'www.balanced.example',
    default_pools: [pool.id],
    fallback_pool: pool.id,
  });
  const page = await site.openSignedIn(`/zones/${zoneId}/load-balancing`);
  // The host returns its data about each, which is nothing for this one.
  const health = page.waitForResponse(
    async (response) =>
      response.url().endsWith(`/pools/${pool.id}/health`) &&
      Object.keys((await response.json()).result.pop_health).length > 0,
  );
  const [[, { origins }]] = Object.entries<any>((await (await health).json()).result.pop_health) as [any];
  equal(origins[0]['192.0.2.20'].rtt, undefined);
  await page.getByText('unknown').waitFor();
});

test('the sign-in page says where the first token is, and what makes another', async () => {
  const page = await site.openWindow();
  await page.goto(`${site.url}/sign-in`);
  await page.getByText('or wrote it into its ready file. If it is lost: gatehouse owner reset.').waitFor();
});
