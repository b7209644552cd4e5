/**
 * Every task of the tour (docs/start/dashboard.md), with the keyboard alone on a large screen and with a finger on a
 * phone. Each is written once; controls are found by their accessible names.
 */
import { equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { createAuthority, issueCertificate } from '#certificates';
import { createForm, domain } from '../../wrangler/upload-site.ts';
import { createEvent, recordEvents } from '../activity-log.ts';
import { DashboardSite } from '../dashboard-site.ts';
import { MigrationZone } from '../migration-zone.ts';
import { Finger, type Participant, Keyboard } from './hands.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open({ 'workers-domain': domain });
});
after(() => site[Symbol.asyncDispose]());

interface Tools {
  readonly page: Page;
  readonly hand: Participant;
  /** Makes names different for each hand. */
  readonly name: string;
  readonly button: (name: string) => Locator;
  readonly link: (name: string | RegExp) => Locator;
  readonly see: (text: string | RegExp) => Promise<void>;
  readonly go: (path: string) => Promise<void>;
}

/** Two uploads take long; the walk over all pages tests the page of a Worker on a phone. */
const workerTask = 'roll a Worker back, and give it a secret';

const tasks: Readonly<Record<string, (tools: Tools) => Promise<void>>> = {
  async 'from a name to the first event'({ page, hand, name, button, link, see, go }) {
    await go('/start');
    await hand.press(link(/^Protect a site/));
    await hand.write(page.getByLabel('Host name'), `${name}-start.example`);
    await hand.press(button('Next'));
    await hand.write(page.getByLabel('Where is your application?'), site.originUrl);
    await see('It answers with 200.');
    await hand.press(button('Protect this site'));
    await hand.press(button('SQL injection'));
    await see('Your first event');
    await hand.press(link('See everything about it in the activity log'));
    await see(/^Blocked: /);
    await hand.press(button('Make an exception…'));
    await hand.press(button('Save this exception'));
    await see('The exception is saved.');
  },

  async 'protect a site that is there'({ page, hand, name, button, see, go }) {
    const { result } = await site.call('POST /zones', { name: `${name}-plain.example` });
    await go(`/zones/${result.id}`);
    await hand.press(button('Protect this site'));
    const dialog = page.getByRole('dialog');
    await hand.write(dialog.getByLabel('Where is your application?'), site.originUrl);
    await hand.press(dialog.getByRole('button', { name: 'Next' }));
    await hand.press(dialog.getByRole('button', { name: 'Next' }));
    await hand.press(dialog.getByRole('button', { name: 'Protect this site' }));
    await see('anaged ruleset');
  },

  async 'why was this blocked, and block the address'({ page, hand, name, button, see, go }) {
    const zone = await site.createZone(`${name}-log.example`, 'enterprise');
    await recordEvents(site, zone, [
      { event: createEvent() },
      { event: createEvent({ clientRequestPath: '/b' }) },
    ]);
    await go(`/zones/${zone}/activity`);
    // Folded on narrow screens.
    if (name === 'finger') await hand.press(page.locator('summary', { hasText: 'Most frequent values' }));
    await hand.press(button('Leave out Path /b'));
    await see('Path is not /b');
    await hand.press(page.locator('.activity-event').first().getByRole('button').first());
    await hand.press(button('Block address…'));
    await hand.press(button('Block address'));
    await see('192.0.2.1 is blocked');
    const rules = await site.call(`GET /zones/${zone}/firewall/access_rules/rules`);
    equal(rules.result[0].configuration.value, '192.0.2.1');
  },

  async 'create a rule and try it'({ page, hand, name, button, see, go }) {
    const zone = await site.createZone(`${name}-rules.example`, 'pro');
    await go(`/zones/${zone}/firewall-rules`);
    await hand.press(button('Create a rule'));
    await hand.write(page.getByLabel('Value of condition 1'), '/admin');
    await hand.write(page.getByLabel('Description'), 'admin from outside');
    await hand.write(page.getByLabel('URL'), `https://${name}-rules.example/admin`);
    await hand.press(button('Try it'));
    await see('The rule matches.');
    await hand.press(button('Save the rule'));
    await see('Rule saved');
    await button('admin from outside').waitFor();
  },

  async 'custom rules: create two, pause one and say why, and move it up'({
    page,
    hand,
    name,
    button,
    see,
    go,
  }) {
    const zone = await site.createZone(`${name}-custom.example`, 'pro');
    await go(`/zones/${zone}/custom-rules`);
    for (const path of ['one', 'two']) {
      await hand.press(button('Create a rule'));
      await hand.write(page.getByLabel('Value of condition 1'), `/${path}`);
      await hand.write(page.getByLabel('Description'), path);
      await hand.press(button('Save the rule'));
      await button(path).waitFor();
    }
    await hand.write(page.getByLabel('Why you change rules'), 'the sale is over');
    await hand.press(page.getByLabel('Choose two'));
    await hand.press(
      page.getByRole('group', { name: 'Chosen rules' }).getByRole('button', { name: 'Pause' }),
    );
    await see('1 rule paused');
    await hand.press(button('two'));
    await see('“the sale is over”');
    await hand.press(button('Discard'));
    await hand.moveUp(button('Move two'), button('Move one'));
    await see('Order saved');
  },

  async 'review and finish a migration'({ page, hand, name, button, link, see, go }) {
    const zone = await MigrationZone.create(site, `${name}-update.example`, 'pro');
    await go(`/zones/${zone.id}/managed-rules`);
    await hand.press(link('Review configuration'));
    await see('accepted by the server');
    await hand.press(button('Deploy'));
    const dialog = page.getByRole('dialog');
    await hand.write(dialog.getByLabel(`Type ${zone.name} to confirm`), zone.name);
    await hand.press(dialog.getByRole('button', { name: 'Deploy' }));
    await see('The update is complete');
  },

  async 'upload a certificate'({ page, hand, name, button, go }) {
    const host = `${name}-tls.example`;
    const zone = await site.createZone(host, 'business');
    const issued = issueCertificate(createAuthority('Test authority', Date.now()), [host], Date.now());
    await go(`/zones/${zone}/certificates`);
    await hand.press(button('Upload certificate'));
    const dialog = page.getByRole('dialog');
    await hand.write(dialog.getByLabel('Certificate chain', { exact: true }), issued.certificate.toString());
    const key = String(issued.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await hand.write(dialog.getByLabel('Private key', { exact: true }), key);
    await hand.press(dialog.getByRole('button', { name: 'Upload' }));
    await page.getByRole('cell', { name: host, exact: true }).waitFor();
  },

  async [workerTask]({ page, hand, name, button, see, go }) {
    const script = `/accounts/${site.program.ready.account_id}/workers/scripts/${name}`;
    for (const message of ['old', 'new']) {
      const response = await fetch(`${site.program.ready.api}${script}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${site.token}` },
        body: createForm({
          code: `export default { fetch: () => new Response('${message}') };`,
          metadata: { annotations: { 'workers/message': message } },
        }),
      });
      equal(response.status, 200, await response.text());
    }
    await go(`/workers/${name}`);
    const dialog = page.getByRole('dialog');
    await hand.press(button('Set secret'));
    await hand.write(dialog.getByLabel('Name'), 'KEY');
    await hand.write(dialog.getByLabel('Value'), 'hidden');
    await hand.press(dialog.getByRole('button', { name: 'Set secret' }));
    await page.getByRole('cell', { name: 'KEY', exact: true }).waitFor();
    const old = page.getByRole('row').filter({ hasText: 'old' }).getByRole('button', { name: 'Roll back' });
    await hand.press(old);
    await hand.press(dialog.getByRole('button', { name: 'Roll back' }));
    await see('Rolled back to version 1');
  },

  async 'make stores, write a value and run SQL'({ page, hand, name, button, link, go }) {
    const dialog = page.getByRole('dialog');
    for (const what of ['namespace', 'database']) {
      await go('/stores');
      await hand.press(button(`Create ${what}`));
      await hand.write(dialog.getByLabel('Name'), `${name}-${what}`);
      await hand.press(dialog.getByRole('button', { name: `Create ${what}` }));
      await hand.press(link(`${name}-${what}`));
      await page.getByRole('heading', { name: `${name}-${what}`, level: 1 }).waitFor();
      if (what === 'database') continue;
      await hand.press(button('Write value'));
      await hand.write(dialog.getByLabel('Key'), 'user:1');
      await hand.write(dialog.getByLabel('Value'), 'Ada');
      await hand.press(dialog.getByRole('button', { name: 'Write value' }));
      await hand.press(button('user:1'));
      await page.getByText('Ada', { exact: true }).waitFor();
    }
    await hand.write(page.getByRole('textbox', { name: 'Query' }), 'SELECT 6 * 7 AS answer');
    await hand.press(button('Run'));
    await page.getByRole('cell', { name: '42', exact: true }).waitFor();
  },

  async 'look into an object, ask it, and put it back'({ page, hand, name, button, link, see, go }) {
    const host = `${name}-object.example`;
    const zone = await site.createZone(host, 'pro');
    await site.call(`POST /zones/${zone}/filters`, [{ expression: 'ip.src eq 192.0.2.3' }]);
    await go('/objects');
    await hand.write(page.getByRole('searchbox', { name: 'Search in Zone' }), host);
    await hand.press(link(host));
    await page.getByRole('heading', { name: host }).waitFor();
    await hand.press(page.getByRole('main').getByRole('link', { name: 'SQL' }));
    await hand.write(page.getByRole('textbox', { name: 'Query' }), 'SELECT 41 + 1 AS answer');
    await hand.press(button('Run'));
    await page.getByRole('cell', { name: '42', exact: true }).waitFor();
    if (name === 'finger') return;
    await hand.press(page.getByRole('main').getByRole('link', { name: 'History' }));
    await hand.press(link('Compare with now'));
    await see('You see the state at');
    await hand.press(button('Restore…'));
    const dialog = page.getByRole('dialog');
    await hand.write(dialog.getByLabel(`Type ${host} to confirm`), host);
    await hand.press(dialog.getByRole('button', { name: 'Restore' }));
    await hand.press(button('Undo'));
    await see('The restore is undone');
  },
};

