/** The page of objects of `gatehouse dev` in a real browser: viewing, changing, alarms, history. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { sendRequest } from './dashboard-site.ts';
import { DevSite } from './dev-site.ts';

/** An attacker's text, which must stay text wherever it is stored. */
const hostile = '<img src=x onerror="globalThis.isBroken = true">';

const worker = `
import { DurableObject, WorkflowEntrypoint } from 'cloudflare:workers';

export class Order extends WorkflowEntrypoint {
  async run(event, step) {
    await step.do('write the invoice', async () => 'invoice');
    await step.do('refused', { retries: { limit: 0, delay: 0 } }, async () => { throw new Error(${JSON.stringify(hostile)}); }).catch(() => {});
    await step.waitForEvent('wait for the payment', { type: 'paid' });
  }
}

export class Notebook extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)');
    // Remembered: what is changed from outside must be seen all the same.
    this.title = ctx.storage.kv.get('title') ?? 'untitled';
  }
  write(text) {
    this.ctx.storage.sql.exec('INSERT INTO notes (text) VALUES (?)', text);
    this.ctx.storage.kv.put('title', this.title);
    this.ctx.storage.kv.put(${JSON.stringify(hostile)}, ${JSON.stringify(hostile)});
    return this.read();
  }
  read() {
    return { title: this.title, notes: this.ctx.storage.sql.exec('SELECT text FROM notes').toArray().map((row) => row.text) };
  }
  fill(count) {
    for (let n = 0; n < count; n++) this.ctx.storage.sql.exec('INSERT INTO notes (text) VALUES (?)', 'row ' + n);
  }
  async remind(ms) { await this.ctx.storage.setAlarm(Date.now() + ms); }
  alarm() { this.ctx.storage.sql.exec("INSERT INTO notes (text) VALUES ('rang')"); }
}

export class Tally extends DurableObject {
  async add() {
    const seen = (await this.ctx.storage.get('seen')) ?? { times: 0, at: new Date(0), by: new Map() };
    seen.times++;
    await this.ctx.storage.put('seen', seen);
    return seen.times;
  }
}

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const notebook = env.Notebook.getByName(searchParams.get('name') ?? 'diary');
    if (pathname === '/write') return Response.json(await notebook.write(searchParams.get('text')));
    if (pathname === '/read') return Response.json(await notebook.read());
    if (pathname === '/fill') return Response.json((await notebook.fill(2000)) ?? null);
    if (pathname === '/remind') return Response.json((await notebook.remind(3600000)) ?? null);
    if (pathname === '/order') {
      const order = await env.ORDERS.create({ id: 'one' });
      while ((await order.status()).status !== 'waiting') await scheduler.wait(1);
      return Response.json(order);
    }
    if (pathname === '/tally') return Response.json(await env.Tally.getByName('daily').add());
    return new Response('not found', { status: 404 });
  },
};
`;
/** Loses a deposit that arrives while another waits for a `fetch`. */
const simulation = `
import { defineSimulation, DurableObject } from 'gatehouse/testing';
class Account extends DurableObject {
  async deposit() {
    const balance = (await this.ctx.storage.get('balance')) ?? 0;
    await fetch('https://audit.example/');
    await this.ctx.storage.put('balance', balance + 1);
  }
}
export const deposits = defineSimulation({ classes: { Account }, outside: () => new Response() }, async (world) => {
  let done = 0;
  await world.run({ deposit: async (step) => { await step.object('Account', 'alice').deposit(); done++; } });
  await world.settle();
  const balance = (await world.inside('Account', 'alice', (_, ctx) => ctx.storage.get('balance'))) ?? 0;
  if (balance < done) throw new Error('${hostile.replaceAll("'", '')}: ' + balance + ' of ' + done);
});
`;
const config = JSON.stringify({
  name: 'notes',
  main: 'index.js',
  durable_objects: {
    bindings: [
      { name: 'Notebook', class_name: 'Notebook' },
      { name: 'Tally', class_name: 'Tally' },
    ],
  },
  workflows: [{ binding: 'ORDERS', name: 'orders', class_name: 'Order' }],
  migrations: [{ tag: 'v1', new_sqlite_classes: ['Notebook'], new_classes: ['Tally'] }],
});

