/** The page of the managed rules in a real browser: previous packages, managed rulesets, and what Free sites have. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { chooseRules } from '../core-rules.ts';
import { eventually } from '../eventually.ts';
import { settle } from './browser-windows.ts';
import { DashboardSite } from './dashboard-site.ts';
import { teachValues } from './learned-values.ts';

const cloudflarePackage = '1e334934fd7ae32ad705667f8c1057aa';
const owaspPackage = 'c504870194831cd12c3fc0284f294abb';
const cloudflareRuleset = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspRuleset = '4814384a9e5d4991b9815dcfc25d2f1f';
const freeRuleset = '77454fe2d30c4220b5701f6fdfb893ba';
const scoreRule = '6179ae15870a4bb7b2d480d4843b323c';
const entryPoint = 'rulesets/phases/http_request_firewall_managed/entrypoint';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

async function readRules(zoneId: string): Promise<any[]> {
  return (await site.call(`GET /zones/${zoneId}/${entryPoint}`)).result?.rules ?? [];
}

async function readDeployment(zoneId: string, rulesetId: string): Promise<any> {
  return (await readRules(zoneId)).find((rule) => rule.action_parameters.id === rulesetId);
}

/** A Pro zone that has gone through the migration with its proposed configuration. */
async function createMigratedZone(name: string): Promise<string> {
  const id = await site.createZone(name, 'pro');
  await site.call(`PATCH /zones/${id}/settings/waf`, { value: 'on' });
  const { result } = await site.call(`GET /zones/${id}/waf_migration/config?phase_two=1`);
  const sent = await site.call(`PUT /zones/${id}/${entryPoint}?waf_migration=pending&phase_two=1`, result);
  equal(sent.success, true, JSON.stringify(sent.errors));
  let state = '';
  while (state !== 'complete') {
    state = (await site.call(`GET /zones/${id}/waf_migration/status`)).result.migration_state;
  }
  return id;
}

function packageCard(page: Page, title: string) {
  return page.locator('section.card', { has: page.getByRole('heading', { name: title, exact: true }) });
}

