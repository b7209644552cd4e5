/** The migration in a real browser: from the banner to the end for each plan, and all interruptions. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { DashboardSite } from './dashboard-site.ts';
import { MigrationZone, signatures } from './migration-zone.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());
afterEach(() => site.checkConsole());

/** One rule matches it, of each version. */
const probe = '/server-status';

async function openReview(zone: MigrationZone, options?: { readonly width?: number }): Promise<Page> {
  const page = await zone.openManagedRules(options);
  await page.getByRole('link', { name: 'Review configuration' }).click();
  await page.getByText('accepted by the server').waitFor();
  return page;
}

async function confirm(page: Page, zone: MigrationZone, action: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const button = dialog.getByRole('button', { name: action });
  await dialog.getByText('This cannot be undone').waitFor();
  const field = dialog.getByLabel(`Type ${zone.name} to confirm`);
  await field.fill('another.example');
  equal(await button.isDisabled(), true);
  await field.fill(zone.name);
  await button.click();
}

async function seePhone(zone: MigrationZone, name: string, text: string): Promise<void> {
  const page = await zone.openUpdate({ width: 390 });
  await page.getByText(text).first().waitFor();
  await site.inspect(page, name);
  const width = await page.evaluate(() => (globalThis as any).document.documentElement.scrollWidth);
  equal(width <= 390, true, `${name} is ${width} pixels wide`);
  await page.context().close();
}

for (const plan of ['pro', 'business'] as const) {
  test(`a ${plan} zone: banner, review, edit, Deploy, done`, async () => {
    const zone = await MigrationZone.create(site, `${plan}-update.example`, plan);
    const page = await zone.openManagedRules();
    await page.getByRole('heading', { name: 'Update to managed rulesets' }).waitFor();
    await site.inspect(page, `migration-banner-${plan}`);
    await page.getByRole('link', { name: 'Review configuration' }).click();
    await page.getByText('accepted by the server').waitFor();
    await page.getByText('Firewall rule: office').waitFor();
    await page.getByText(`Page rule: ${zone.name}/static/*`).waitFor();
    await page.getByText('Package OWASP: sensitivity and action').waitFor();
    await page.getByText('OWASP sensitivity becomes a paranoia level and a score').waitFor();
    await site.inspect(page, `migration-review-${plan}`);
    if (plan === 'pro') await seePhone(zone, 'migration-review-phone', 'accepted by the server');

    const exception = page.getByRole('listitem', { name: 'Rule 1: Exception' });
    await exception.getByRole('button', { name: 'Edit rule 1' }).click();
    await exception.getByLabel('Expression').fill('no such thing');
    await exception.getByText('Character 1: unknown identifier').waitFor();
    equal(await page.getByRole('button', { name: 'Deploy' }).isDisabled(), true);
    await site.inspect(page, `migration-edit-${plan}`);
    await exception.getByLabel('Expression').fill('ip.src eq 192.0.2.9');
    await page.getByText('accepted by the server').waitFor();

    const scoring = page.getByRole('listitem', { name: 'OWASP' });
    await scoring.getByRole('button', { name: 'Edit rule 4' }).click();
    await scoring.getByLabel('Score threshold').selectOption('25');
    await page.getByText('accepted by the server').waitFor();
    await page.getByRole('button', { name: 'Deploy' }).click();
    await site.inspect(page, `migration-deploy-${plan}`);
    await confirm(page, zone, 'Deploy');
    await page.getByText('The update is complete').waitFor();
    await site.inspect(page, `migration-done-${plan}`);

    equal(await zone.readState(), 'complete');
    const { rules } = await zone.readEntryPoint();
    equal(rules[0].expression, 'ip.src eq 192.0.2.9');
    deepEqual(rules[3].action_parameters.overrides.rules[0].score_threshold, 25);
    await page.getByRole('link', { name: 'Go to managed rules' }).click();
    await page.getByRole('heading', { name: 'Managed rules', exact: true }).waitFor();
    equal(await page.getByRole('link', { name: 'Review configuration' }).count(), 0);
  });
}