let site: DevSite;
before(async () => {
  site = await DevSite.open({
    'index.js': worker,
    'wrangler.json': config,
    'account.simulation.js': simulation,
  });
  await ask('/write', { text: 'first' });
  await ask('/write', { text: hostile });
  await ask('/write', { name: hostile, text: 'in a notebook with a hostile name' });
  await ask('/tally');
});
after(() => site[Symbol.asyncDispose]());

async function ask(path: string, query: Readonly<Record<string, string>> = {}): Promise<any> {
  const response = await fetch(`${site.url}${path}?${new URLSearchParams(query).toString()}`);
  equal(response.status, 200);
  return await response.json();
}

function open(view: string, object = 'Notebook&object=diary'): Promise<Page> {
  return site.openSignedIn(`/objects?class=${object}&view=${view}`);
}

async function unlock(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Unlock writing…' }).click();
  const dialog = page.getByRole('dialog');
  equal(await dialog.getByRole('button', { name: 'Unlock' }).isDisabled(), true);
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Unlock' }).click();
  await page.getByText('Writing is unlocked').waitFor();
}

/** As a user does: the present text is selected and typed over. */
async function runSql(page: Page, sql: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(sql);
  await page.keyboard.press('Control+Enter');
}

test('gatehouse dev prints a link that signs in once to the objects of its Worker, and to nothing else', async () => {
  const link = await site.takeLink();
  const page = await site.windows.open();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Objects' }).waitFor();
  const menu = page.getByRole('navigation', { name: 'Pages' });
  deepEqual(await menu.getByRole('link').allTextContents(), ['Objects']);
  await page.getByRole('row', { name: 'diary' }).waitFor();
  await site.windows.inspect(page, 'dev-objects');
  // A page that only `serve` has redirects.
  await page.goto(`${site.pageUrl}/tokens`);
  await page.getByRole('heading', { name: 'Objects' }).waitFor();
  const other = await site.windows.open();
  await other.goto(link);
  await other.getByText('the link has been used or has expired').waitFor();
  await site.windows.inspect(other, 'dev-sign-in');
  await other.getByRole('button', { name: 'Print a new link' }).click();
  await other.getByText('A new link is in the terminal.').waitFor();
  await site.takeLink();
  site.windows.checkConsole();
});

test('the listener of the page gives nothing to strangers, to other names, and to requests without the CSRF token', async () => {
  const api = `${site.pageUrl}/client/v4/accounts`;
  equal((await sendRequest(api)).status, 400);
  equal((await sendRequest(api, { headers: { authorization: 'Bearer wrong' } })).status, 403);
  const page = await site.openSignedIn('/objects');
  const [session] = await page.context().cookies();
  const { name, value } = session!;
  match(name, /^gatehouse_dev_/);
  const cookie = `${name}=${value}`;
  equal((await sendRequest(api, { headers: { cookie } })).status, 401);
  const { body } = await sendRequest(`${site.pageUrl}/session`, { headers: { cookie } });
  const csrf = { cookie, 'x-csrf-token': JSON.parse(body).csrf_token };
  equal((await sendRequest(api, { headers: csrf })).status, 200);
  equal((await sendRequest(api, { headers: { ...csrf, host: 'rebound.example' } })).status, 421);
  const zones = await sendRequest(`${site.pageUrl}/client/v4/zones`, { headers: csrf });
  equal(zones.status, 404);
  const document = await sendRequest(site.pageUrl, { headers: { accept: 'text/html' } });
  match(String(document.headers['content-security-policy']), /default-src 'none'; script-src 'self'/);
  equal(
    (await sendRequest(site.pageUrl, { headers: { accept: 'text/html', host: 'rebound.example' } })).status,
    421,
  );
});

