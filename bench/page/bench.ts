/**
 * The dashboard in a real Chromium, with a zone that has a million events of the last month:
 *
 *     node bench/page/bench.ts [--events 1000000] [--small] [--data DIRECTORY]
 *
 * It makes the data directory (one that is given is kept, and used again if it has the events already), serves it, and
 * uses the activity page: load, scroll, filter, chart, event. Printed are the bytes of the page's own files as they are sent,
 * the processor time of the page's main thread until it can be used, and the longest task of that thread in each use: a
 * reader waits so long at most. Processor time and not time by the clock, which a busy machine makes longer.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DashboardSite } from '../../test/dashboard/dashboard-site.ts';
import { fillLog } from './fill-log.ts';
import { Watch } from './watch.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    small: { type: 'boolean', default: false },
    data: { type: 'string' },
  },
});
const count = values.small ? 20_000 : Number(values.events);
if (!(count >= 1_000 && count <= 10_000_000)) {
  console.error('usage: node bench/page/bench.ts [--events 1000…10000000] [--small] [--data DIRECTORY]');
  process.exit(2);
}

const fileBytesMax = 150_000;
const interactiveMsMax = 300;
const taskMsMax = 100;
/** Screens that are scrolled through. */
const wheelTurns = values.small ? 40 : 400;

const directory = values.data ?? mkdtempSync(join(tmpdir(), 'gatehouse-bench-page-'));
try {
  const { zoneId, token } = await prepare(join(directory, 'data'));
  await using site = await DashboardSite.open({ data: join(directory, 'data') });
  console.log(`${count.toLocaleString('en')} events of one zone in the last 30 days.\n`);
  await measureLoads(site, token, zoneId);
  await measureUse(site, token, zoneId);
} finally {
  if (values.data === undefined) rmSync(directory, { recursive: true, force: true });
}

interface Prepared {
  readonly zoneId: string;
  readonly token: string;
}

async function prepare(data: string): Promise<Prepared> {
  const note = join(directory, `filled-${count}.json`);
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8')) as Prepared;
  const prepared = await createZone(data);
  await fillLog({ directory: join(data, 'events'), zoneId: prepared.zoneId, count });
  writeFileSync(note, JSON.stringify(prepared));
  return prepared;
}

async function createZone(data: string): Promise<Prepared> {
  await using site = await DashboardSite.open({ data });
  return { zoneId: await site.createZone('busy.example', 'enterprise'), token: site.token };
}

async function measureLoads(site: DashboardSite, token: string, zoneId: string): Promise<void> {
  console.log(
    '| first load, nothing kept by the browser | page files, bytes | target | CPU ms until it can be used | target |',
  );
  console.log('| --- | ---: | --- | ---: | --- |');
  const loads = [
    { title: 'the form to sign in', path: '/', isSignedIn: false, ready: 'input', bytesMax: fileBytesMax },
    { title: 'the list of sites', path: '/', isSignedIn: true, ready: 'main a', bytesMax: fileBytesMax },
    {
      title: 'the activity page, with editor and chart',
      path: `/zones/${zoneId}/activity?since=30d`,
      isSignedIn: true,
      ready: '.activity-event',
    },
  ];
  for (const { title, path, isSignedIn, ready, bytesMax } of loads) {
    const page = await site.openWindow();
    if (isSignedIn) await page.request.post(`${site.url}/session`, { data: { token } });
    const watch = await Watch.start(page);
    await page.goto(`${site.url}${path}`);
    await page.locator(ready).first().waitFor();
    const cpuMs = await watch.readCpuMs();
    const bytes = watch.fileBytes;
    console.log(
      `| ${title} | ${bytes.toLocaleString('en')} | ${bytesMax === undefined ? '' : judge(bytes, bytesMax, 'bytes')} | ${cpuMs.toFixed(0)} | ${judge(cpuMs, interactiveMsMax, 'ms')} |`,
    );
    await page.context().close();
  }
  console.log('');
}

async function measureUse(site: DashboardSite, token: string, zoneId: string): Promise<void> {
  const page = await site.openWindow();
  await page.request.post(`${site.url}/session`, { data: { token } });
  const watch = await Watch.start(page);
  console.log(
    '| use of the activity page, 30 days | longest task, CPU ms | by the clock | target | all answers, s |',
  );
  console.log('| --- | ---: | ---: | --- | ---: |');
  const use = async (title: string, act: () => Promise<void>): Promise<void> => {
    const startMs = performance.now();
    const { cpuMs, wallMs } = await watch.watchTasks(async () => {
      await act();
      await watch.untilAnswered();
    });
    const seconds = (performance.now() - startMs) / 1_000;
    console.log(
      `| ${title} | ${cpuMs.toFixed(0)} | ${wallMs.toFixed(0)} | ${judge(cpuMs, taskMsMax, 'ms')} | ${seconds.toFixed(1)} |`,
    );
  };
  const rows = page.locator('.activity-event');
  const conditions = page.getByRole('list', { name: 'Conditions' });
  await use('open it', async () => {
    await page.goto(`${site.url}/zones/${zoneId}/activity?since=30d`);
    await rows.first().waitFor();
    await page.locator('.u-over').waitFor();
    await page.locator('.facet-value').first().waitFor();
  });
  await use(`scroll ${wheelTurns.toLocaleString('en')} screens down`, async () => {
    await page.locator('.activity-list').hover();
    for (let turn = 0; turn < wheelTurns; turn++) await page.mouse.wheel(0, 600);
  });
  const loaded = await page.getByRole('status').filter({ hasText: 'loaded' }).innerText();
  await use('filter by a value of the list', async () => {
    await rows.first().getByRole('cell').nth(1).getByRole('button').click();
    await conditions.waitFor();
  });
  await use('leave a value out by a facet', async () => {
    await page
      .getByRole('button', { name: /^Leave out Path/ })
      .first()
      .click();
    await conditions.getByText('is not').waitFor();
  });
  await use('search with an expression', async () => {
    const input = page.getByLabel('Requests for which this is true');
    await input.fill('http.request.uri.path contains "/admin"');
    await input.press('Enter');
    await page.waitForURL(/expression=/);
  });
  await use('remove all conditions', () => page.getByRole('button', { name: 'Remove all' }).click());
  await use('open an event, and walk through 20', async () => {
    await rows.first().locator('.activity-open').click();
    await page.getByLabel('The request').waitFor();
    for (let turn = 0; turn < 20; turn++) await page.keyboard.press('j');
  });
  console.log(`\n${loaded}`);
  site.checkConsole();
}

function judge(measured: number, max: number, unit: string): string {
  return `≤ ${max.toLocaleString('en')} ${unit} ${measured <= max ? '✓' : '✗'}`;
}
