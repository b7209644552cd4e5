/** IP access rules, zone lockdown and user agent rules, in a real browser. */
import { deepEqual } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardSite } from './dashboard-site.ts';

/** The message about a save is in a corner, where it can cover a button: buttons below it are pressed by key. */
let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

test('the page of security tools creates, shows and deletes access rules of a site and of the account', async () => {
  const zoneId = await site.createZone('tools.example', 'business');
  const page = await site.openSignedIn(`/zones/${zoneId}/security-tools`);
  await page.getByText('There is no IP access rule').waitFor();
  await page.getByRole('button', { name: 'Create access rule' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Kind').selectOption('Network');
  await dialog.getByLabel('Who').fill('192.0.2.0/25');
  await dialog.getByRole('button', { name: 'Save access rule' }).click();
  await dialog.getByRole('alert').getByText('/24, /16').waitFor();
  await dialog.getByLabel('Who').fill('192.0.2.0/24');
  await dialog.getByLabel('Notes').fill('scanners');
  await dialog.getByRole('button', { name: 'Save access rule' }).click();
  await page.getByRole('cell', { name: '192.0.2.0/24', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Create access rule' }).click();
  await dialog.getByLabel('Who').fill('198.51.100.9');
  await dialog.getByLabel('Then').selectOption('Allow');
  await dialog.getByLabel('Where').selectOption('all sites of the account');
  await dialog.getByRole('button', { name: 'Save access rule' }).click();
  await page.getByRole('cell', { name: '198.51.100.9', exact: true }).waitFor();
  await page.getByRole('cell', { name: 'all sites', exact: true }).waitFor();
  await site.inspect(page, 'security-tools');
  for (const value of ['192.0.2.0/24', '198.51.100.9']) {
    await page.getByRole('button', { name: `Delete the rule about ${value}` }).press('Enter');
    await page.getByRole('button', { name: 'Delete access rule', exact: true }).click();
    await page.getByRole('cell', { name: value, exact: true }).waitFor({ state: 'detached' });
  }
  await page.getByText('There is no IP access rule').waitFor();
  site.checkConsole();
});

test('the page of security tools creates, changes and deletes lockdowns and user agent rules', async () => {
  const zoneId = await site.createZone('locked.example', 'business');
  const page = await site.openSignedIn(`/zones/${zoneId}/security-tools`);
  await page.getByRole('button', { name: 'Create lockdown' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URLs').fill('locked.example/admin/*\nlocked.example/internal');
  await dialog.getByLabel('Only for').fill('192.0.2.1\n198.51.100.0/24');
  await dialog.getByRole('button', { name: 'Save lockdown' }).click();
  await page
    .getByRole('button', { name: 'locked.example/admin/*, locked.example/internal', exact: true })
    .click();
  await dialog.getByLabel('Priority').fill('3');
  await dialog.getByRole('button', { name: 'Save lockdown' }).click();
  await page.getByRole('dialog', { name: 'Change a lockdown' }).waitFor({ state: 'detached' });
  const { result } = await site.call(`GET /zones/${zoneId}/firewall/lockdowns`);
  deepEqual(
    [result[0].urls, result[0].configurations, result[0].priority],
    [
      ['locked.example/admin/*', 'locked.example/internal'],
      [
        { target: 'ip', value: '192.0.2.1' },
        { target: 'ip_range', value: '198.51.100.0/24' },
      ],
      3,
    ],
  );
  await page.getByRole('button', { name: 'Create user agent rule' }).click();
  await dialog.getByLabel('User agent').fill('BadBot/1.0');
  await dialog.getByRole('button', { name: 'Save user agent rule' }).click();
  await page.getByRole('button', { name: 'Pause BadBot/1.0' }).press('Enter');
  await page.getByRole('button', { name: 'Resume BadBot/1.0' }).waitFor();
  await page.getByRole('button', { name: 'Delete BadBot/1.0' }).press('Enter');
  await page.getByRole('button', { name: 'Delete user agent rule', exact: true }).click();
  await page.getByText('No user agent is stopped').waitFor();
  await page.getByRole('button', { name: 'Create rule that asks' }).click();
  await dialog.getByLabel('Description').fill('sessions');
  await dialog.getByLabel('Ask', { exact: true }).selectOption('A server, by its URL');
  await dialog.getByLabel('URL').fill('ftp://auth.example/');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await dialog.getByRole('alert').getByText('begins with http://').waitFor();
  await dialog.getByLabel('URL').fill('https://auth.example/verify');
  await dialog.getByLabel('Without an answer').selectOption('Block');
  await dialog.getByLabel('Headers of the answer').fill('x-user, x-groups');
  await dialog.getByRole('button', { name: 'Save rule' }).click();
  await page.getByRole('cell', { name: 'https://auth.example/verify, for 500 ms' }).waitFor();
  const asking = await site.call(`GET /zones/${zoneId}/rulesets/phases/gatehouse_ask/entrypoint`);
  deepEqual(asking.result.rules[0].action_parameters, {
    url: 'https://auth.example/verify',
    timeout_ms: 500,
    default_action: 'block',
    keep_seconds: 0,
    copy_headers: ['x-user', 'x-groups'],
  });
  await page.getByRole('button', { name: 'Pause sessions' }).press('Enter');
  await page.getByRole('button', { name: 'Resume sessions' }).waitFor();
  await page.getByRole('button', { name: 'Delete sessions' }).press('Enter');
  await page.getByRole('button', { name: 'Delete rule', exact: true }).click();
  await page.getByText('No rules that ask yet').waitFor();
  await page.getByRole('button', { name: /^Delete the lockdown of/ }).press('Enter');
  await page.getByRole('button', { name: 'Delete lockdown', exact: true }).click();
  await page.getByText('No URL is locked').waitFor();
  site.checkConsole();
});
