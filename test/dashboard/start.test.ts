/** The first page: one question, and the way from a name to the first event, with the keyboard and on a phone. */
import { equal, match } from 'node:assert/strict';
import { after, test } from 'node:test';
import { DashboardSite } from './dashboard-site.ts';

const site = await DashboardSite.open();
after(() => site[Symbol.asyncDispose]());

test('protection.checkOrigin asks an origin, and says in words what is in the way', async () => {
  const zoneId = await site.createZone('check.example', 'free');
  const check = async (url: string): Promise<{ answers: boolean; status: number | null; sentence: string }> =>
    (await site.call(`POST /zones/${zoneId}/protection/origin_check`, { url })).result;
  equal((await check(site.originUrl)).sentence, 'It answers with 200.');
  // Ports below 1024 are not given out, and nothing listens on this one.
  match((await check('http://127.0.0.1:1')).sentence, /^Nothing listens there/);
  match((await check(`${site.url}/`)).sentence, /^This address is a listener of this program/);
  match((await check('http://169.254.169.254/')).sentence, /metadata service/);
  match(
    (await check('http://name.invalid/')).sentence,
    /host name does not exist|could not be resolved|did not answer/,
  );
  match((await check('ftp://127.0.0.1')).sentence, /begins with http/);
  await site.call(`DELETE /zones/${zoneId}`);
});

test('the first page asks what somebody came for, and leads from a name to the first event', async () => {
  const page = await site.openSignedIn('/');
  await page.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
  await site.inspect(page, 'first-question');
  await page.getByRole('link', { name: /^Protect a site/ }).press('Enter');
  await page.getByLabel('Host name').fill('Tea.example');
  await page.keyboard.press('Enter');
  const origin = page.getByLabel('Where is your application?');
  await origin.fill('http://127.0.0.1:1');
  await page.getByText('Nothing listens there').waitFor();
  await origin.fill(site.originUrl);
  await page.getByText('It answers with 200.').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'SQL injection' }).press('Enter');
  await page.getByText('Your first event').waitFor();
  await page.getByText(/^Blocked: /).waitFor();
  await site.inspect(page, 'start-event');
  await page.getByRole('link', { name: 'See everything about it in the activity log' }).press('Enter');
  await page.getByRole('heading', { name: 'Activity log' }).waitFor();
  // A site is served now: returning users know what they want.
  await page.goto(`${site.url}/`);
  await page.getByRole('link', { name: 'tea.example' }).waitFor();
  await page.getByRole('row', { name: /^tea\.example protected/ }).waitFor();
  equal(await page.getByRole('heading', { name: 'What do you want to do?' }).count(), 0);
  await site.inspect(page, 'sites');
  site.checkConsole();
});

test('the other answers lead to commands, also on a phone', async () => {
  const page = await site.openSignedIn('/start', { width: 390 });
  for (const [answer, command] of [
    ['Rehearse a migration', /^gatehouse migrate rehearse/],
    ['Run a Worker', /^gatehouse dev$/],
    ['Look around', /^gatehouse demo$/],
  ] as const) {
    await page.getByRole('link', { name: new RegExp(`^${answer}`) }).click();
    await page.getByText(command).waitFor();
  }
  await page.getByRole('link', { name: /^Protect a site/ }).click();
  await page.getByLabel('Host name').waitFor();
  await site.inspect(page, 'start-phone');
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  equal(isWide, false);
  site.checkConsole();
});