test('what objects hold is shown as text, whoever wrote it: names, keys, values, rows', async () => {
  const page = await site.openSignedIn('/objects?class=Notebook');
  await page.getByRole('link', { name: hostile }).click();
  await page.getByRole('heading', { name: hostile }).waitFor();
  await page.getByRole('link', { name: 'Values' }).click();
  await page.getByRole('cell', { name: hostile, exact: true }).waitFor();
  await page.getByRole('cell', { name: `'${hostile}'` }).waitFor();
  await page.goto(`${site.pageUrl}/objects?class=Notebook&object=diary&view=tables`);
  await page.getByRole('cell', { name: hostile }).waitFor();
  equal(await page.evaluate('globalThis.isBroken'), undefined);
  equal(await page.locator('img').count(), 0);
  site.windows.checkConsole();
});

test('SQL reads until it is unlocked by name; then it writes into the object, whose code sees it, and is undone', async () => {
  const page = await open('sql');
  await runSql(page, "DELETE FROM notes WHERE text = 'first'");
  await page.getByText('the query writes').waitFor();
  await unlock(page, 'diary');
  await runSql(page, "UPDATE notes SET text = 'changed' WHERE text = 'first' RETURNING id, text");
  await page.getByRole('cell', { name: 'changed' }).waitFor();
  await page.getByText('1 row, 1 written').waitFor();
  deepEqual((await ask('/read')).notes, ['changed', hostile]);
  await site.windows.inspect(page, 'dev-sql');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The change is undone').waitFor();
  deepEqual((await ask('/read')).notes, ['first', hostile]);
  await runSql(page, 'SELECT 1, FROM notes');
  await page.getByText('syntax error at offset').first().waitFor();
  await page.locator('.cm-lintRange-error').waitFor();
  await site.windows.inspect(page, 'dev-sql-mistake');
  await page.getByText('Earlier statements (3)').click();
  await page.getByRole('button', { name: /^UPDATE notes/ }).click();
  match((await page.getByRole('textbox', { name: 'Query' }).textContent())!, /^UPDATE notes/);
  site.windows.checkConsole();
});

test('SQL can be written and run where its editor cannot be loaded, and a moment before a table says that it is none', async () => {
  await ask('/write', { name: 'grown', text: 'one' });
  const page = await open('values', 'Notebook&object=grown');
  await page.route('**/assets/sql-editor-*', (route) => route.abort('connectionrefused'));
  await page.goto(`${site.pageUrl}/objects?class=Notebook&object=grown&view=sql`);
  await page.locator('textarea').waitFor();
  await unlock(page, 'grown');
  await runSql(page, 'CREATE TABLE later (text TEXT)');
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.locator('textarea').fill('SELECT text FROM notes');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('cell', { name: 'one', exact: true }).waitFor();
  await site.windows.inspect(page, 'dev-sql-plain');
  await page.goto(`${site.pageUrl}/objects?class=Notebook&object=grown&view=history`);
  await page.getByRole('link', { name: 'Compare with now' }).first().click();
  await page.getByText('You see the state at').waitFor();
  await page.getByRole('button', { name: /^later/ }).click();
  await page.getByRole('region', { name: 'later then' }).getByText('The table did not exist.').waitFor();
  await page.getByRole('region', { name: 'later now' }).getByText('No rows.').waitFor();
  site.windows.checkConsole();
});

test('a result of many rows scrolls, and only the rows that are seen exist', async () => {
  await ask('/fill', { name: 'long' });
  const page = await open('sql', 'Notebook&object=long');
  await runSql(page, 'SELECT id, text FROM notes ORDER BY id');
  await page.getByText('1,000 rows, and more').waitFor();
  const region = page.getByRole('region', { name: 'Result' });
  ok((await region.getByRole('row').count()) < 200);
  await region.evaluate((frame: { scrollTop: number; scrollHeight: number }) => {
    frame.scrollTop = frame.scrollHeight;
  });
  await region.getByRole('cell', { name: 'row 999', exact: true }).waitFor();
  site.windows.checkConsole();
});