test('an enterprise zone: validation mode, both versions side by side, Ready to update, Turn off previous version', async () => {
  const zone = await MigrationZone.create(site, 'enterprise-update.example', 'enterprise');
  const page = await openReview(zone);

  // The new version is to log only, where the previous one blocks.
  const ruleset = page.getByRole('listitem', { name: 'Rule 3: Cloudflare Managed Ruleset' });
  await ruleset.getByRole('button', { name: 'Edit rule 3' }).click();
  await ruleset.getByLabel('Rule to override').fill('Probe - server status and information pages');
  await ruleset.getByRole('button', { name: 'Add override' }).click();
  await ruleset
    .getByRole('combobox', { name: 'Override of Probe - server status and information pages' })
    .waitFor();
  await page.getByText('accepted by the server').waitFor();
  await site.inspect(page, 'migration-edit-enterprise');
  await page.getByRole('button', { name: 'Deploy' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deploy in validation mode' });
  equal(await dialog.getByLabel('The new rules only log').isChecked(), true);
  await site.inspect(page, 'migration-validation-dialog');
  await dialog.getByRole('button', { name: 'Deploy' }).click();
  await page.getByText('No rule has matched yet').waitFor();
  deepEqual(await zone.readState(), 'validation');
  equal((await zone.do('GET /waf_migration/status')).watched, true);
  await site.inspect(page, 'migration-validation-empty');

  await zone.waitForEdge();
  equal((await zone.visit('/backup.sql')).status, 403);
  equal((await zone.visit(probe)).status, 403);
  equal((await zone.visit('/x%2F../y')).status, 400);
  await waitForEvents(zone, { ruleId: 'ambiguous-path' });
  await waitForEvents(zone, { source: 'waf', clientRequestPath: '/backup.sql' });
  await waitForEvents(zone, { source: 'waf', clientRequestPath: probe });
  await page.getByRole('button', { name: 'Refresh' }).click();
  const rows = page.getByRole('region', { name: 'Compared requests' }).getByRole('row');
  await rows.filter({ hasText: probe }).waitFor();
  match((await rows.nth(1).textContent())!, /differ.*server-status.*block.*log/);
  equal(await rows.count(), 2);
  // A refusal by the edge itself is not a rule that could be turned off.
  await page.getByText('By the edge itself, not compared').waitFor();
  await page.getByText('1 request: ambiguous-path').waitFor();
  equal(await page.getByRole('button', { name: /^Turn off rule .*ambiguous/ }).count(), 0);
  await page.getByLabel('Show the requests on which they agree').check();
  match((await rows.filter({ hasText: '/backup.sql' }).textContent())!, /agree.*block.*block/);
  await site.inspect(page, 'migration-validation');
  await seePhone(zone, 'migration-validation-phone', 'The versions differ on 1 of');

  // An edit shows its effect on the requests that came before, before it is saved.
  await page.getByRole('button', { name: 'Turn off rule Probe - backup of a site or a database' }).click();
  await page.getByText('The versions differ on 2 of').waitFor();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByText('The versions differ on 1 of').waitFor();
  await ruleset.getByRole('button', { name: 'Edit rule 3' }).click();
  await ruleset
    .getByRole('button', { name: 'Remove override of Probe - server status and information pages' })
    .click();
  await page.getByText('The versions differ on 0 of').waitFor();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Version 2, deployed').waitFor();

  // A request that the new version stops never reaches the previous one.
  await page.getByRole('button', { name: 'Let the new rules act' }).click();
  await page.getByRole('button', { name: 'Let the new rules only log' }).waitFor();
  equal((await zone.do('GET /waf_migration/status')).watched, false);
  // The edge's own refusals have the same source: only the path shows that the new rules act.
  const acted = { source: 'firewallManaged', action: 'block', clientRequestPath: probe };
  await waitForEvents(zone, acted, () => zone.visit(probe));
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('not comparable').first().waitFor();
  await site.inspect(page, 'migration-validation-acting');

  await page.getByRole('button', { name: 'Ready to update' }).click();
  await page.getByRole('dialog', { name: 'Ready to update' }).waitFor();
  await site.inspect(page, 'migration-turn-off');
  await confirm(page, zone, 'Turn off previous version');
  await page.getByText('The update is complete').waitFor();
  await site.inspect(page, 'migration-done-enterprise');
  equal(await zone.readState(), 'complete');
  deepEqual((await zone.call('GET /firewall/waf/packages')).errors[0].code, 1101);
});

/** Until the log has an event with these values. */
async function waitForEvents(
  zone: MigrationZone,
  wanted: Readonly<Record<string, string>>,
  visit: () => Promise<unknown> = async () => {},
): Promise<void> {
  for (;;) {
    await visit();
    const events = await zone.readEvents();
    if (events.some((event) => Object.entries(wanted).every(([name, value]) => event[name] === value)))
      return;
  }
}

test('the last step is followed until it is complete', async () => {
  const zone = await MigrationZone.create(site, 'followed.example', 'pro');
  const page = await openReview(zone);
  // The real state lasts for milliseconds; the response to the browser is held back.
  let heard = 0;
  await page.route('**/waf_migration/status', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    if (answer.result.migration_state === 'start') return route.fulfill({ response });
    heard += 1;
    const result = { ...answer.result, migration_state: 'pending', old_waf_status: 'enabled' };
    return route.fulfill({ response, json: { ...answer, result } });
  });
  await page.getByRole('button', { name: 'Deploy' }).click();
  await confirm(page, zone, 'Deploy');
  await page.getByText('The previous version is being turned off', { exact: true }).first().waitFor();
  await page.getByText('the previous ones still are').waitFor();
  await site.inspect(page, 'migration-pending');
  const before = heard;
  const next = await page.waitForRequest('**/waf_migration/status');
  await next.response();
  equal(heard > before, true);
  await page.unroute('**/waf_migration/status');
  await page.getByText('The update is complete').waitFor();
});

test('a free zone is told that it has nothing to update, and why', async () => {
  const id = await site.createZone('free-update.example', 'free');
  const page = await site.openSignedIn(`/zones/${id}/managed-rules`);
  await page.getByText('Sites on the Free plan never had the previous managed rules').waitFor();
  equal(await page.getByRole('link', { name: 'Review configuration' }).count(), 0);
  await site.inspect(page, 'migration-banner-free');
  await page.goto(`${site.url}/zones/${id}/managed-rules/update`);
  await page.getByText('There is nothing to update on this site').waitFor();
  await site.inspect(page, 'migration-free');
});

test('a zone with obstacles is told each of them, and can be updated when they are gone', async () => {
  const zone = await MigrationZone.create(site, 'obstacles.example', 'enterprise');
  const hostile = '<img src=x onerror=alert(1)>';
  await zone.do('POST /firewall/waf/overrides', {
    urls: [`${zone.name}/shop*`],
    rules: { 100001: 'block' },
    description: hostile,
  });
  // The limit is in bytes, that of expressions in characters.
  const rule = await zone.bypass(`http.request.uri.path eq "/${'ü'.repeat(2100)}"`, 'long');
  const page = await zone.openManagedRules();
  await page.getByText('This site cannot be updated to managed rulesets yet').waitFor();
  await page.getByText('URI-based overrides have no counterpart').waitFor();
  await page.getByText('The expression of a firewall rule is too long').waitFor();
  await page.getByRole('region', { name: 'Update' }).getByText(hostile).waitFor();
  await site.inspect(page, 'migration-obstacles');
  await seePhone(zone, 'migration-obstacles-phone', 'This site cannot be updated yet');
  await page.getByRole('button', { name: `Delete override of ${zone.name}/shop*` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete override' }).click();
  await page.getByText('URI-based overrides have no counterpart').waitFor({ state: 'detached' });
  await page.getByText('No URL has rules of its own').waitFor();
  await zone.do(`DELETE /firewall/rules/${rule}`);
  await page.reload();
  await page.getByRole('link', { name: 'Review configuration' }).click();
  await page.getByText('accepted by the server').waitFor();
});

test('a configuration that would protect less is refused with the reason and the advice', async () => {
  const zone = await MigrationZone.create(site, 'less.example', 'pro');
  const page = await openReview(zone);
  for (const place of [3, 4]) {
    const rule = page.getByRole('listitem', { name: `Rule ${place}: ` });
    await rule.getByRole('button', { name: `Edit rule ${place}` }).click();
    await rule.getByLabel('Enabled').uncheck();
  }
  await page.getByText('The new rules would protect less than the previous ones').waitFor();
  await page.getByText('Change what the message names').waitFor();
  equal(await page.getByRole('button', { name: 'Deploy' }).isDisabled(), true);
  await site.inspect(page, 'migration-refused');
  await page.getByRole('button', { name: 'Discard my changes' }).click();
  await page.getByText('accepted by the server').waitFor();

  // Invalid JSON is kept as typed, and not sent.
  const rule = page.getByRole('listitem', { name: 'Rule 1: Exception' });
  if ((await rule.getByRole('button', { name: 'Edit rule 1' }).count()) > 0)
    await rule.getByRole('button', { name: 'Edit rule 1' }).click();
  await rule.getByRole('button', { name: 'Edit as JSON' }).click();
  const json = rule.getByLabel('Rule as JSON');
  const text = await json.inputValue();
  await json.fill('{"action":');
  await rule.getByText('This is not JSON').waitFor();
  equal(await page.getByRole('button', { name: 'Deploy' }).isDisabled(), true);
  await site.inspect(page, 'migration-json');
  await json.fill(text.replace('192.0.2.1', '192.0.2.77'));
  await page.getByText('accepted by the server').waitFor();
  await rule.getByRole('button', { name: 'Done' }).click();
  await rule.getByText('ip.src eq 192.0.2.77').waitFor();
});

test('what somebody else does in between is said, and nothing is sent over it', async () => {
  const zone = await MigrationZone.create(site, 'two-people.example', 'enterprise');
  const page = await openReview(zone);
  // The legacy settings change after the proposal was read.
  await zone.bypass('ip.src eq 198.51.100.7', 'second office');
  await page.getByRole('button', { name: 'Deploy' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click();
  await page.getByText('the settings of the previous managed rules have changed').waitFor();
  equal(await zone.readState(), 'start');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Firewall rule: second office').waitFor();

  // Another user starts validation mode.
  await page.getByRole('button', { name: 'Deploy' }).click();
  await zone.send('waf_migration=validation&watch=true');
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click();
  await page.getByText('Someone else has put this site into validation mode').waitFor();
  await site.inspect(page, 'migration-someone-else');

  // Another user changes the configuration while it is edited.
  const rule = page.getByRole('listitem', { name: 'Rule 1: Exception' });
  await rule.getByRole('button', { name: 'Edit rule 1' }).click();
  await rule.getByLabel('Description').fill('mine');
  const { rules } = await zone.readEntryPoint();
  await zone.do('PUT /rulesets/phases/http_request_firewall_managed/entrypoint', { rules: rules.slice(1) });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('someone else has changed the managed rulesets of this site').waitFor();
  await page.getByText('Someone else has changed this since you began to edit it').waitFor();
  equal(await rule.getByLabel('Description').inputValue(), 'mine');
  await page.getByRole('button', { name: 'Show theirs' }).click();

  // Another user finishes.
  await page.getByRole('button', { name: 'Ready to update' }).click();
  await zone.send('waf_migration=pending');
  await confirm(page, zone, 'Turn off previous version');
  await page.getByText('The update is complete').waitFor();
  await page.getByText(/Someone else has (finished the update|started the last step)/).waitFor();
});

test('a session that ends loses no edit', async () => {
  const zone = await MigrationZone.create(site, 'session.example', 'pro');
  const policies = (await site.call('GET /user/tokens')).result[0].policies.map((policy: any) => ({
    effect: policy.effect,
    resources: policy.resources,
    permission_groups: policy.permission_groups.map(({ id }: { id: string }) => ({ id })),
  }));
  const { result: token } = await site.call('POST /user/tokens', { name: 'short', policies });
  const page = await site.openWindow();
  await page.request.post(`${site.url}/session`, { data: { token: token.value } });
  await page.goto(`${site.url}/zones/${zone.id}/managed-rules/update`);
  await page.getByText('accepted by the server').waitFor();
  await site.call(`DELETE /user/tokens/${token.id}`);
  await page.getByRole('button', { name: 'Edit rule 1' }).click();
  await page.getByLabel('Expression').fill('ip.src eq 192.0.2.200');
  await page.getByLabel('API token').fill(site.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('ip.src eq 192.0.2.200').waitFor();
  await page.getByText('edited', { exact: true }).waitFor();
});

test('a lost connection is said, and the step can be repeated', async () => {
  const zone = await MigrationZone.create(site, 'lost.example', 'business');
  await zone.do(`PATCH /firewall/waf/packages/${signatures}/rules/100002`, { mode: 'disable' });
  const page = await openReview(zone);
  await page.getByRole('button', { name: 'Deploy' }).click();
  // Also the requests that the page sends by itself; they do not show which one belongs to the step.
  await page.route('**/waf_migration/status', (route) => route.abort('connectionrefused'));
  await confirm(page, zone, 'Deploy');
  await page.getByText('The server cannot be reached').waitFor();
  await page.unrouteAll();
  await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click();
  await page.getByText('The update is complete').waitFor();
});
