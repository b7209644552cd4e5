/** The pages of Workers and of their stores, in a real browser. */
import { equal, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { createForm, domain } from '../wrangler/upload-site.ts';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
let account: string;
before(async () => {
  site = await DashboardSite.open({ 'workers-domain': domain });
  account = `/accounts/${site.program.ready.account_id}`;
  await site.createZone(domain, 'free');
});
after(() => site[Symbol.asyncDispose]());

const code = (text: string): string => `export default { fetch(request, env) {
  const { pathname } = new URL(request.url);
  console.log('asked for', pathname, env.KEY);
  console.warn('<b>careful</b>');
  if (pathname === '/throws') throw new Error('it broke');
  return new Response('${text}');
}, scheduled() {} };`;

async function upload(text: string): Promise<void> {
  const bindings = [{ type: 'secret_text', name: 'KEY', text: 'never-shown-again' }];
  const response = await fetch(`${site.program.ready.api}${account}/workers/scripts/loud`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${site.token}` },
    body: createForm({
      code: code(text),
      metadata: { bindings, annotations: { 'workers/message': `says ${text}` } },
    }),
  });
  equal(response.status, 200, await response.text());
}

test('the page of a Worker shows who deployed what, follows its logs, sets secrets, and goes back', async () => {
  const page = await site.openSignedIn('/workers');
  await page.getByText('There is no Worker yet').waitFor();
  await upload('one');
  await upload('two');
  await site.call(`POST ${account}/workers/scripts/loud/subdomain`, { enabled: true });
  await site.call(`PUT ${account}/workers/scripts/loud/schedules`, [{ cron: '0 0 1 1 *' }]);
  await site.call(`PUT ${account}/workers/scripts/loud/routes`, [{ pattern: `${domain}/loud/*` }]);
  const host = `loud.${domain}`;
  await eventually(async () => (await site.visit(host, '/')).body === 'two', 'the second version answers');

  await page.reload();
  await page.getByRole('link', { name: 'loud', exact: true }).click();
  const versions = page.getByRole('region', { name: 'Versions' });
  await versions.getByText('says one').waitFor();
  await page.getByRole('cell', { name: `${domain}/loud/*`, exact: true }).waitFor();
  await page.getByText('0 0 1 1 *').waitFor();

  await page.getByRole('button', { name: 'Follow' }).click();
  await page.getByText('Waiting for calls').waitFor();
  const calls = page.getByRole('region', { name: 'Calls' });
  // The process of the Worker learns through a message that a client reads.
  await eventually(async () => {
    await site.visit(host, '/throws');
    return (await calls.getByText('Error: it broke').count()) > 0;
  }, 'a call is shown');
  await calls.getByText('<b>careful</b>').first().waitFor();
  await calls.getByText('asked for /throws REDACTED').first().waitFor();
  await site.inspect(page, 'worker');
  await page.getByLabel('With the text').fill('/wanted');
  await page.getByText('Following; the last').waitFor();
  await eventually(async () => {
    await site.visit(host, '/wanted');
    return (await calls.getByText('asked for /wanted').count()) > 0;
  }, 'a call that fits is shown');
  await page.getByRole('button', { name: 'Stop' }).click();

  await page.getByRole('button', { name: 'Set secret' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('OTHER');
  await dialog.getByLabel('Value').fill('hidden');
  await dialog.getByRole('button', { name: 'Set secret' }).click();
  await page.getByRole('cell', { name: 'OTHER', exact: true }).waitFor();

  const first = versions.getByRole('row').filter({ hasText: 'says one' });
  await first.getByRole('button', { name: 'Roll back' }).click();
  await dialog.getByRole('button', { name: 'Roll back' }).click();
  await first.getByText('runs').waitFor();
  equal((await site.visit(host, '/')).body, 'one');
  await first.getByText('Rolled back to version 1').waitFor();
  ok(!(await page.content()).includes('never-shown-again'));
  await page.getByRole('link', { name: 'Workers', exact: true }).click();
  await page.getByRole('link', { name: 'loud', exact: true }).waitFor();
  await site.inspect(page, 'workers');
  site.checkConsole();
});

test('the pages of stores browse KV, run SQL with its history, and show the backlog of queues and buckets', async () => {
  const page = await site.openSignedIn('/stores');
  const dialog = page.getByRole('dialog');
  const create = async (what: string, name: string): Promise<void> => {
    await page.getByRole('button', { name: `Create ${what}` }).click();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: `Create ${what}` }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await page.getByText('There is no namespace').waitFor();
  await create('namespace', 'sessions');
  await create('database', 'orders');
  await create('queue', 'mail');
  await create('bucket', 'pictures');
  await page.getByRole('link', { name: 'pictures', exact: true }).waitFor();
  await page.getByText('nothing', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('paused').waitFor();
  await site.inspect(page, 'stores');

  await page.getByRole('link', { name: 'sessions', exact: true }).click();
  for (const [key, value] of [
    ['user:1', 'Ada'],
    ['user:2', '<img src=x onerror=alert(1)>'],
    ['other', 'x'],
  ]) {
    await page.getByRole('button', { name: 'Write value' }).click();
    await dialog.getByLabel('Key').fill(key!);
    await dialog.getByLabel('Value').fill(value!);
    await dialog.getByRole('button', { name: 'Write value' }).click();
    await page.getByRole('button', { name: key!, exact: true }).waitFor();
  }
  await page.getByLabel('Keys that begin with').fill('user:');
  await page.getByRole('button', { name: 'other', exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'user:2', exact: true }).click();
  await page.getByText('<img src=x onerror=alert(1)>').waitFor();
  await site.inspect(page, 'namespace');

  await page.getByRole('link', { name: 'Stores', exact: true }).click();
  await page.getByRole('link', { name: 'orders', exact: true }).click();
  const editor = page.getByLabel('Query');
  const run = async (sql: string): Promise<void> => {
    await editor.fill(sql);
    await page.getByRole('button', { name: 'Run' }).click();
  };
  await run("CREATE TABLE orders (id INTEGER, body TEXT); INSERT INTO orders VALUES (1, 'first')");
  await page.getByText('1 changed').waitFor();
  await run('SELECT * FROM nowhere');
  await page.getByText('no such table: nowhere').first().waitFor();
  await run('SELECT id, body FROM orders');
  await page.getByRole('region', { name: 'Result' }).getByText('first').waitFor();
  await page.getByText('Earlier statements (3)').waitFor();
  await site.inspect(page, 'database');

  const { api, token } = { api: site.program.ready.api, token: site.token };
  await fetch(`${api}${account}/r2/buckets/pictures/objects/a/b.txt`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body: 'a picture',
  });
  await page.goto(`${site.url}/stores/r2/pictures`);
  await page.getByRole('cell', { name: 'a/b.txt', exact: true }).waitFor();
  await page.getByRole('cell', { name: 'text/plain' }).waitFor();
  await page
    .getByRole('button', { name: /^Delete / })
    .last()
    .click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There is no object').waitFor();
  site.checkConsole();
});
