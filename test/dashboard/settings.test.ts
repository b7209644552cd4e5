/** The settings of a zone, in a real browser. */
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { settle } from './browser-windows.ts';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

async function readEdge(zoneId: string): Promise<any> {
  return (await site.call(`GET /zones/${zoneId}/edge`)).result;
}

function save(page: Page): Promise<void> {
  return page.getByRole('button', { name: 'Save', exact: true }).click();
}

test('the page of settings changes the edge settings and never overwrites what someone else saved', async () => {
  const zoneId = await site.createZone('edge.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zoneId}/settings`);
  const fields = page.getByLabel('Withheld header fields to forward');
  await page.getByLabel('Requests that rules cannot fully inspect').selectOption('block');
  await page.getByLabel('Responses of the origin').selectOption('log');
  await fields.fill('X-Real-IP, content-type');
  await save(page);
  await page.getByText('"content-type" is not withheld').waitFor();
  await fields.fill('X-Real-IP');
  await save(page);
  await page.getByText('from the next request on').waitFor();
  const saved = await readEdge(zoneId);
  deepEqual([saved.over_inspection_limit, saved.forwarded_fields], ['block', ['x-real-ip']]);
  equal(saved.response_rules, 'log');
  equal(saved.origin.url, site.originUrl);

  // The page reads saved values again, and would replace values that are not being edited.
  await settle(page);
  await fields.fill('X-Real-IP, True-Client-IP');
  await site.call(`PUT /zones/${zoneId}/edge`, { over_inspection_limit: 'log' });
  await save(page);
  await page.getByText('Someone else has changed this').waitFor();
  equal((await readEdge(zoneId)).over_inspection_limit, 'log');
  equal(await fields.inputValue(), 'X-Real-IP, True-Client-IP', 'what was typed is kept');
  await site.inspect(page, 'settings-conflict');
  await page.getByRole('button', { name: 'Show theirs' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  equal(await page.getByLabel('Requests that rules cannot fully inspect').inputValue(), 'log');
  await page.getByLabel('Applies to').selectOption('incoming');
  await page.getByRole('button', { name: 'Save normalization' }).click();
  await page.getByText('URL normalization is saved').waitFor();
  equal((await site.call(`GET /zones/${zoneId}/url_normalization`)).result.scope, 'incoming');
  site.checkConsole();
});

test('what is typed while an edit is being saved is still there afterwards', async () => {
  const zoneId = await site.createZone('typing.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zoneId}/settings`);
  const fields = page.getByLabel('Withheld header fields to forward');
  await fields.fill('X-Real-IP');
  const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
  const { promise: isTyped, resolve: goOn } = Promise.withResolvers<void>();
  // The page reads saved values again; text typed before they arrive is not part of them.
  await page.route(`**/zones/${zoneId}/edge`, async (route) => {
    const isSaved = (await readEdge(zoneId)).forwarded_fields.length > 0;
    if (route.request().method() === 'GET' && isSaved) {
      hold();
      await isTyped;
    }
    await route.continue();
  });
  await save(page);
  await isHeld;
  await fields.fill('X-Real-IP, True-Client-IP');
  goOn();
  await page.getByText('There are changes that are not saved').waitFor();
  await page.locator('button[aria-busy="false"]:enabled', { hasText: /^Save$/ }).waitFor();
  equal(await fields.inputValue(), 'X-Real-IP, True-Client-IP');
  // The change is the one saved here: no other user was faster.
  equal(await page.getByText('Someone else has changed this').count(), 0);
  await save(page);
  await page.getByText('There are changes that are not saved').waitFor({ state: 'detached' });
  deepEqual((await readEdge(zoneId)).forwarded_fields, ['x-real-ip', 'true-client-ip']);
  await page.unrouteAll();
  site.checkConsole();
});

test('what is typed while a rule is being saved is there when the rule is opened again', async () => {
  const zoneId = await site.createZone('typed-rule.example', 'pro');
  const entry = `/zones/${zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const rule = { action: 'block', expression: 'ip.src eq 192.0.2.1', description: 'one' };
  const { result } = await site.call(`PUT ${entry}`, { rules: [rule] });
  const page = await site.openSignedIn(`/zones/${zoneId}/custom-rules?rule=${result.rules[0].id}`);
  const description = page.getByLabel('Description');
  await description.fill('two');
  const { promise: isSaved, resolve: noteSaved } = Promise.withResolvers<void>();
  const { promise: isTyped, resolve: answer } = Promise.withResolvers<void>();
  const { promise: isOpened, resolve: goOn } = Promise.withResolvers<void>();
  let hasSaved = false;
  await page.route(`**/zones/${zoneId}/rulesets/**`, async (route) => {
    const isRead = route.request().method() === 'GET';
    if (isRead && hasSaved) await isOpened;
    const response = await route.fetch();
    hasSaved ||= !isRead;
    if (!isRead) {
      noteSaved();
      await isTyped;
    }
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: /^Save/ }).click();
  await isSaved;
  await description.fill('two and three');
  answer();
  await page.getByRole('button', { name: 'one', exact: true }).click();
  await description.waitFor();
  goOn();
  await settle(page);
  equal(await page.getByText('Someone else has changed this').count(), 0);
  equal(await description.inputValue(), 'two and three');
  await page.unrouteAll();
  site.checkConsole();
});

test('the page of settings changes what the edge does, and says what the server does not take', async () => {
  const zoneId = await site.createZone('settings.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zoneId}/settings`);
  await page.getByLabel('Always use HTTPS').selectOption('on');
  await page.getByLabel('Cipher suites of TLS 1.2').fill('RC4-MD5');
  const saving = page.getByRole('button', { name: 'Save settings' });
  await saving.click();
  await page.getByText('Invalid value for zone setting ciphers').waitFor();
  await page.getByLabel('Cipher suites of TLS 1.2').fill('');
  await page.getByLabel('HTTP Strict Transport Security').fill('300');
  await saving.click();
  await page.getByText('Settings are saved').waitFor();
  const read = async (id: string) => (await site.call(`GET /zones/${zoneId}/settings/${id}`)).result.value;
  equal(await read('always_use_https'), 'on');
  equal((await read('security_header')).strict_transport_security.max_age, 300);
  equal(await page.getByLabel('True-Client-IP').isDisabled(), true);
  site.checkConsole();
});

test('an edit between the comparison of the page and its write is not overwritten, and one elsewhere is no obstacle', async () => {
  const zoneId = await site.createZone('between.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zoneId}/settings`);
  const fields = page.getByLabel('Withheld header fields to forward');
  await fields.fill('X-Real-IP');
  /** Another user is faster than the next write of this page. */
  const overtake = async (route: string, body: object): Promise<void> => {
    await page.route(
      '**/edge',
      async (request) => {
        if (request.request().method() === 'PUT') await site.call(route, body);
        await request.continue();
      },
      { times: 2 },
    );
  };
  await overtake(`PUT /zones/${zoneId}/edge`, { over_inspection_limit: 'log' });
  await save(page);
  await page.getByText('Someone else has changed this').waitFor();
  deepEqual((await readEdge(zoneId)).forwarded_fields ?? [], []);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Show theirs' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await fields.fill('X-Real-IP');
  await overtake(`PUT /zones/${zoneId}/url_normalization`, { type: 'cloudflare', scope: 'both' });
  await save(page);
  await page.getByText('from the next request on').waitFor();
  const { forwarded_fields, over_inspection_limit } = await readEdge(zoneId);
  deepEqual([forwarded_fields, over_inspection_limit], [['x-real-ip'], 'log']);
  site.checkConsole();
});

test('the page of settings changes the plan, pauses, and turns the legacy managed rules on', async () => {
  const zoneId = await site.createZone('plan.example', 'free');
  const page = await site.openSignedIn(`/zones/${zoneId}/settings`);
  await page.getByText('Read-only: the plan does not include them').waitFor();
  await page.getByLabel('Plan', { exact: true }).selectOption('business');
  await page.getByRole('button', { name: 'Change plan' }).click();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Legacy managed rules are on').waitFor();
  const waf = async (): Promise<string> =>
    (await site.call(`GET /zones/${zoneId}/settings/waf`)).result.value;
  equal(await waf(), 'on');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByText('no package of legacy managed rules checks requests').waitFor();
  equal(await waf(), 'on');
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('No package checks requests to plan.example now.').waitFor();
  equal(await waf(), 'off');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Turn off' }).waitFor();
  equal(await waf(), 'on');
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume protection' }).waitFor();
  equal((await site.call(`GET /zones/${zoneId}`)).result.paused, true);
  await site.inspect(page, 'settings');
  await page.getByRole('button', { name: 'Resume protection' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  site.checkConsole();
});

test('the page of settings deletes the zone when its name is typed', async () => {
  const zoneId = await site.createZone('certified.example', 'business');
  const page = await site.openSignedIn(`/zones/${zoneId}/settings`, { width: 390 });
  const dialog = page.getByRole('dialog');
  await site.inspect(page, 'settings-phone');
  await page.getByRole('button', { name: 'Delete site' }).click();
  const deletion = dialog.getByRole('button', { name: 'Delete for good' });
  await dialog.getByLabel('Type certified.example to confirm').fill('certified');
  equal(await deletion.isDisabled(), true);
  await dialog.getByLabel('Type certified.example to confirm').fill('certified.example');
  await site.inspect(page, 'settings-delete-phone');
  await deletion.click();
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
  equal((await site.call(`GET /zones/${zoneId}`)).success, false);
  site.checkConsole();
});