test('a value is edited as JSON with types, added and deleted, and its object sees it', async () => {
  const page = await open('values', 'Tally&object=daily');
  await page.getByText('{ times: 1, at: 1970-01-01T00:00:00.000Z, by: Map(0) {} }').waitFor();
  await unlock(page, 'daily');
  await page.getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('textbox', { name: 'Value as JSON' });
  await editor.fill('{"times": 41, "at": {"$date": "soon"}}');
  await site.windows.inspect(page, 'dev-value');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('must be a time').waitFor();
  // Another user writes: nothing is overwritten unseen, and the typed text stays.
  equal(await ask('/tally'), 2);
  await editor.fill('{"times": 41, "at": {"$date": "2026-01-31T12:00:00Z"}, "by": {"$map": [["me", 1]]}}');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Someone else has changed the value').waitFor();
  match(await editor.inputValue(), /"times": 41/);
  await page.getByText('The current value is').waitFor();
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByText("by: Map(1) { 'me' => 1 }").waitFor();
  equal(await ask('/tally'), 42);
  await page.getByRole('button', { name: 'Add a value…' }).click();
  await page.getByRole('textbox', { name: 'Key' }).fill('extra');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /extra/ }).getByRole('button', { name: 'Delete' }).click();
  await site.windows.inspect(page, 'dev-delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('The value is deleted').waitFor();
  await page.getByRole('row', { name: /extra/ }).waitFor({ state: 'detached' });
  site.windows.checkConsole();
});

test('alarms are listed, run now and cancelled', async () => {
  await ask('/remind', { name: 'calendar' });
  const page = await site.openSignedIn('/objects?view=alarms');
  const row = page.getByRole('row', { name: /calendar/ });
  await row.waitFor();
  await site.windows.inspect(page, 'dev-alarms');
  await row.getByRole('button', { name: 'Run now' }).click();
  await page.getByText('The alarm has run').waitFor();
  await page.getByText('No alarm is set').waitFor();
  deepEqual((await ask('/read', { name: 'calendar' })).notes, ['rang']);
  await ask('/remind', { name: 'calendar' });
  await page.goto(`${site.pageUrl}/objects?class=Notebook&object=calendar`);
  await page.getByRole('button', { name: 'Cancel alarm' }).click();
  await page.getByText('The alarm is cancelled').waitFor();
  await page.getByText('No alarm is set').waitFor();
  site.windows.checkConsole();
});

test('history goes back to a moment after the name was typed, and undoes that, also on a phone', async () => {
  await ask('/write', { name: 'past', text: 'one' });
  await ask('/write', { name: 'past', text: 'two' });
  const page = await site.openSignedIn('/objects?class=Notebook&object=past&view=history', { width: 390 });
  await page.getByRole('button', { name: 'Restore…' }).first().click();
  await page.getByRole('dialog').getByRole('textbox').fill('past');
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByText('past is restored.').waitFor();
  deepEqual((await ask('/read', { name: 'past' })).notes, ['one']);
  await site.windows.inspect(page, 'dev-history-phone');
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = (globalThis as any).document.documentElement;
    return [scrollWidth, clientWidth];
  });
  ok(content <= window, 'nothing is wider than the window');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The restore is undone').waitFor();
  deepEqual((await ask('/read', { name: 'past' })).notes, ['one', 'two']);
  await page.goto(`${site.pageUrl}/objects?class=Notebook&object=past&view=sql`);
  await page.getByRole('textbox', { name: 'Query' }).waitFor();
  await site.windows.inspect(page, 'dev-sql-phone');
  site.windows.checkConsole();
});

