/** The overview of a zone in a real browser: an unprotected site is protected, attacked, and the attack explained and excepted. */
import { equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askUntil, createEvent, formatTimeAgo, recordEvents } from './activity-log.ts';
import { createCounts, placeOfField, type TrafficField } from '#events';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

const attack = '?redirect:https://elsewhere.example/';

test('a site without protection is protected, and the attack it let through is blocked, explained, excepted; then all is undone', async () => {
  const host = 'shop.example';
  const zone = await site.createZone(host, 'free');
  const attackOn = (path: string) => site.visit(host, `${path}${attack}`);
  const served = await askUntil(
    () => attackOn('/search'),
    ({ status }) => status === 200,
  );
  equal(served.body, 'from the origin');

  const page = await site.openSignedIn(`/zones/${zone}`);
  await page.getByText(`Nothing protects ${host}`).waitFor();
  await site.inspect(page, 'overview-unprotected');
  await page.getByRole('button', { name: 'Protect this site' }).click();
  equal(await page.getByLabel('Where is your application?').inputValue(), site.originUrl);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('The plan becomes pro').waitFor();
  await site.inspect(page, 'overview-protect');
  await page.getByRole('dialog').getByRole('button', { name: 'Protect this site' }).click();
  await page.getByText('Managed rulesets check every request to shop.example').waitFor();

  const blocked = await askUntil(
    () => attackOn('/search'),
    ({ status }) => status === 403,
  );
  equal(blocked.status, 403);
  const events = `GET /zones/${zone}/security/events`;
  const logged = await askUntil(
    () => site.call(events),
    ({ result }) => result.length > 0,
  );
  equal(logged.result[0].clientRequestPath, '/search');

  await page.getByRole('link', { name: 'Activity log', exact: true }).click();
  await page.getByRole('row').getByText('/search').waitFor();
  await page.getByRole('row').filter({ hasText: '/search' }).getByRole('button').first().click();
  const panel = page.getByRole('complementary');
  match(await panel.locator('mark').first().innerText(), /redirect:/);
  await site.inspect(page, 'activity-event');
  await panel.getByRole('button', { name: 'Make an exception…' }).click();
  await panel.getByRole('radio', { name: 'No rule of this ruleset acts on /search' }).check();
  await panel.getByText('nothing else').first().waitFor();
  await panel.getByRole('cell', { name: '/search' }).waitFor();
  await site.inspect(page, 'activity-exception');
  await panel.getByRole('button', { name: 'Save this exception' }).click();
  await panel.getByText('the request passes').waitFor();
  equal(
    (
      await askUntil(
        () => attackOn('/search'),
        ({ status }) => status === 200,
      )
    ).status,
    200,
  );
  equal((await attackOn('/elsewhere')).status, 403);

  await page.goto(`${site.url}/zones/${zone}`);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Nothing protects shop.example').waitFor();
  equal((await site.call(`GET /zones/${zone}`)).result.plan.legacy_id, 'free');
  equal(
    (
      await askUntil(
        () => attackOn('/elsewhere'),
        ({ status }) => status === 200,
      )
    ).status,
    200,
  );
  site.checkConsole();
});

test('a zone without an origin gets one, and undoing takes it away', async () => {
  const { result } = await site.call('POST /zones', {
    name: 'new.example',
    account: { id: site.program.ready.account_id },
  });
  const page = await site.openSignedIn(`/zones/${result.id}`);
  await page.getByText('new.example has no origin').waitFor();
  await page.getByRole('button', { name: 'Protect this site' }).click();
  await page.getByLabel('Where is your application?').fill('http://127.0.0.1:1/a/path');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('radio', { name: 'Business' }).check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Protect this site' }).click();
  // A refusal of the first step is shown where it can be corrected, and nothing is lost.
  await page.getByText('The site is not protected yet').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Where is your application?').fill(site.originUrl);
  await page.getByRole('button', { name: 'Next' }).click();
  equal(await page.getByRole('radio', { name: 'Business' }).isChecked(), true);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Protect this site' }).click();
  await page.getByText('Managed rulesets check every request').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('new.example has no origin').waitFor();
  site.checkConsole();
});

