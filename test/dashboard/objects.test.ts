/** The page of stateful objects in a real browser: their contents, their history, and restores. */
import { equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { DashboardSite } from './dashboard-site.ts';

const host = 'objects.example';
/** An attacker's text, which must stay text. */
const hostile = '<img src=x onerror="globalThis.isBroken = true">';

let site: DashboardSite;
let zone: string;
before(async () => {
  site = await DashboardSite.open({ 'object-writes': 'true' });
  zone = await site.createZone(host, 'enterprise');
  await createFilter('ip.src eq 192.0.2.1', hostile);
  await createFilter('ip.src eq 192.0.2.2', 'second');
});
after(() => site[Symbol.asyncDispose]());

async function createFilter(expression: string, description: string): Promise<void> {
  const { success, errors } = await site.call(`POST /zones/${zone}/filters`, [{ expression, description }]);
  ok(success, JSON.stringify(errors));
}

async function countFilters(): Promise<number> {
  return (await site.call(`GET /zones/${zone}/filters`)).result.length;
}

function open(view: string, options: { readonly width?: number } = {}): Promise<Page> {
  return site.openSignedIn(`/objects?class=Zone&object=${zone}&view=${view}`, options);
}

test('ObjectsPage lists classes and finds the object of a site with its tables', async () => {
  const page = await site.openSignedIn('/objects');
  await page.getByRole('link', { name: /^Account/ }).waitFor();
  await page.getByRole('searchbox', { name: 'Search in Zone' }).fill(host);
  await page.getByRole('row', { name: host }).waitFor();
  await site.inspect(page, 'objects');
  await page.getByRole('link', { name: host }).click();
  await page.getByRole('heading', { name: host }).waitFor();
  await page.getByRole('button', { name: /^filters/ }).click();
  await page.getByRole('cell', { name: hostile }).waitFor();
  equal(await page.evaluate('globalThis.isBroken'), undefined);
  await site.inspect(page, 'objects-tables');
  site.checkConsole();
});

test('ObjectsPage runs SQL that reads, refuses what writes, and keeps what was typed', async () => {
  const page = await open('sql');
  const query = page.getByRole('textbox', { name: 'Query' });
  const type = async (sql: string): Promise<void> => {
    await query.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(sql);
  };
  await type('SELECT description FROM filters ORDER BY sequence');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('cell', { name: 'second' }).waitFor();
  await site.inspect(page, 'objects-sql');
  // As a script or an assistive tool does it: text is selected without a key, and replaced at once.
  for (const sql of ['SELECT 1 AS one', 'SELECT 2 AS two\nFROM filters', 'SELECT 3 AS three']) {
    await query.fill(sql);
    equal(await query.innerText(), sql);
  }
  await type('DELETE FROM filters');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('the query writes').waitFor();
  equal(await query.innerText(), 'DELETE FROM filters');
  equal(await countFilters(), 2);
  site.checkConsole();
});

test('ObjectsPage writes into the object of a zone once its name was typed, and undoes that', async () => {
  const page = await open('sql');
  await page.getByRole('button', { name: 'Unlock writing…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Nothing checks that the zone is still valid').waitFor();
  await dialog.getByRole('textbox').fill(host);
  await dialog.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('Writing is unlocked').waitFor();
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText("DELETE FROM filters WHERE description = 'second'");
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  equal(await countFilters(), 1);
  await site.inspect(page, 'objects-unlocked');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The change is undone').waitFor();
  equal(await countFilters(), 2);
  site.checkConsole();
});

test('ObjectsPage compares a moment with now, restores it after the name was typed, and undoes that', async () => {
  await createFilter('ip.src eq 192.0.2.3', 'third');
  const page = await open('history');
  await page.getByRole('list', { name: 'History, newest first' }).waitFor();
  const until = page.getByLabel('Show history until');
  await until.fill('2020-01-01T00:00:00');
  await page.getByText('older than the 30 days that history is kept').waitFor();
  await page.getByRole('button', { name: 'Show the newest' }).click();
  await page.getByText('now', { exact: true }).waitFor();
  await site.inspect(page, 'objects-history');
  // The newest point wrote the third filter.
  await page.getByRole('link', { name: 'Compare with now' }).first().click();
  await page.getByText('You see the state at').waitFor();
  await page.getByRole('button', { name: 'filters 2 → 3' }).click();
  await page.getByRole('region', { name: 'filters now' }).getByRole('cell', { name: 'third' }).waitFor();
  const then = page.getByRole('region', { name: 'filters then' });
  await then.getByRole('cell', { name: 'second' }).waitFor();
  equal(await then.getByRole('cell', { name: 'third' }).count(), 0);
  await site.inspect(page, 'objects-compare');
  await page.getByRole('button', { name: 'Restore…' }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Restore' });
  equal(await confirm.isDisabled(), true);
  await dialog.getByRole('textbox').fill(host);
  await site.inspect(page, 'objects-restore');
  await confirm.click();
  await page.getByText(`${host} is restored.`).waitFor();
  equal(await countFilters(), 2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The restore is undone').waitFor();
  equal(await countFilters(), 3);
  site.checkConsole();
});

test('ObjectsPage downloads a database', async () => {
  const page = await open('tables');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  match(download.suggestedFilename(), /^Zone-[0-9a-f]{32}\.sqlite$/);
  const bytes = readFileSync(await download.path());
  equal(bytes.subarray(0, 15).toString(), 'SQLite format 3');
  site.checkConsole();
});

test('ObjectsPage says that the objects of the program are not put back here, also on a phone', async () => {
  const page = await site.openSignedIn('/objects?class=Account&object=account&view=history', { width: 390 });
  await page.getByText('This object is read-only here').waitFor();
  equal(await page.getByRole('button', { name: 'Restore…' }).count(), 0);
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = (globalThis as any).document.documentElement;
    return [scrollWidth, clientWidth];
  });
  ok(content <= window, 'nothing is wider than the window');
  await site.inspect(page, 'objects-phone');
  await page.getByRole('link', { name: 'Values' }).click();
  await page.getByText('No value is stored by key').waitFor();
  await page.getByText("Read only: Account holds the program's own state").waitFor();
  site.checkConsole();
});

test('objects.restore is in force at the edge', async () => {
  const place = `/accounts/${site.program.ready.account_id}/objects/Zone/${zone}`;
  const [{ bookmark }] = (await site.call(`GET ${place}/history?limit=1`)).result;
  const rule = { filter: { expression: 'http.request.uri.path eq "/no"' }, action: 'block' };
  equal((await site.call(`POST /zones/${zone}/firewall/rules`, [rule])).success, true);
  await eventually(async () => (await site.visit(host, '/no')).status === 403, 'the rule is in force');
  equal((await site.call(`POST ${place}/restore`, { bookmark, confirm: host })).success, true);
  await eventually(async () => (await site.visit(host, '/no')).status === 200, 'the rule is gone');
});