test('history shows what each point changed, and what is different between any two', async () => {
  await ask('/write', { name: 'steps', text: 'one' });
  await ask('/write', { name: 'steps', text: 'two' });
  const page = await open('history', 'Notebook&object=steps');
  const openers = page.getByRole('button', { name: /^What changed/ });
  await openers.first().click();
  const table = page.getByRole('region', { name: 'Storage before and after' });
  await table.getByRole('row', { name: "row notes 2 nothing changed: id: 2, text: 'two'" }).waitFor();
  equal(await table.getByRole('row', { name: /notes 1/ }).count(), 0, 'what is the same is left out');
  await site.windows.inspect(page, 'dev-history-step');
  // Compared with the start, both rows are new; the order of selection is irrelevant.
  const other = page.getByRole('combobox', { name: 'Compared with' });
  const oldest = await other.getByRole('option').nth(1).getAttribute('value');
  await other.selectOption(oldest);
  await table.getByRole('row', { name: "row notes 2 nothing changed: id: 2, text: 'two'" }).waitFor();
  await openers.last().click();
  await table.getByRole('row', { name: /table notes nothing changed: id, text/ }).waitFor();
  await page.getByRole('button', { name: 'Next step' }).click();
  await page.getByText('Step 2 of').waitFor();
  site.windows.checkConsole();
});

test('a simulation that fails is shown step by step, with storage before and after each', async () => {
  const page = await site.openSignedIn('/objects?view=stories');
  await page.getByText('No simulation has failed').waitFor();
  equal((await site.run(['simulate', site.directory])).exitCode, 1);
  await page.getByRole('link', { name: 'deposits' }).click();
  await page.getByText(`${hostile}:`, { exact: false }).first().waitFor();
  equal(await page.evaluate('globalThis.isBroken'), undefined);
  await page.getByText('gatehouse simulate account.simulation.js --only deposits --replay').waitFor();
  const steps = page.getByRole('list', { name: 'The sequence, from its beginning' });
  await steps
    .getByRole('button', { name: /writes balance = 1$/ })
    .first()
    .click();
  const table = page.getByRole('region', { name: 'Storage before and after' });
  await table.getByRole('row', { name: 'Account alice value balance nothing changed: 1' }).waitFor();
  await page.getByRole('button', { name: 'Next step' }).click();
  await table.getByRole('row', { name: 'Account alice value balance 1 1', exact: true }).waitFor();
  await site.windows.inspect(page, 'dev-story');
  // Any other moment can be compared: here the first and the last.
  await steps
    .getByRole('button', { name: /^What changed/ })
    .last()
    .click();
  await page.getByRole('combobox', { name: 'Compared with' }).selectOption({ index: 1 });
  await table.getByRole('row', { name: /Account alice value balance nothing changed: \d/ }).waitFor();
  const all = await steps.getByRole('listitem').count();
  await page.getByText('Only writes and faults').click();
  await steps
    .getByRole('button', { name: /calls Account/ })
    .first()
    .waitFor({ state: 'detached' });
  ok((await steps.getByRole('listitem').count()) < all);
  site.windows.checkConsole();
});

test('the page of an instance of a workflow shows its steps', async () => {
  await ask('/order');
  const page = await site.openSignedIn('/objects?class=workflows');
  await page.getByRole('link', { name: 'orders/one' }).click();
  await page.getByRole('heading', { name: 'orders/one' }).waitFor();
  const steps = page.getByRole('region', { name: 'Steps' });
  await steps.getByRole('row').nth(3).waitFor();
  const states = await steps.getByRole('row').allInnerTexts();
  match(states[1]!, /write the invoice\s+do\s+done\s+1/);
  match(states[2]!, /refused\s+do\s+failed\s+1/);
  ok(states[2]!.includes(hostile));
  match(states[3]!, /wait for the payment\s+waitForEvent\s+waiting/);
  await site.windows.inspect(page, 'dev-workflow');
  site.windows.checkConsole();
});
