/** The page of tokens, in a real browser. */
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

async function verify(value: string): Promise<boolean> {
  const response = await fetch(`${site.url}/client/v4/user/tokens/verify`, {
    headers: { authorization: `Bearer ${value}` },
  });
  return response.ok;
}

test('the page of tokens creates one with scopes and conditions, shows its value once, rolls and revokes it', async () => {
  const zoneId = await site.createZone('shop.example', 'pro');
  await site.createZone('other.example', 'free');
  const page = await site.openSignedIn('/tokens');
  await page.getByRole('button', { name: 'Create token' }).click();
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel('Name').fill('deploy <script>alert(1)</script>');
  const create = form.getByRole('button', { name: 'Create token' });
  equal(await create.isDisabled(), true, 'a token without a permission cannot be created');
  await form.getByLabel('Firewall Services').selectOption('change');
  await form.getByLabel('Account Rule Lists').selectOption('read');
  await form.getByLabel('Only these').check();
  await form.getByLabel('shop.example').check();
  await form.getByLabel('Only from').fill('127.0.0.0/8, nowhere');
  await create.click();
  await form.getByRole('alert').waitFor();
  await site.inspect(page, 'token-form');
  await form.getByLabel('Only from').fill('127.0.0.0/8');
  await create.click();
  const shown = page.getByRole('dialog', { name: 'Copy the token now' });
  const value = await shown.getByLabel('Value of the token').inputValue();
  equal(await verify(value), true);
  await site.inspect(page, 'token-value');
  await shown.getByRole('button', { name: 'I have it, close' }).click();

  const { result } = await site.call('GET /user/tokens?direction=desc');
  const token = result.find(({ name }: { name: string }) => name.startsWith('deploy'));
  deepEqual(
    token.policies.map(({ resources, permission_groups }: any) => [
      Object.keys(resources),
      permission_groups.map(({ name }: any) => name),
    ]),
    [
      [[`com.cloudflare.api.account.zone.${zoneId}`], ['Firewall Services Read', 'Firewall Services Write']],
      [[`com.cloudflare.api.account.${site.program.ready.account_id}`], ['Account Rule Lists Read']],
    ],
  );
  deepEqual(token.condition.request_ip.in, ['127.0.0.0/8']);

  await page.getByRole('button', { name: 'deploy', exact: false }).first().click();
  await page.getByText('On shop.example').waitFor();
  await page.getByText('127.0.0.0/8').waitFor();
  await site.inspect(page, 'tokens');
  await page.getByRole('button', { name: 'Roll deploy' }).click();
  await page.getByRole('button', { name: 'Roll token' }).click();
  const rolled = await shown.getByLabel('Value of the token').inputValue();
  await shown.getByRole('button', { name: 'I have it, close' }).click();
  deepEqual([await verify(value), await verify(rolled)], [false, true]);
  await page.getByRole('button', { name: 'Revoke deploy' }).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText(/deploy .* is revoked/).waitFor();
  equal(await verify(rolled), false);
  site.checkConsole();
});

test('the page of tokens can be used on a phone, and offers only permissions that allow something here', async () => {
  const page = await site.openSignedIn('/tokens', { width: 390 });
  await page.getByRole('heading', { name: 'Tokens' }).waitFor();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByLabel('Firewall Services').waitFor();
  equal(await page.getByLabel('Cache Purge').count(), 0);
  await site.inspect(page, 'token-form-phone');
  equal(
    (await site.call('GET /user/tokens/permission_groups?is_served=true&name=Cache+Purge')).result.length,
    0,
  );
  equal((await site.call('GET /user/tokens/permission_groups?name=Cache+Purge')).result.length, 1);
  site.checkConsole();
});

test('the page of tokens changes one, disables it, and keeps what its form cannot show', async () => {
  const page = await site.openSignedIn('/tokens');
  const groups = (await site.call('GET /user/tokens/permission_groups?is_served=true')).result;
  const find = (name: string) => ({ id: groups.find((group: any) => group.name === name).id });
  const every = { 'com.cloudflare.api.account.zone.*': '*' };
  const plain = {
    name: 'reader',
    policies: [{ effect: 'allow', resources: every, permission_groups: [find('Zone Settings Read')] }],
    expires_on: '2099-01-02T03:04:05Z',
    condition: { request_ip: { in: ['127.0.0.0/8'] } },
  };
  const { result: token } = await site.call('POST /user/tokens', plain);
  const deny = { effect: 'deny', resources: every, permission_groups: [find('Firewall Services Write')] };
  const odd = (await site.call('POST /user/tokens', { name: 'odd', policies: [...plain.policies, deny] }))
    .result;
  await page.reload();
  await page.getByRole('button', { name: 'Change reader' }).click();
  const form = page.getByRole('dialog', { name: 'Change a token' });
  equal(await form.getByLabel('Zone Settings').inputValue(), 'read');
  equal(await form.getByLabel('Only from').inputValue(), '127.0.0.0/8');
  await form.getByLabel('Name').fill('writer');
  await form.getByLabel('Zone Settings').selectOption('change');
  await form.getByLabel('Status').selectOption('disabled');
  await site.inspect(page, 'token-change');

  await site.call(`PUT /user/tokens/${token.id}`, { ...plain, name: 'theirs' });
  await form.getByRole('button', { name: 'Save token' }).click();
  await form.getByText('Someone else has changed this').waitFor();
  equal(await form.getByLabel('Name').inputValue(), 'writer');
  await form.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByText('writer is saved').waitFor();
  const changed = (await site.call(`GET /user/tokens/${token.id}`)).result;
  deepEqual(
    [changed.name, changed.status, changed.expires_on, changed.condition.request_ip.in],
    ['writer', 'disabled', '2099-01-02T03:04:05Z', ['127.0.0.0/8']],
  );
  deepEqual(
    changed.policies[0].permission_groups.map(({ name }: any) => name),
    ['Zone Settings Read', 'Zone Settings Write'],
  );
  const refused = await fetch(`${site.url}/client/v4/zones`, {
    headers: { authorization: `Bearer ${token.value}` },
  });
  equal(refused.status, 403);

  await page.getByRole('button', { name: 'Change odd' }).click();
  await form.getByText('in a way that this form cannot show').waitFor();
  await form.getByLabel('Name').fill('still odd');
  await form.getByRole('button', { name: 'Save token' }).click();
  await page.getByText('still odd is saved').waitFor();
  const kept = (await site.call(`GET /user/tokens/${odd.id}`)).result.policies;
  deepEqual(
    kept.map(({ effect }: any) => effect),
    ['allow', 'deny'],
  );
  site.checkConsole();
});