async function recordTraffic(
  zoneId: string,
  traffic: readonly { readonly hoursAgo: number; readonly counts: Partial<Record<TrafficField, number>> }[],
): Promise<void> {
  const rows = traffic.map(({ hoursAgo, counts }) => {
    const all = createCounts();
    for (const [field, count] of Object.entries(counts)) all[placeOfField[field as TrafficField]] = count;
    return { zone_id: zoneId, minute: Math.floor(Date.now() / 60_000) - hoursAgo * 60, counts: [...all] };
  });
  const path = `/accounts/${site.program.ready.account_id}/edge/traffic`;
  const answer = await site.call(`POST ${path}`, { batch: zoneId, rows });
  equal(answer.success, true, JSON.stringify(answer.errors));
}

test('the overview shows what happened most; a range of the chart narrows everything and leads to the log', async () => {
  const zone = await site.createZone('busy.example', 'enterprise');
  const at = (hoursAgo: number): string => formatTimeAgo(hoursAgo * 3_600_000);
  await recordEvents(site, zone, [
    ...Array.from({ length: 30 }, () => ({ event: createEvent({ datetime: at(3) }) })),
    ...Array.from({ length: 9 }, () => ({
      event: createEvent({
        datetime: at(9),
        action: 'log',
        ruleId: '00000000000000000000000000000003',
        description: 'watched',
        clientRequestPath: '/cart',
        clientIP: '198.51.100.7',
        clientCountryName: 'FR',
      }),
    })),
    ...Array.from({ length: 12 }, () => ({
      event: createEvent({ datetime: at(5), action: 'managed_challenge', clientRequestPath: '/login' }),
    })),
  ]);
  const page = await site.openSignedIn(`/zones/${zone}`);
  await page.getByText('No request in this time').waitFor();
  await site.inspect(page, 'overview-no-requests');
  await recordTraffic(zone, [
    { hoursAgo: 3, counts: { forwarded: 500, status2xx: 500, blocked: 30, status4xx: 30 } },
    { hoursAgo: 5, counts: { forwarded: 1200, status2xx: 1200, challenged: 12, status4xx: 12 } },
    { hoursAgo: 9, counts: { forwarded: 1070, status2xx: 1070 } },
  ]);
  await page.reload();
  await page.getByText('2,812 requests').waitFor();
  await page.getByText('Passed to the origin 2,770').waitFor();
  await page.getByText('51 events').waitFor();
  await page.getByRole('link', { name: '/cart 9' }).waitFor();
  const chart = page.locator('.u-over').first();
  await page.locator('.u-over').nth(1).waitFor();
  await site.inspect(page, 'overview');

  // The part of the chart with the events of nine hours ago, which is left of its middle.
  await chart.hover();
  const box = (await chart.boundingBox())!;
  const across = (hoursAgo: number): number => box.x + box.width * (1 - hoursAgo / 24);
  await page.mouse.move(across(11), box.y + 40);
  await page.mouse.down();
  await page.mouse.move(across(7), box.y + 40, { steps: 4 });
  await page.mouse.up();
  await page.getByText('1,070 requests').waitFor();
  await page.getByText('9 events').waitFor();
  await page.getByRole('link', { name: 'watched 9' }).waitFor();
  equal(await page.getByRole('link', { name: '/login' }).count(), 0);
  await page.getByRole('link', { name: 'Open in the activity log' }).click();
  await page.getByRole('row').getByText('/cart').first().waitFor();
  equal(
    await page
      .getByRole('row')
      .filter({ has: page.getByRole('button') })
      .count(),
    9,
  );
  match(page.url(), /since=.*&until=/);

  const phone = await site.openSignedIn(`/zones/${zone}`, { width: 390, locale: 'de-DE' });
  await phone.getByText('51 events').waitFor();
  // Numbers are in the format of the reader's language.
  await phone.getByText('2.812 requests').waitFor();
  await phone.locator('.u-over').nth(1).waitFor();
  await site.inspect(phone, 'overview-phone');
  site.checkConsole();
});