test('a legacy Pro zone: switch, sensitivity, groups, and a rule that is searched and disabled', async () => {
  const zoneId = await site.createZone('managed-pro.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules`);
  await page.getByText('Managed rules are off').waitFor();
  await page.getByRole('switch', { name: 'Managed rules', exact: true }).click();
  await page.getByRole('heading', { name: /^Managed rules are on./ }).waitFor();

  const owasp = packageCard(page, 'OWASP rules');
  await owasp.getByLabel('Sensitivity').selectOption('low');
  await page.getByText('Saved the settings of OWASP').first().waitFor();
  await owasp.getByLabel('Action').selectOption('simulate');
  await owasp.getByRole('switch', { name: 'OWASP Bad Robots' }).click();
  await page.getByText('Saved the group OWASP Bad Robots').waitFor();

  const cloudflare = packageCard(page, 'Cloudflare rules');
  await cloudflare.getByLabel('Search').fill('struts redirect 2013-2248');
  await cloudflare.getByText(/^1 of \d+/).waitFor();
  await cloudflare.getByLabel('Mode of rule 100001').selectOption('disable');
  await page.getByText('Saved rule 100001').waitFor();
  await settle(page);

  const root = `GET /zones/${zoneId}/firewall/waf/packages`;
  const { sensitivity, action_mode } = (await site.call(`${root}/${owaspPackage}`)).result;
  deepEqual([sensitivity, action_mode], ['low', 'simulate']);
  equal(
    (await site.call(`${root}/${owaspPackage}/groups/07d700cf30fda7548be94ff01087d0c4`)).result.mode,
    'off',
  );
  equal((await site.call(`${root}/${cloudflarePackage}/rules/100001`)).result.mode, 'disable');
  await page.getByText('Other modes on single URLs need the Enterprise plan').waitFor();

  await page.getByRole('switch', { name: 'Managed rules', exact: true }).click();
  await page.getByRole('button', { name: 'Turn off' }).click();
  // The card of the page; the message with Undo says the same.
  await page.getByRole('heading', { name: /^Managed rules are off./ }).waitFor();
  await page.getByRole('link', { name: 'Review configuration' }).waitFor();
  await site.inspect(page, 'managed-legacy-pro');
  await page.setViewportSize({ width: 390, height: 844 });
  await site.inspect(page, 'managed-legacy-pro-phone');
  site.checkConsole();
});

test('a legacy rule that someone else has changed is not overwritten', async () => {
  const zoneId = await site.createZone('managed-race.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules`);
  const path = `/zones/${zoneId}/firewall/waf/packages/${cloudflarePackage}/rules/100001`;
  const cloudflare = packageCard(page, 'Cloudflare rules');
  await cloudflare.getByLabel('Mode of rule 100001').waitFor();
  await site.call(`PATCH ${path}`, { mode: 'challenge' });
  await cloudflare.getByLabel('Mode of rule 100001').selectOption('disable');
  await page.getByText('someone else has changed rule 100001').first().waitFor();
  equal((await site.call(`GET ${path}`)).result.mode, 'challenge');
  await page.waitForFunction(
    () =>
      (globalThis as any).document.querySelector('[aria-label="Mode of rule 100001"]')?.value === 'challenge',
  );
  site.checkConsole();
});

test('a legacy Enterprise zone: URI-based overrides are created, edited and deleted', async () => {
  const zoneId = await site.createZone('managed-ent.example', 'enterprise');
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules`);
  await page.getByText('No URL has rules of its own').waitFor();
  await page.getByRole('button', { name: 'Create override' }).click();
  await page.getByLabel('URLs').fill('managed-ent.example/upload*\nmanaged-ent.example/api/*');
  await page.getByLabel('Description').fill('Uploads <script>alert(1)</script>');
  await page.getByLabel('Add to groups').selectOption({ label: 'Cloudflare Drupal' });
  await page.getByLabel('Add to rules').selectOption('100001');
  await page.getByLabel('Mode of 100001').selectOption('simulate');
  await site.inspect(page, 'managed-override-dialog');
  await page.getByRole('button', { name: 'Save override' }).click();
  await page.getByText('1 group, 1 rule').waitFor();
  const list = async (): Promise<any[]> =>
    (await site.call(`GET /zones/${zoneId}/firewall/waf/overrides`)).result;
  const [created] = await list();
  deepEqual(created.urls, ['managed-ent.example/upload*', 'managed-ent.example/api/*']);
  deepEqual(created.groups, { '8df6c9aaddcbdf0eceb047bc50873697': 'disable' });
  deepEqual(created.rules, { '100001': 'simulate' });

  await page.getByRole('button', { name: /^Edit Uploads/ }).click();
  await page.getByLabel('Priority').fill('7');
  await page.getByRole('button', { name: 'Save override' }).click();
  await page.getByRole('cell', { name: '7', exact: true }).waitFor();
  await site.inspect(page, 'managed-legacy-enterprise');
  await page.getByRole('button', { name: /^Delete Uploads/ }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No URL has rules of its own').waitFor();
  deepEqual(await list(), []);
  await page.getByRole('tab', { name: 'Managed rulesets' }).click();
  await page.getByText('Starts at paranoia level 1').waitFor();
  await page.getByRole('button', { name: 'Deploy Cloudflare OWASP Core Ruleset' }).click();
  await page.getByText('All requests, paranoia level 1, no overrides.').waitFor();
  deepEqual((await readDeployment(zoneId, owaspRuleset)).action_parameters.overrides, {
    categories: [2, 3, 4].map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
  });
  site.checkConsole();
});

test('a migrated zone: rulesets are deployed, turned off, and overridden by rule, tag and whole', async () => {
  const zoneId = await createMigratedZone('managed-new.example');
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules`);
  await page.getByRole('button', { name: 'Deploy Cloudflare Exposed Credentials Check' }).click();
  await page.getByRole('switch', { name: 'Cloudflare Exposed Credentials Check' }).click();
  await page.getByText('All requests, no overrides.').first().waitFor();
  await page.locator('li', { hasText: 'Exposed Credentials' }).getByText('off', { exact: true }).waitFor();
  equal((await readDeployment(zoneId, 'c2e184081120413c86c3ab7e14069605')).enabled, false);
  await site.inspect(page, 'managed-rulesets');

  await page.getByRole('link', { name: 'Cloudflare Managed Ruleset' }).click();
  await page.getByLabel('Tag', { exact: true }).selectOption('wordpress');
  await page.getByLabel('Tag', { exact: true }).selectOption('');
  await page.getByLabel('Search').fill('cve-2013-2248');
  await page.getByText(/^1 of \d+/).waitFor();
  await page.getByLabel(/^Action of Apache Struts - open redirect/).selectOption('log');
  await page.getByLabel('Search').fill('');
  await page.getByLabel('Override a tag').selectOption('rce');
  await page.getByLabel('Status of rce').selectOption('false');
  await page.getByLabel('Action of Cloudflare Managed Ruleset').selectOption('managed_challenge');
  await site.inspect(page, 'managed-ruleset');
  await page.setViewportSize({ width: 390, height: 844 });
  await site.inspect(page, 'managed-ruleset-phone');
  await page.setViewportSize({ width: 1280, height: 900 });

  await page.getByRole('link', { name: '← All managed rulesets' }).click();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  deepEqual((await readDeployment(zoneId, cloudflareRuleset)).action_parameters.overrides, {
    action: 'managed_challenge',
    categories: [{ category: 'rce', enabled: false }],
    rules: [{ id: '23ee7cebe6e8443e99ecf932ab579455', action: 'log' }],
  });
  site.checkConsole();
});

test('the sliders of OWASP show what the log knows of the last day, and save level and threshold', async () => {
  const zoneId = await createMigratedZone('managed-owasp.example');
  await site.call(`PUT /zones/${zoneId}/${entryPoint}`, {
    rules: [{ action: 'execute', expression: 'true', action_parameters: { id: owaspRuleset } }],
  });
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules?ruleset=${owaspRuleset}`);
  await page.getByText('has no request that reached the threshold').waitFor();
  let status = 200;
  while (status === 200) {
    const answer = await site.visit(
      'managed-owasp.example',
      '/?q=1%27%20union%20select%20password%20from%20users--%20<script>alert(1)</script>',
    );
    status = answer.status;
  }
  equal(status, 403);
  let events: any[] = [];
  while (events.length === 0) {
    const found = await site.call(
      `GET /zones/${zoneId}/security/events?since=24h&where=ruleId:eq:${scoreRule}`,
    );
    events = found.result;
  }
  const score = Number(events[0].metadata[0].value);
  await page.reload();
  await page.getByText(`the highest score was ${score}`).waitFor();

  const threshold = page.getByLabel(/^Score threshold/);
  await threshold.fill('60');
  await page.getByText(score >= 60 ? '1 still would; 0 would pass' : '0 still would; 1 would pass').waitFor();
  await threshold.fill('25');
  await page.getByText('the log has no scores below the threshold').waitFor();
  await page.getByLabel(/^Paranoia level/).fill('1');
  await page.getByText('would pass').waitFor();
  await page.getByLabel('Action', { exact: true }).selectOption('log');
  await page.getByLabel('Score', { exact: true }).selectOption({ index: 1 });
  await site.inspect(page, 'managed-owasp');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  deepEqual((await readDeployment(zoneId, owaspRuleset)).action_parameters.overrides, {
    categories: [2, 3, 4].map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
    rules: [{ id: scoreRule, action: 'log', score_threshold: 25 }],
  });
  await page.getByText('Version 1.0.0 of the Core Rule Set').waitFor();
  // Without rules the ruleset is still listed, and says what is missing.
  chooseRules(site.data, undefined);
  await eventually(async () => {
    const { result } = await site.call(`GET /zones/${zoneId}/rulesets/${owaspRuleset}`);
    return result.content.installed === false;
  });
  await page.reload();
  await page.getByText('gatehouse crs install').waitFor();
  // Nor does the package of a zone that has not migrated.
  const legacyId = await site.createZone('managed-without.example', 'pro');
  const legacy = await site.openSignedIn(`/zones/${legacyId}/managed-rules`);
  const card = packageCard(legacy, 'OWASP rules');
  await card.getByText(/Core Rule Set is not installed.*gatehouse crs install/).waitFor();
  await site.inspect(legacy, 'legacy-owasp-missing');
  chooseRules(site.data, '1.0.0');
  site.checkConsole();
});

test('scores that are only logged are told beside their action, and page rules that do nothing say so', async () => {
  const zoneId = await createMigratedZone('managed-logged.example');
  await site.call(`POST /zones/${zoneId}/pagerules`, {
    targets: [
      { target: 'url', constraint: { operator: 'matches', value: 'managed-logged.example/uploads/*' } },
    ],
    actions: [{ id: 'waf', value: 'off' }],
    status: 'active',
  });
  await site.call(`PUT /zones/${zoneId}/edge`, { unconfirmed_scores: 'log' });
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules?ruleset=${owaspRuleset}`);
  const note = page.getByText(
    /scores that reach their threshold are only logged unless a detector is sure of an attack/,
  );
  await note.waitFor();
  await site.inspect(page, 'scores-logged');
  await site.call(`PUT /zones/${zoneId}/edge`, { unconfirmed_scores: 'act' });
  await page.reload();
  await page.getByText('Score threshold: 40').waitFor();
  equal(await note.count(), 0);

  await page.goto(`${site.url}/zones/${zoneId}/page-rules`);
  await page.getByText('active, without effect').waitFor();
  await page.getByText('Page rules do not turn managed rulesets on or off, whatever their status.').waitFor();
  await site.inspect(page, 'page-rules-migrated');
  site.checkConsole();
});

