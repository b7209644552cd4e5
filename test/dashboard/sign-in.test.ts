/** Signing in at the dashboard in a real browser, and what unauthenticated visitors do not get. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DashboardSite, sendRequest } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

test('the link of the first start signs in once', async () => {
  const link = site.program.signInUrl!;
  const page = await site.openWindow();
  await page.goto(link);
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
  equal(page.url(), `${site.url}/`);
  const other = await site.openWindow();
  await other.goto(link);
  await other.getByText('the link has been used or has expired').waitFor();
  site.checkConsole();
});

test('the dashboard asks for a token first, and goes on where the reader wanted to go', async () => {
  const page = await site.openWindow();
  await page.goto(`${site.url}/tokens`);
  await page.getByLabel('API token').fill('not-a-token');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Invalid access token').waitFor();
  await site.inspect(page, 'sign-in');
  await page.getByLabel('API token').fill(site.token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Tokens' }).waitFor();
  site.checkConsole();
});

test('the dashboard takes an e-mail address with its key, and signs out', async () => {
  const page = await site.openWindow();
  await page.goto(`${site.url}/`);
  await page.getByRole('button', { name: 'Use an e-mail address and a key' }).click();
  await page.getByLabel('E-mail address').fill(site.program.ready.email);
  await page.getByLabel('API key').fill(site.program.ready.key!);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
  await site.inspect(page, 'sites');
  await page.getByRole('button', { name: 'Add site' }).click();
  await page.getByLabel('Host name').fill('not a name');
  await page.getByRole('dialog').getByRole('button', { name: 'Add site' }).click();
  await page.getByText('The site was not added').waitFor();
  await page.getByLabel('Host name').fill('added.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Add site' }).click();
  await page.getByText('added.example has no origin').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API token').waitFor();
  await page.goto(`${site.url}/lists`);
  await page.getByLabel('API token').waitFor();
  site.checkConsole();
});

test('a revoked token ends its sessions at once', async () => {
  const { result } = await site.call('POST /user/tokens', {
    name: 'short',
    policies: (await site.call('GET /user/tokens')).result[0].policies.map((policy: any) => ({
      effect: policy.effect,
      resources: policy.resources,
      permission_groups: policy.permission_groups.map(({ id }: { id: string }) => ({ id })),
    })),
  });
  const page = await site.openWindow();
  await page.request.post(`${site.url}/session`, { data: { token: result.value } });
  await page.goto(`${site.url}/`);
  await page.getByRole('heading', { name: 'Sites' }).waitFor();
  await site.call(`DELETE /user/tokens/${result.id}`);
  // The next request of the page reveals it, and may already have been sent: then a dialog hides the link.
  await page.locator('a[href="/lists"]').dispatchEvent('click');
  await page.getByText('Your session has ended').waitFor();
  const field = page.getByRole('dialog').getByLabel('API token');
  await field.fill('half of a tok');
  // The page checks whether the user has signed in in another window. The user has not, and the typed text stays.
  const isLooked = page.waitForResponse((response) => response.url().endsWith('/session'));
  await page.evaluate(() => (globalThis as any).dispatchEvent(new Event('focus')));
  await isLooked;
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  equal(await field.inputValue(), 'half of a tok');
  await page.reload();
  await page.getByRole('button', { name: 'Use an e-mail address and a key' }).waitFor();
  equal(await page.getByRole('dialog').count(), 0);
});

interface Try {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function attempt({
  method = 'GET',
  path = '/client/v4/zones',
  headers = {},
  body,
}: Try): Promise<number> {
  return (await sendRequest(`${site.url}${path}`, { method, headers, body })).status;
}

test('the routes of the dashboard: who gets what', async () => {
  const signedIn = await fetch(`${site.url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: site.token }),
  });
  const setCookie = signedIn.headers.get('set-cookie')!;
  match(setCookie, /^gatehouse_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
  const cookie = setCookie.split(';')[0]!;
  const { csrf_token } = (await signedIn.json()) as { csrf_token: string };
  const csrf = { 'x-csrf-token': csrf_token };
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ token: site.token });
  const cases: readonly (readonly [string, Try, number])[] = [
    ['a call with cookie and CSRF token', { headers: { cookie, ...csrf } }, 200],
    ['a call with the cookie alone', { headers: { cookie } }, 403],
    ['a call with another CSRF token', { headers: { cookie, 'x-csrf-token': 'x'.repeat(43) } }, 403],
    ['a call with a made-up cookie', { headers: { cookie: 'gatehouse_session=x', ...csrf } }, 401],
    ['a call with two cookies', { headers: { cookie: `${cookie}; ${cookie}`, ...csrf } }, 401],
    ['a call with nothing', {}, 400],
    ['a visit by a rebound name', { path: '/', headers: { host: 'evil.example', accept: 'text/html' } }, 421],
    ['a session by a rebound name', { path: '/session', headers: { host: 'evil.example', cookie } }, 421],
    ['a call by a rebound name', { headers: { host: 'evil.example', cookie, ...csrf } }, 421],
    ['an asset by a rebound name', { path: '/assets/x.js', headers: { host: 'evil.example' } }, 421],
    [
      'signing in as a form of another site',
      { method: 'POST', path: '/session', headers: { 'content-type': 'text/plain' }, body },
      405,
    ],
    [
      'signing in from another site',
      { method: 'POST', path: '/session', headers: { ...json, 'sec-fetch-site': 'cross-site' }, body },
      405,
    ],
    ['signing in with no JSON', { method: 'POST', path: '/session', headers: json, body: '{' }, 400],
    [
      'signing in with too much',
      { method: 'POST', path: '/session', headers: json, body: JSON.stringify({ token: 'x'.repeat(5000) }) },
      413,
    ],
    ['signing in with nothing', { method: 'POST', path: '/session', headers: json, body: '{}' }, 400],
    ['an unknown method', { method: 'PUT', path: '/session', headers: json, body: '{}' }, 405],
    ['an asset that does not exist', { path: '/assets/nothing.js' }, 404],
    [
      'signing out from another site',
      {
        method: 'DELETE',
        path: '/session',
        headers: { cookie, 'sec-fetch-site': 'cross-site', ...json },
        body: '{}',
      },
      405,
    ],
    ['signing out', { method: 'DELETE', path: '/session', headers: { cookie, ...json }, body: '{}' }, 200],
    ['a call after signing out', { headers: { cookie, ...csrf } }, 401],
  ];
  const seen: unknown[] = [];
  for (const [name, tried] of cases) seen.push([name, await attempt(tried)]);
  deepEqual(
    seen,
    cases.map(([name, , status]) => [name, status]),
  );
});

test('the page is served with a policy that allows no inline script, and assets that may be kept', async () => {
  const page = await fetch(`${site.url}/`, { headers: { accept: 'text/html' } });
  const policy = page.headers.get('content-security-policy')!;
  match(policy, /script-src 'self';/);
  match(policy, /style-src 'self' 'nonce-[\w+/=]{24}'/);
  equal(/unsafe/.test(policy), false);
  const html = await page.text();
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)![1]!;
  const asset = await fetch(`${site.url}${script}`, { headers: { 'accept-encoding': 'br' } });
  equal(asset.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  equal(asset.headers.get('content-encoding'), 'br');
  const plain = await fetch(`${site.url}/`);
  match(await plain.text(), /^Gatehouse 0\.0\.0-test/);
});
