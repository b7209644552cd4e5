/** Firewall rules and filters in a real browser: written by the builder and as text, tried, saved, moved, paused, deleted. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { askUntil } from './activity-log.ts';
import { settle } from './browser-windows.ts';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

async function listRules(zone: string): Promise<any[]> {
  const { result } = await site.call(`GET /zones/${zone}/firewall/rules?per_page=100`);
  return result;
}

async function createRules(zone: string, rules: readonly object[]): Promise<any[]> {
  const { success, result, errors } = await site.call(`POST /zones/${zone}/firewall/rules`, rules);
  equal(success, true, JSON.stringify(errors));
  return result;
}

/** The text of CodeMirror is an editable element: what is typed goes through the browser's own editing. */
async function typeExpression(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Expression' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

test('a rule is made by the builder, tried on a request and on the log, saved, and then blocks', async () => {
  const zone = await site.createZone('builder.example', 'business');
  await createRules(zone, [
    { action: 'block', filter: { expression: 'http.request.uri.path eq "/admin/old"' } },
  ]);
  equal((await site.visit('builder.example', '/admin/new')).status, 200);
  await untilStatus('builder.example', '/admin/old', 403);
  await untilLogged(zone, 1);

  const page = await site.openSignedIn(`/zones/${zone}/firewall-rules`);
  await page.getByRole('button', { name: 'Create a rule' }).click();
  await page.getByText('Give each condition a value.').waitFor();
  ok(await page.getByRole('button', { name: 'Save the rule' }).isDisabled());
  await page.getByLabel('Value of condition 1').fill('/admin');
  await page.getByRole('button', { name: 'And…' }).click();
  await page.getByLabel('Field of condition 2').selectOption('ip.src');
  await page.getByLabel('Operator of condition 2').selectOption('not in');
  await page.getByLabel('Value of condition 2').fill('10.0.0.0/8, 192.168.1.1');
  const expression = 'http.request.uri.path contains "/admin" and not ip.src in {10.0.0.0/8 192.168.1.1}';
  await page.getByText(expression).waitFor();

  // The builder's text is that of the editor, and vice versa.
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  equal(await page.getByRole('textbox', { name: 'Expression' }).innerText(), expression);
  await page.getByRole('button', { name: 'Builder' }).click();
  equal(await page.getByLabel('Value of condition 2').inputValue(), '10.0.0.0/8, 192.168.1.1');
  equal(await page.getByLabel('Operator of condition 2').inputValue(), 'not in');

  await page.getByLabel('URL').fill('https://builder.example/x/admin/y');
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('The rule matches.').waitFor();
  await page.getByText('by this rule.').waitFor();
  const tree = page.getByRole('list', { name: 'Explanation' });
  equal(await tree.locator('mark').first().innerText(), '/admin');
  await page.getByText('1 of 1 request').waitFor();
  await page.getByRole('cell', { name: 'GET builder.example/admin/old' }).waitFor();
  await site.inspect(page, 'firewall-rule-editor');

  await page.getByLabel('Client address').fill('10.1.2.3');
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('The rule does not match.').waitFor();

  await page.getByLabel('Description').fill('admin from outside');
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByText('Rule saved').waitFor();
  await page.getByRole('button', { name: 'admin from outside', exact: true }).waitFor();
  const saved = (await listRules(zone)).find(({ description }) => description === 'admin from outside');
  deepEqual([saved.action, saved.filter.expression, saved.priority], ['block', expression, null]);
  await untilStatus('builder.example', '/admin/new', 403);
  await site.inspect(page, 'firewall-rules');
  site.checkConsole();
});

test('an expression is edited as text: names are completed and described, an error is shown at its character', async () => {
  const zone = await site.createZone('text.example', 'business');
  await createRules(zone, [
    { action: 'block', description: 'by host', filter: { expression: 'http.host eq "a.text.example"' } },
  ]);
  const page = await site.openSignedIn(`/zones/${zone}/firewall-rules`);
  await page.getByRole('button', { name: 'by host', exact: true }).click();
  await typeExpression(page, 'http.hots eq "b.text.example"');
  await page.getByText(/^Character 1: unknown identifier/).waitFor();
  equal(await page.locator('.cm-lintRange-error').innerText(), 'http.hots');
  ok(await page.getByRole('button', { name: 'Save the rule' }).isDisabled());
  await site.inspect(page, 'firewall-rule-error');

  // As a script or an assistive tool does it: text is selected without a key, and replaced at once.
  const editor = page.getByRole('textbox', { name: 'Expression' });
  await editor.fill('http.host eq "c.text.example" or not ssl');
  equal(await editor.innerText(), 'http.host eq "c.text.example" or not ssl');
  await editor.fill('');
  await page.getByText('Type a field name, or press Ctrl Space to see them all.').waitFor();

  await typeExpression(page, 'ssl and http.request.uri.pa');
  await page.keyboard.type('t');
  await page
    .getByRole('option', { name: /^http\.request\.uri\.path\b/ })
    .first()
    .waitFor();
  await site.inspect(page, 'firewall-rule-completion');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText(' matches "^/b"');
  await page.getByRole('listbox', { name: 'Completions' }).waitFor({ state: 'detached' });
  equal(
    await page.getByRole('textbox', { name: 'Expression' }).innerText(),
    'ssl and http.request.uri.path matches "^/b"',
  );
  await page.getByText('ssl', { exact: true }).first().hover();
  await page.locator('.code-tooltip').getByText('ssl: Bool').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByText('Rule saved').waitFor();
  const [rule, ...others] = await listRules(zone);
  deepEqual([rule.filter.expression, others], ['ssl and http.request.uri.path matches "^/b"', []]);
  const { result: filters } = await site.call(`GET /zones/${zone}/filters`);
  equal(filters.length, 1, 'the filter that no rule uses any more is gone');
  site.checkConsole();
});

test('rules are moved by keyboard and by dragging, paused, and deleted', async () => {
  const zone = await site.createZone('order.example', 'pro');
  await createRules(
    zone,
    ['one', 'two', 'three', 'four'].map((name) => ({
      action: 'block',
      description: name,
      filter: { expression: `http.request.uri.path eq "/${name}"` },
    })),
  );
  const names = async (): Promise<string[]> => (await listRules(zone)).map(({ description }) => description);
  const page = await site.openSignedIn(`/zones/${zone}/firewall-rules`);
  await page.getByRole('button', { name: 'Move three' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Moving “three”: position 3 of 4.').waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.getByText('position 1 of 4.').waitFor();
  await page.keyboard.press('ArrowDown');
  // The rules are read again long before everything else: the new order stays.
  const { promise: isLookedAt, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/security/rules/effects*', async (route) => {
    await isLookedAt;
    await route.continue();
  });
  const isReadAgain = page.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().includes('/firewall/rules?'),
  );
  await page.keyboard.press('Enter');
  await page.getByText('Order saved').waitFor();
  deepEqual(await names(), ['one', 'three', 'two', 'four']);
  await isReadAgain;
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  const shown = page.locator('.rules-title');
  deepEqual(await shown.allInnerTexts(), ['one', 'three', 'two', 'four']);
  goOn();
  await page.getByRole('button', { name: 'Move two', disabled: false }).waitFor();
  await page.getByRole('button', { name: 'Move two' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  deepEqual(await shown.allInnerTexts(), ['one', 'three', 'four', 'two']);
  await page.keyboard.press('Escape');
  deepEqual(await shown.allInnerTexts(), ['one', 'three', 'two', 'four']);

  const from = (await page.getByRole('button', { name: 'Move four' }).boundingBox())!;
  const to = (await page.getByRole('button', { name: 'Move one' }).boundingBox())!;
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y + 10, { steps: 5 });
  await page.getByText('position 1 of 4.').waitFor();
  await page.mouse.up();
  await page.locator('.rules-moving').waitFor({ state: 'hidden' });
  deepEqual(await names(), ['four', 'one', 'three', 'two']);

  await page.getByRole('button', { name: 'Pause one' }).click();
  await page.getByRole('button', { name: 'Resume one' }).waitFor();
  equal((await listRules(zone)).find(({ description }) => description === 'one').paused, true);

  await page.getByRole('button', { name: 'Delete two' }).click();
  await page.getByRole('button', { name: 'Delete the rule' }).click();
  await page.getByText('Rule deleted').waitFor();
  deepEqual(await names(), ['four', 'one', 'three']);

  await page.getByLabel('Search the rules').fill('/three');
  deepEqual(await shown.allInnerTexts(), ['three']);
  ok(await page.getByRole('button', { name: 'Move three' }).isDisabled());
  site.checkConsole();
});

test('rules show what they did, are tried on the last requests, and several are changed at once; each has its history', async () => {
  const zone = await site.createZone('effects.example', 'enterprise');
  await createRules(zone, [
    { action: 'block', description: 'busy', filter: { expression: 'http.request.uri.path eq "/busy"' } },
    { action: 'block', description: 'idle', filter: { expression: 'http.request.uri.path eq "/idle"' } },
  ]);
  await untilStatus('effects.example', '/busy', 403);
  await untilLogged(zone, 1);
  equal((await site.visit('effects.example', '/shop', { cookie: 'PHPSESSID=1' })).status, 200);
  // The access log is written a moment later.
  const asked = { expression: 'http.request.uri.path eq "/shop"' };
  const { result: preview } = await askUntil(
    () => site.call(`POST /zones/${zone}/security/rules/preview`, asked),
    ({ result }) => result.matched === 1,
  );
  deepEqual([preview.source, preview.matched_signed_in], ['access log', 1]);
  const page = await site.openSignedIn(`/zones/${zone}/firewall-rules`);
  await page.getByText('no match since it was created').waitFor();
  await page.getByRole('link', { name: /hits? in 24 h/ }).waitFor();
  await site.inspect(page, 'firewall-rules-effects');

  await page.getByRole('checkbox', { name: 'Choose busy' }).check();
  await page.getByRole('checkbox', { name: 'Choose idle' }).check();
  await page.getByText('2 rules chosen').waitFor();
  await page.getByLabel('Why you change rules').fill('the sale is over');
  await page.getByRole('group', { name: 'Chosen rules' }).getByRole('button', { name: 'Pause' }).click();
  await page.getByText('2 rules paused').waitFor();
  deepEqual(
    (await listRules(zone)).map(({ paused }) => paused),
    [true, true],
  );
  await page.getByRole('group', { name: 'Chosen rules' }).waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Choose idle' }).check();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByLabel('Why (for the history)').fill('never matched');
  await page.getByRole('button', { name: 'Delete 1 rule' }).click();
  await page.getByText('1 rule deleted').waitFor();

  await page.getByRole('button', { name: 'busy', exact: true }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await typeExpression(page, 'http.request.uri.path eq "/shop"');
  await page
    .getByText(/It would have matched 1 of the last \d+ requests, of which 1 was of signed-in visitors/)
    .waitFor();
  await page.getByLabel('Why (for the history)').fill('the shop moved');
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByText('Rule saved').waitFor();
  await page.getByRole('button', { name: 'busy', exact: true }).click();
  await page.getByText('“the shop moved”').waitFor();
  await page.getByText('“the sale is over”').waitFor();
  const { result: noted } = await site.call(`GET /zones/${zone}/audit_logs?action.type=delete`);
  ok(
    noted.some(({ metadata }: any) => metadata.reason === 'never matched'),
    JSON.stringify(noted),
  );
  site.checkConsole();
});

async function listCustomRules(zone: string, phase = 'http_request_firewall_custom'): Promise<any[]> {
  const { result } = await site.call(`GET /zones/${zone}/rulesets/phases/${phase}/entrypoint`);
  return result?.rules ?? [];
}

test('custom rules are created, tried, moved, paused and deleted as firewall rules are, with their effect and history', async () => {
  const zone = await site.createZone('custom.example', 'enterprise');
  const page = await site.openSignedIn(`/zones/${zone}/custom-rules`);
  await page.getByText('gatehouse rulesets set-entrypoint custom.example').waitFor();
  await site.inspect(page, 'custom-rules-none');
  for (const name of ['one', 'two', 'three']) {
    await page.getByRole('button', { name: 'Create a rule' }).click();
    await page.getByLabel('Value of condition 1').fill(`/${name}`);
    await page.getByText(/No request has been logged yet|It would have matched/).waitFor();
    await page.getByLabel('Description').fill(name);
    await page.getByRole('button', { name: 'Save the rule' }).click();
    await page.getByRole('button', { name, exact: true }).waitFor();
  }
  await untilStatus('custom.example', '/one', 403);
  await untilLogged(zone, 1);
  const names = async (): Promise<string[]> =>
    (await listCustomRules(zone)).map(({ description }) => description);

  await page.reload();
  await page.getByRole('link', { name: /hits? in 24 h/ }).waitFor();
  equal(await page.getByText('no match since it was changed').count(), 2);
  await site.inspect(page, 'custom-rules');
  await page.getByLabel('Why you change rules').fill('three is cheaper');
  await page.getByRole('button', { name: 'Move three' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('PageUp');
  await page.getByText('position 1 of 3.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Order saved').waitFor();
  deepEqual(await names(), ['three', 'one', 'two']);
  await page.getByRole('checkbox', { name: 'Choose one' }).check();
  await page.getByRole('checkbox', { name: 'Choose two' }).check();
  await page.getByRole('group', { name: 'Chosen rules' }).getByRole('button', { name: 'Pause' }).click();
  await page.getByText('2 rules paused').waitFor();
  deepEqual(
    (await listCustomRules(zone)).map(({ enabled }) => enabled),
    [true, false, false],
  );
  await page.getByRole('button', { name: 'Delete two' }).click();
  await page.getByRole('button', { name: 'Delete the rule' }).click();
  await page.getByText('Rule deleted').waitFor();

  await page.getByRole('button', { name: 'three', exact: true }).click();
  await page.getByText('“three is cheaper”').waitFor();
  await page.getByLabel('Action', { exact: true }).selectOption('skip');
  await page.getByLabel('The custom rules after it').check();
  await page.getByLabel('Managed rulesets').check();
  await site.inspect(page, 'custom-rule-editor');
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByText('Rule saved').first().waitFor();
  const [three] = await listCustomRules(zone);
  deepEqual(three.action_parameters, { ruleset: 'current', phases: ['http_request_firewall_managed'] });

  // A ruleset of the account is edited from the site whose requests are inspected.
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create ruleset' }).click();
  await dialog.getByLabel('Name').fill('shared');
  await dialog.getByRole('button', { name: 'Create ruleset' }).click();
  await page.getByRole('link', { name: 'shared', exact: true }).click();
  await page.getByRole('heading', { name: 'shared', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Create a rule' }).click();
  await page.getByLabel('Value of condition 1').fill('/shared');
  await page.getByLabel('Description').fill('for all');
  await page.getByLabel('Why (for the history)').fill('agreed on');
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByRole('button', { name: 'for all', exact: true }).click();
  await page.getByText('“agreed on”').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('link', { name: 'Custom rules of this site' }).click();
  await page.getByRole('button', { name: 'Run shared' }).click();
  await dialog.getByRole('button', { name: 'Run it' }).click();
  await page.getByRole('button', { name: 'Stop shared' }).waitFor();
  await untilStatus('custom.example', '/shared', 403);
  await askUntil(
    () => site.call(`GET /zones/${zone}/security/rules/effects`),
    ({ result }) => result.rules.some((rule: any) => rule.description === 'for all' && rule.hits > 0),
  );
  await page.getByRole('link', { name: 'shared', exact: true }).click();
  await page.getByRole('heading', { name: 'shared', level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: /hits? in 24 h/ }).waitFor();
  site.checkConsole();
});

test('a rate limit is created on the page, and nobody else’s change of it is overwritten', async () => {
  const zone = await site.createZone('rates.example', 'business');
  const page = await site.openSignedIn(`/zones/${zone}/rate-limits`);
  await page.getByRole('button', { name: 'Create a rate limit' }).click();
  await page.getByLabel('Value of condition 1').fill('/login');
  await page.getByLabel('More requests than').fill('20');
  await page.getByLabel('Description').fill('sign in slowly');
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByRole('button', { name: 'sign in slowly', exact: true }).waitFor();
  await page.getByText('20 in 10 s').waitFor();
  const [rule] = await listCustomRules(zone, 'http_ratelimit');
  deepEqual(rule.ratelimit, {
    characteristics: ['ip.src', 'cf.colo.id'],
    period: 10,
    requests_per_period: 20,
    mitigation_timeout: 10,
  });
  await site.inspect(page, 'rate-limits');
  await page.getByRole('button', { name: 'sign in slowly', exact: true }).click();
  await page.getByLabel('More requests than').fill('30');
  const { id: _, version: _version, last_updated: _updated, ...theirs } = rule;
  const path = `/zones/${zone}/rulesets/phases/http_ratelimit/entrypoint`;
  equal((await site.call(`PUT ${path}`, { rules: [{ ...theirs, description: 'theirs' }] })).success, true);
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByText('Someone else has changed this rule since you opened it.').waitFor();
  equal((await listCustomRules(zone, 'http_ratelimit'))[0].description, 'theirs');
  site.checkConsole();
});

test('somebody else’s edit in between is said, and nothing is overwritten unseen or lost', async () => {
  const zone = await site.createZone('both.example', 'pro');
  const [rule] = await createRules(zone, [
    { action: 'block', description: 'mine', filter: { expression: 'http.host eq "x.both.example"' } },
  ]);
  const page = await site.openSignedIn(`/zones/${zone}/firewall-rules?rule=${rule.id}`);
  await page.getByLabel('Description').fill('mine, edited');
  const theirs = { id: rule.id, action: 'challenge', description: 'theirs', filter: { id: rule.filter.id } };
  equal((await site.call(`PUT /zones/${zone}/firewall/rules/${rule.id}`, theirs)).success, true);
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByText('Someone else has changed this rule since you opened it.').waitFor();
  equal((await listRules(zone))[0].description, 'theirs');
  await site.inspect(page, 'firewall-rule-conflict');

  // A reloaded page still has the typed text.
  await page.reload();
  await page.getByText('Your unsaved changes are restored.').waitFor();
  equal(await page.getByLabel('Description').inputValue(), 'mine, edited');
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByRole('heading', { name: 'Firewall rules' }).waitFor();
  const [saved] = await listRules(zone);
  deepEqual([saved.description, saved.action], ['mine, edited', 'block']);

  // The same for actions in the list.
  await settle(page);
  await site.call(`PUT /zones/${zone}/firewall/rules/${rule.id}`, theirs);
  await page.getByRole('button', { name: 'Pause mine, edited' }).click();
  await page.getByText('Nothing was changed').first().waitFor();
  await page.getByRole('button', { name: 'Pause theirs' }).waitFor();
  equal((await listRules(zone))[0].paused, false);
  site.checkConsole();
});

test('scripts in descriptions and expressions are text, a thousand rules scroll, and filters show their rules', async () => {
  const zone = await site.createZone('many.example', 'enterprise');
  const script = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const written = JSON.stringify(script);
  const quoted = written.slice(1, -1);
  for (let start = 0; start < 1_000; start += 100) {
    const rules = Array.from({ length: 100 }, (_, index) => ({
      action: 'block',
      priority: start + index + 1,
      description: start + index === 0 ? script : `rule ${start + index}`,
      filter: { expression: `http.request.uri.query contains "${quoted}${start + index}"` },
    }));
    await createRules(zone, rules);
  }
  await site.call(`POST /zones/${zone}/filters`, [{ expression: `http.user_agent eq ${written}` }]);
  const page = await site.openSignedIn(`/zones/${zone}/firewall-rules`);
  await page.getByRole('button', { name: script, exact: true }).waitFor();
  ok((await page.locator('.rules-row').count()) < 60, 'only visible rows are in the document');
  await page.locator('.rules-frame').evaluate((frame: any) => frame.scrollTo(0, frame.scrollHeight));
  await page.getByRole('button', { name: 'rule 999', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Filters (1,001)' }).click();
  await page.getByRole('button', { name: /^block: <img/ }).waitFor();
  await page
    .getByRole('region', { name: 'Filters' })
    .evaluate((frame: any) => frame.scrollTo(0, frame.scrollHeight));
  await page.getByText('not used').waitFor();
  await site.inspect(page, 'filters');
  await page.getByRole('button', { name: /^Delete filter http\.user_agent/ }).click();
  await page.getByRole('button', { name: 'Delete the filter' }).click();
  await page.getByText('Filter deleted').waitFor();

  const rule = (await listRules(zone))[0];
  await page.goto(`${site.url}/zones/${zone}/firewall-rules?rule=${rule.id}`);
  await page.getByRole('textbox', { name: 'Expression' }).waitFor();
  await page.getByLabel('URL').fill(`https://many.example/?q=${encodeURIComponent(script)}0`);
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText('The rule does not match.').waitFor();
  equal(await page.locator('img, main script').count(), 0);
  match(await page.title(), /Gatehouse/);
  site.checkConsole();
});

test('the pages fit a phone', async () => {
  const zone = await site.createZone('phone.example', 'business');
  await createRules(zone, [
    {
      action: 'managed_challenge',
      priority: 5,
      description: 'A description that is longer than the width of a phone can show',
      filter: { expression: 'http.request.uri.path contains "/login" and not ip.src in {192.0.2.0/24}' },
    },
    { action: 'allow', paused: true, filter: { expression: 'ip.src eq 192.0.2.7' } },
  ]);
  const page = await site.openSignedIn(`/zones/${zone}/firewall-rules`, { width: 390 });
  await page.getByRole('button', { name: /^A description/ }).waitFor();
  await site.inspect(page, 'firewall-rules-phone');
  await page.getByRole('button', { name: /^A description/ }).click();
  await page.getByRole('button', { name: 'Builder' }).click();
  await page.getByLabel('Value of condition 2').waitFor();
  await site.inspect(page, 'firewall-rule-editor-phone');
  const overflow = await page.evaluate(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  const [scrolled, visible] = overflow as [number, number];
  ok(scrolled <= visible, `${scrolled} > ${visible}`);
  site.checkConsole();
});

// The last one: the browser itself writes to the console that it is offline.
test('a rule that cannot be saved because the connection is lost is still there when it is back', async () => {
  const zone = await site.createZone('lost.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zone}/firewall-rules?rule=new`);
  await page.getByLabel('Value of condition 1').fill('/lost');
  await page.getByText('0 of 0 requests').waitFor();
  site.checkConsole();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByText(/^The server cannot be reached/).waitFor();
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByText('Not saved: The server cannot be reached.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Save the rule' }).click();
  await page.getByText('Rule saved').waitFor();
  equal((await listRules(zone))[0].filter.expression, 'http.request.uri.path contains "/lost"');
});

async function untilStatus(host: string, path: string, status: number): Promise<void> {
  while ((await site.visit(host, path)).status !== status);
}

async function untilLogged(zone: string, count: number): Promise<void> {
  while ((await site.call(`GET /zones/${zone}/security/events`)).result.length < count);
}