const hands = {
  keyboard: { options: { width: 1440 }, take: (page: Page) => new Keyboard(page) },
  finger: { options: { width: 390, hasTouch: true }, take: (page: Page) => new Finger(page) },
} as const;

for (const [name, { options, take }] of Object.entries(hands)) {
  test(`every task of the tour: ${name}`, async (t) => {
    const page = await site.openSignedIn('/', options);
    const main = page.getByRole('main').or(page.getByRole('dialog'));
    const tools: Tools = {
      page,
      hand: take(page),
      name,
      button: (title) => main.getByRole('button', { name: title, exact: true }).first(),
      link: (title) => page.getByRole('main').getByRole('link', { name: title }).first(),
      see: (text) => page.getByText(text).first().waitFor(),
      go: async (path) => void (await page.goto(`${site.url}${path}`)),
    };
    for (const [title, task] of Object.entries(tasks)) {
      if (name === 'keyboard' || title !== workerTask) await t.test(title, () => task(tools));
    }
    site.checkConsole();
  });
}

test('letters go to pages and create, the palette presses buttons, and ? shows them all', async () => {
  const zone = await site.createZone('keys.example', 'pro');
  const page = await site.openSignedIn(`/zones/${zone}`);
  const heading = (name: string): Promise<void> => page.getByRole('heading', { name, level: 1 }).waitFor();
  const dialog = page.getByRole('dialog');
  await heading('Overview');
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await heading('Page rules');
  await page.getByRole('button', { name: 'Create page rule' }).waitFor();
  await page.keyboard.press('c');
  await dialog.getByText('Create a page rule').waitFor();
  // In a text field, letters are letters.
  await page.keyboard.type('g?');
  equal(await page.getByRole('dialog').count(), 1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await dialog.getByText('Show this sheet').waitFor();
  await site.inspect(page, 'keys');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // Text typed before the palette appears also goes into it.
  const { promise: isAskedFor, resolve: noteAsked } = Promise.withResolvers<void>();
  const { promise: isTyped, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/palette*.js', async (route) => {
    noteAsked();
    await isTyped;
    await route.continue();
  });
  await page.keyboard.press('Control+K');
  await isAskedFor;
  await page.keyboard.type('create ');
  goOn();
  await page.keyboard.type('page');
  equal(await dialog.getByRole('combobox').inputValue(), 'create page');
  await page.getByRole('option', { name: 'Create page rule' }).waitFor();
  await site.inspect(page, 'palette');
  await page.keyboard.press('Enter');
  await dialog.getByText('Create a page rule').waitFor();
  await page.keyboard.press('Escape');

  // The compact view shows more of it, also after a return to the page.
  const size = (): Promise<string> => page.evaluate('getComputedStyle(document.body).fontSize');
  equal(await size(), '14px');
  await page.getByLabel('Density').selectOption('compact');
  equal(await size(), '13px');
  await page.reload();
  await heading('Page rules');
  equal(await size(), '13px');
  await site.inspect(page, 'page-rules-compact');
  site.checkConsole();
});
