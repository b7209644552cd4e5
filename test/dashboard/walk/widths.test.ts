/**
 * Every page with data at the widths of phones, tablets and screens: every named item shows at least its first letters,
 * no control is cut, and nothing scrolls sideways. `GATEHOUSE_SCREENSHOTS` names a directory for a picture of each.
 */
import './still-clock.ts';
import { deepEqual, equal } from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { measureNames } from './measure-names.ts';
import { openSampleSite, type SampleSite } from './sample-site.ts';
import { type Stop, stops } from './stops.ts';
import { settle } from '../browser-windows.ts';
import { Walker } from './walker.ts';

const widths = [320, 390, 600, 768, 820, 900, 1024, 1180, 1280, 1920];
const pictures = process.env['GATEHOUSE_SCREENSHOTS'];

/** Those of dialogs show the same page behind them. */
const pages = stops.filter(
  ({ dialog, isOutside, name }) =>
    dialog === undefined && isOutside !== true && name !== 'palette' && name !== 'session-ended',
);

async function addLongNames({ site, names }: SampleSite): Promise<void> {
  const { shop, old } = names;
  const account = `/accounts/${site.program.ready.account_id}`;
  const name = 'Visitors of the staging server who are not in the office or on its tunnel';
  const expression =
    '(http.host eq "staging.shop.example" and not ip.src in {192.0.2.0/24 198.51.100.0/24 203.0.113.0/24})';
  const phase = `/zones/${shop}/rulesets/phases/http_request_firewall_custom/entrypoint`;
  const { result: entry } = await site.call(`GET ${phase}`);
  const calls: readonly (readonly [route: string, body: unknown])[] = [
    [
      `POST /zones/${shop}/rulesets/${entry.id}/rules`,
      { action: 'managed_challenge', expression, description: name, enabled: false },
    ],
    [
      `POST /zones/${old}/firewall/rules`,
      [{ action: 'js_challenge', description: name, priority: 1000, filter: { expression } }],
    ],
    [
      `POST /zones/${shop}/firewall/lockdowns`,
      {
        urls: ['staging.shop.example/a/rather/long/path/of/the/administration/*'],
        configurations: [{ target: 'ip_range', value: '198.51.100.0/24' }],
        description: name,
      },
    ],
    [
      `POST /zones/${shop}/firewall/ua_rules`,
      {
        mode: 'js_challenge',
        configuration: {
          target: 'ua',
          value: 'Mozilla/5.0 (compatible; SomeCrawler/4.2; +https://crawler.example/about)',
        },
        description: name,
      },
    ],
    [
      `POST /zones/${shop}/firewall/access_rules/rules`,
      {
        mode: 'challenge',
        configuration: { target: 'ip6', value: '2001:0db8:0000:0000:0000:0000:0000:0001' },
        notes: name,
      },
    ],
    [
      `POST ${account}/rules/lists`,
      { name: 'addresses_of_partners_and_their_crawlers', kind: 'ip', description: name },
    ],
    ['POST /zones', { name: 'the-shop-with-a-rather-long-name.of-a-partner.example' }],
  ];
  for (const [route, body] of calls) {
    const { success, errors } = await site.call(route, body);
    equal(success, true, `${route}: ${JSON.stringify(errors)}`);
  }
}

/** On a busy machine the page takes a while to follow its window: a fault is one that stays. */
const looksMax = 40;

async function measureSettled(page: Page): Promise<readonly string[]> {
  let faults: readonly string[] = [];
  for (let looks = 0; looks < looksMax; looks++) {
    await settle(page);
    faults = await page.evaluate(measureNames);
    if (faults.length === 0) break;
  }
  return faults;
}

async function findNarrow(walker: Walker, stop: Stop): Promise<readonly string[]> {
  const { page } = walker;
  await page.setViewportSize({ width: widths.at(-1)!, height: 900 });
  await walker.goTo(stop);
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await measureSettled(page)).map((fault) => `${stop.name} at ${width}: ${fault}`));
    if (pictures === undefined) continue;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({
      path: join(pictures, `${stop.name}-${width}.png`),
      fullPage: true,
      clip: { x: 0, y: 0, width, height: 1600 },
    });
  }
  return found;
}

test('every page shows names and controls whole, and nothing sideways, from 320 to 1,920 pixels', async () => {
  await using sample = await openSampleSite({ hasOwnFonts: true, isWhole: true });
  await addLongNames(sample);
  const walker = await Walker.open(sample, widths.at(-1)!);
  await walker.signIn();
  const found: string[] = [];
  for (const stop of pages) found.push(...(await findNarrow(walker, stop)));
  sample.site.checkConsole();
  deepEqual(found, []);
});