test('a ruleset that someone else has saved in the meantime keeps both edits until the reader decides', async () => {
  const zoneId = await createMigratedZone('managed-conflict.example');
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules?ruleset=${cloudflareRuleset}`);
  await page.getByLabel('Action of Cloudflare Managed Ruleset').selectOption('log');
  const rules = await readRules(zoneId);
  await site.call(`PUT /zones/${zoneId}/${entryPoint}`, { rules, description: 'by someone else' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('what you typed is still here').waitFor();
  deepEqual((await readDeployment(zoneId, cloudflareRuleset)).action_parameters.overrides, { rules: [] });
  equal(await page.getByLabel('Action of Cloudflare Managed Ruleset').inputValue(), 'log');
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  deepEqual((await readDeployment(zoneId, cloudflareRuleset)).action_parameters.overrides, { action: 'log' });
  site.checkConsole();
});

test('exceptions are created before the rulesets, edited, turned off and removed', async () => {
  const zoneId = await createMigratedZone('managed-except.example');
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules`);
  await page.getByRole('button', { name: 'Create exception' }).click();
  await page.getByLabel('Description').fill('Uploads <img src=x onerror=alert(1)>');
  await page.getByLabel('For requests that match').fill('http.request.uri.path eq');
  await page.getByText('Character 25:').waitFor();
  await page.getByLabel('Find a rule').fill('struts cve-2013-2248');
  await page.getByRole('button', { name: /^Add Apache Struts - open redirect/ }).click();
  await page.getByRole('button', { name: 'Save exception' }).click();
  await page.getByRole('alert').getByText('could not parse').waitFor();
  await page.getByLabel('For requests that match').fill('http.request.uri.path eq "/upload"');
  await site.inspect(page, 'managed-exception-dialog');
  await page.getByRole('button', { name: 'Save exception' }).click();
  await page.getByText('Skips 1 rule of Cloudflare Managed Ruleset').waitFor();
  const [created] = await readRules(zoneId);
  equal(created.action, 'skip');
  deepEqual(created.action_parameters, {
    rules: { [cloudflareRuleset]: ['23ee7cebe6e8443e99ecf932ab579455'] },
  });

  await page.getByRole('button', { name: /^Edit Uploads/ }).click();
  await page.getByLabel('Skip', { exact: true }).selectOption('all');
  await page.getByRole('button', { name: 'Save exception' }).click();
  await page.getByText('Skips all managed rulesets').waitFor();
  await page.getByRole('switch', { name: /^Uploads/ }).click();
  await page.locator('li', { hasText: 'Uploads' }).getByText('off', { exact: true }).waitFor();
  const [edited] = await readRules(zoneId);
  deepEqual(
    [edited.id, edited.enabled, edited.action_parameters],
    [created.id, false, { ruleset: 'current' }],
  );
  await site.inspect(page, 'managed-exceptions');
  await page.setViewportSize({ width: 390, height: 844 });
  await site.inspect(page, 'managed-exceptions-phone');

  await page.getByRole('button', { name: /^Remove Uploads/ }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('There are no exceptions').waitFor();
  deepEqual(
    (await readRules(zoneId)).map(({ action }) => action),
    ['execute', 'execute'],
  );
  site.checkConsole();
});

