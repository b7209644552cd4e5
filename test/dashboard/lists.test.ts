/** The pages of lists and of page rules, in a real browser. */
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

test('the pages of lists create one, paste, search and remove items, and say where it is used', async () => {
  const zoneId = await site.createZone('lists.example', 'pro');
  const page = await site.openSignedIn('/lists');
  await page.getByText('There is no list yet').waitFor();
  await page.getByRole('button', { name: 'Create list' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('The Office');
  await dialog.getByRole('button', { name: 'Create list' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Name').fill('office');
  await dialog.getByLabel('Description').fill('<img src=x onerror=alert(1)>');
  await dialog.getByRole('button', { name: 'Create list' }).click();

  await page.getByText('The list is empty').waitFor();
  await page.getByRole('button', { name: 'Add items' }).click();
  const items = dialog.getByLabel('Items', { exact: true });
  await items.fill('192.0.2.7 # desk\n\n198.51.100.0/24\nnot-an-address');
  await dialog.getByRole('button', { name: 'Add 3 items' }).click();
  await dialog.getByText('Line 4:').waitFor();
  await site.inspect(page, 'list-add');
  const many = Array.from({ length: 250 }, (_, index) => `203.0.113.${index} # <b>${index}</b>`);
  await items.fill(['192.0.2.7 # desk', ...many].join('\n'));
  await dialog.getByRole('button', { name: 'Add 251 items' }).click();
  await page.getByRole('status').getByText('done').waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('cell', { name: '203.0.113.249', exact: true }).waitFor();
  await page.getByLabel('Search items').fill('192.0');
  await page.getByRole('cell', { name: '203.0.113.1', exact: true }).waitFor({ state: 'detached' });

  await page.getByLabel('Choose 192.0.2.7').check();
  await page.getByRole('button', { name: 'Remove chosen' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Removing 1 item').waitFor();
  await page.getByText('No item matches').waitFor();

  await page.getByRole('button', { name: 'Change description' }).click();
  await dialog.getByLabel('Description').fill('Desks of the office');
  await dialog.getByRole('button', { name: 'Save description' }).click();
  await page.getByText('Addresses and ranges. Desks of the office').waitFor();

  await page.getByRole('button', { name: 'Set source' }).click();
  await dialog.getByLabel('Address').fill('ftp://lists.example/');
  await dialog.getByRole('button', { name: 'Save source' }).click();
  await dialog.getByRole('alert').getByText('must begin with https:// or http://').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Items are added by hand.').waitFor();

  const used = await site.call(`POST /zones/${zoneId}/filters`, [{ expression: 'ip.src in $office' }]);
  equal(used.success, true, JSON.stringify(used.errors));
  await page.reload();
  await page.getByRole('main').getByRole('link', { name: 'lists.example' }).waitFor();
  await site.inspect(page, 'list');
  await page.getByRole('button', { name: 'Delete list' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('1 expressions name $office').first().waitFor();
  await page.getByRole('link', { name: 'Lists', exact: true }).click();
  await page.getByRole('link', { name: '$office' }).waitFor();
  await site.inspect(page, 'lists');
  site.checkConsole();
});

test('lists.listUses names the zones of a list, and to a token only those that it can see', async () => {
  const accountId = site.program.ready.account_id;
  const [list] = (await site.call(`GET /accounts/${accountId}/rules/lists`)).result;
  const path = `/accounts/${accountId}/rules/lists/${list.id}/uses`;
  const uses = (await site.call(`GET ${path}`)).result;
  deepEqual(
    uses.map(({ zone_name, count }: any) => [zone_name, count]),
    [['lists.example', 1]],
  );
  const groups = (await site.call('GET /user/tokens/permission_groups?name=Account+Rule+Lists+Read')).result;
  const { result } = await site.call('POST /user/tokens', {
    name: 'lists only',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: groups[0].id }],
        resources: { [`com.cloudflare.api.account.${accountId}`]: '*' },
      },
    ],
  });
  const response = await fetch(`${site.url}/client/v4${path}`, {
    headers: { authorization: `Bearer ${result.value}` },
  });
  deepEqual([response.status, ((await response.json()) as any).result], [200, []]);
});

test('the page of page rules creates, changes, disables and deletes one, and overwrites nothing unseen', async () => {
  const zoneId = await site.createZone('rules.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zoneId}/page-rules`);
  await page.getByText('There is no page rule').waitFor();
  await page.getByRole('button', { name: 'Create page rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('elsewhere.example/*');
  await dialog.getByRole('button', { name: 'Add action' }).click();
  await dialog.getByLabel('Action 2').selectOption('cache_level');
  await dialog.getByRole('button', { name: 'Save page rule' }).click();
  await dialog
    .getByRole('alert')
    .getByText(/See messages for details.*; .+/)
    .waitFor();
  await site.inspect(page, 'page-rule-form');
  await dialog.getByLabel('URL').fill('rules.example/admin/*');
  await dialog.getByRole('button', { name: 'Save page rule' }).click();
  await page.getByRole('button', { name: 'rules.example/admin/*', exact: true }).click();
  const [rule] = (await site.call(`GET /zones/${zoneId}/pagerules`)).result;
  deepEqual(rule.actions, [
    { id: 'waf', value: 'off' },
    { id: 'cache_level', value: 'bypass' },
  ]);

  await site.call(`PATCH /zones/${zoneId}/pagerules/${rule.id}`, { actions: [{ id: 'disable_security' }] });
  await dialog.getByLabel('Value of cache_level').selectOption('basic');
  await dialog.getByRole('button', { name: 'Save page rule' }).click();
  await dialog.getByText('Someone else has changed this').waitFor();
  await dialog.getByRole('button', { name: 'Show theirs' }).click();
  await dialog.getByText('takes no value').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Disable rules.example' }).click();
  await page.getByRole('button', { name: 'Enable rules.example' }).waitFor();
  await site.inspect(page, 'page-rules');
  await page.setViewportSize({ width: 390, height: 900 });
  await site.inspect(page, 'page-rules-phone');
  const width = await page.evaluate(() => (globalThis as any).document.documentElement.scrollWidth);
  equal(width <= 390, true, `the table scrolls, the page does not: it is ${width} wide`);
  await page.getByRole('button', { name: 'Delete rules.example' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There is no page rule').waitFor();
  site.checkConsole();
});
