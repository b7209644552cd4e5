/**
 * A page that holds the text of a function of its Worker, as those of React Router, TanStack and next-themes do, in a real
 * Chromium: the browser knows every name in it, from `gatehouse dev` and from a Worker that was uploaded.
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { DevSite } from '../dashboard/dev-site.ts';
import { eventually } from '../eventually.ts';
import { domain, UploadSite } from '../wrangler/upload-site.ts';

const code = `
function restore(key) {
  const seen = Number(sessionStorage.getItem(key) ?? 0) + 1;
  sessionStorage.setItem(key, String(seen));
  window.scrollTo(0, seen);
  const theme = self.localStorage?.getItem('theme') ?? (navigator.onLine ? 'online' : 'offline');
  const isServer = typeof process !== 'undefined' && process.env !== undefined;
  globalThis.restored = [seen, theme, isServer, document.title, globalThis === window];
}
const announce = async () => {
  globalThis.fetched = await (await fetch('data:text/plain,fetched')).text();
};
class Watcher extends EventTarget {
  watch() { this.dispatchEvent(new Event('seen')); return performance.timeOrigin > 0; }
}
export default {
  fetch: () => new Response(
    '<!doctype html><title>page</title><link rel="icon" href="data:,"><body>' +
    \`<script>(\${restore.toString()})("key"); globalThis.watched = new (\` + Watcher +
    \`)().watch(); (\${announce})();</script>\`,
    { headers: { 'content-type': 'text/html' } },
  ),
};`;

/** The results of the functions on the global object of the page. */
async function readPage(page: Page, errors: readonly string[]): Promise<unknown> {
  await eventually(
    async () => errors.length > 0 || (await page.evaluate('globalThis.fetched !== undefined')) === true,
    'its scripts have run',
  );
  deepEqual(errors, []);
  return await page.evaluate('({ restored, fetched, watched })');
}

test('a page with the text of functions of its Worker runs in a browser, in dev and uploaded', async (t) => {
  // A class whose name the bundler keeps calls a helper of the bundle, which no page has: with Wrangler too.
  const config = JSON.stringify({
    name: 'page',
    main: 'index.js',
    compatibility_date: '2026-08-01',
    keep_names: false,
  });
  await using dev = await DevSite.open({ 'wrangler.json': config, 'index.js': code });
  const site = await UploadSite.start(t);
  ok((await site.deploy('page', { code })).success);
  const host = `page.${domain}`;
  await eventually(async () => (await site.ask(host)).status === 200, 'it serves');
  const uploadedUrl = `http://${host}/`;
  const expected = { restored: [1, 'online', false, 'page', true], fetched: 'fetched', watched: true };
  for (const url of [dev.url, uploadedUrl]) {
    const page = await dev.windows.open();
    const errors: string[] = [];
    page.on('pageerror', (error) => void errors.push(String(error)));
    await page.route(uploadedUrl, async (route) => {
      await route.fulfill({ contentType: 'text/html', body: await site.read('page') });
    });
    const answer = await page.goto(url);
    equal((await answer!.text()).includes('gatehouse'), false, url);
    deepEqual(await readPage(page, errors), expected, url);
  }
});