test('a Free zone says what it has and why, and deploys its ruleset', async () => {
  const zoneId = await site.createZone('managed-free.example', 'free');
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules`);
  await page.getByText('The Free plan has one managed ruleset').waitFor();
  await page.getByRole('button', { name: 'Deploy Cloudflare Free Managed Ruleset' }).click();
  await page.getByRole('switch', { name: 'Cloudflare Free Managed Ruleset' }).waitFor();
  const deployed = await readDeployment(zoneId, freeRuleset);
  match(JSON.stringify(deployed), /"enabled":true/);
  await site.inspect(page, 'managed-free');
  site.checkConsole();
});

test('learning is turned on, shows what it knows, and forgets', async () => {
  const zoneId = await createMigratedZone('managed-learning.example');
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules`);
  const card = page.locator('section.card', { has: page.getByRole('heading', { name: 'Learned values' }) });
  const mode = card.getByLabel('Learning', { exact: true });
  equal(await mode.inputValue(), 'off');
  await mode.selectOption('watching');
  await card.getByText('0 requests, 0 values').waitFor();
  const { result } = await site.call(`GET /zones/${zoneId}/learning`);
  equal(result.mode, 'watching');
  await teachValues(site, zoneId);
  await page.reload();
  await card.getByText('30 requests, 2 values, 0 of them known well enough to count').waitFor();
  await card.getByRole('cell', { name: 'numbers, up to 4 characters' }).first().waitFor();
  await site.inspect(page, 'learned-values');
  await card.getByRole('button', { name: 'Forget id on /product/{number}' }).click();
  await card.getByText('30 requests, 1 values').waitFor();
  await card.getByRole('button', { name: 'Forget everything' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click();
  await card.getByText('0 requests, 0 values').waitFor();
  equal((await site.call(`GET /zones/${zoneId}/learning`)).result.values, 0);
  site.checkConsole();
});

test('an expression can be written where its editor cannot be loaded', async () => {
  const zoneId = await createMigratedZone('managed-plain.example');
  const page = await site.openSignedIn(`/zones/${zoneId}`);
  await page.route('**/assets/code-editor-*', (route) => route.abort('connectionrefused'));
  await page.goto(`${site.url}/zones/${zoneId}/managed-rules?ruleset=${cloudflareRuleset}`);
  await page.locator('textarea').fill('ssl');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  equal((await readDeployment(zoneId, cloudflareRuleset)).expression, 'ssl');
  await site.inspect(page, 'managed-ruleset-plain');
  site.checkConsole();
});

// The last test: without a connection, the browser itself writes errors to the console.
test('a lost connection is said, and what was changed is saved when it is back', async () => {
  const zoneId = await createMigratedZone('managed-offline.example');
  const page = await site.openSignedIn(`/zones/${zoneId}/managed-rules?ruleset=${cloudflareRuleset}`);
  await page.getByLabel('Override a tag').selectOption('rce');
  await page.getByLabel('Action of rce').selectOption('log');
  await settle(page);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Not saved: The server cannot be reached.').waitFor();
  equal(await page.getByLabel('Action of rce').inputValue(), 'log');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' });
  deepEqual((await readDeployment(zoneId, cloudflareRuleset)).action_parameters.overrides, {
    categories: [{ category: 'rce', action: 'log' }],
  });
});
