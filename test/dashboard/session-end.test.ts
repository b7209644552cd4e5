/** A session that ends, and a connection that is lost, while a form is open: the typed text stays and is saved. */
import { match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

interface Form {
  readonly path: string;
  /** From the open page to the filled-in form. */
  readonly type: (page: Page) => Promise<void>;
  readonly submit: (page: Page) => Promise<void>;
  /** The text that the page then shows. */
  readonly done: string | RegExp;
  /** The server's state afterwards. */
  readonly read: () => Promise<unknown>;
}

/** One form of each page that has forms of its own. */
async function createForms(): Promise<Readonly<Record<string, Form>>> {
  const zoneId = await site.createZone('session.example', 'pro');
  const inDialog = (page: Page) => page.getByRole('dialog').first();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  return {
    lists: {
      path: '/lists',
      async type(page) {
        await press(page, 'Create list');
        await inDialog(page).getByLabel('Name').fill('typed_list');
        await inDialog(page).getByLabel('Description').fill('typed');
      },
      submit: (page) => inDialog(page).getByRole('button', { name: 'Create list' }).click(),
      done: 'The list is empty',
      read: async () =>
        (await site.call(`GET /accounts/${site.program.ready.account_id}/rules/lists`)).result,
    },
    tokens: {
      path: '/tokens',
      async type(page) {
        await press(page, 'Create token');
        await inDialog(page).getByLabel('Name').fill('typed token');
        await inDialog(page).getByLabel('Firewall Services').selectOption('read');
      },
      submit: (page) => inDialog(page).getByRole('button', { name: 'Create token' }).click(),
      done: 'Copy the token now',
      read: async () => (await site.call('GET /user/tokens')).result,
    },
    'page rules': {
      path: `/zones/${zoneId}/page-rules`,
      async type(page) {
        await press(page, 'Create page rule');
        await inDialog(page).getByLabel('URL').fill('session.example/typed/*');
        await inDialog(page).getByLabel('Priority').fill('7');
      },
      submit: (page) => inDialog(page).locator('button[type=submit]').click(),
      done: /page rule is (created|saved)/i,
      read: async () => (await site.call(`GET /zones/${zoneId}/pagerules`)).result,
    },
    settings: {
      path: `/zones/${zoneId}/settings`,
      type: (page) => page.getByLabel('Withheld header fields to forward').fill('True-Client-IP'),
      submit: (page) => press(page, 'Save'),
      done: 'from the next request on',
      read: async () => (await site.call(`GET /zones/${zoneId}/edge`)).result,
    },
    'firewall rules': {
      path: `/zones/${zoneId}/firewall-rules?rule=new`,
      async type(page) {
        await page.getByLabel('Value of condition 1').fill('/typed');
        await page.getByText('0 of 0 requests').waitFor();
      },
      submit: (page) => press(page, 'Save the rule'),
      done: 'Rule saved',
      read: async () => (await site.call(`GET /zones/${zoneId}/firewall/rules`)).result,
    },
  };
}

test('a form that is open when the session ends keeps what was typed, and is saved after signing in', async () => {
  for (const [name, form] of Object.entries(await createForms())) {
    const page = await site.openSignedIn(form.path);
    await form.type(page);
    await dropCookie(page);
    await form.submit(page);
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
    await dialog.getByLabel('API token').fill('no token');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByRole('alert').waitFor();
    if (name === 'tokens') await site.inspect(page, 'session-ended');
    await dialog.getByLabel('API token').fill(site.token);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(form.done).waitFor();
    match(JSON.stringify(await form.read()), /typed|true-client-ip/, name);
    await page.context().close();
  }
  site.checkConsole();
});

test('a page that loses the connection says so, keeps its form, and goes on when the server answers', async () => {
  const page = await site.openSignedIn('/lists');
  await page.getByRole('button', { name: 'Create list' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('kept_list');
  await page.route(
    (url) => /^\/(?:client|session)/.test(url.pathname),
    (route) => route.abort('connectionrefused'),
  );
  await dialog.getByRole('button', { name: 'Create list' }).click();
  await dialog.getByText('The server cannot be reached').waitFor();
  const note = page.getByText('No connection to the server');
  await note.waitFor();
  // A query that fails meanwhile must not put its failure in the place of the page.
  await page.evaluate(() => (globalThis as any).dispatchEvent(new Event('visibilitychange')));
  await page.unrouteAll();
  await note.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Create list' }).click();
  await page.getByRole('heading', { name: 'kept_list' }).waitFor();
  site.checkConsole();
});

/** As if it had expired. The page's own requests are answered before, so that the next step is the first to notice. */
async function dropCookie(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.context().clearCookies();
}

test('signing in again in another window goes on in this one', async () => {
  const page = await site.openSignedIn('/lists');
  await page.getByRole('heading', { name: 'Lists' }).waitFor();
  await dropCookie(page);
  await page.getByRole('link', { name: 'Tokens' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
  await dialog.waitFor();
  await page.request.post(`${site.url}/session`, { data: { token: site.token } });
  await page.evaluate(() => (globalThis as any).dispatchEvent(new Event('focus')));
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Create token' }).waitFor();
  await dropCookie(page);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Sign in to Gatehouse' }).waitFor();
  site.checkConsole();
});
