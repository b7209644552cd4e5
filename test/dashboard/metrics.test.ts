/** The page of metrics, in a real browser. */
import { equal, ok } from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

test('metrics.list answers readings', async () => {
  const { result } = await site.call(`GET /accounts/${site.program.ready.account_id}/metrics`);
  const names = new Set(result.map(({ name }: { name: string }) => name));
  ok(names.has('process_resident_memory_bytes'));
  ok(names.has('gatehouse_event_loop_lag_seconds'));
});

test('the page of metrics shows traffic as it comes', async () => {
  await site.createZone('metrics.example', 'pro');
  const page = await site.openSignedIn('/metrics-board');
  await page.getByText('average evaluation time').waitFor();
  // The second reading is there: rules were measured between the two.
  const judged = page.locator('.metrics-tile', { hasText: 'average evaluation time' });
  const answer = await site.visit('metrics.example', '/');
  equal(answer.status, 200);
  await judged.getByText(/\d (µs|ms|s)$/).waitFor();
  await page.getByText(/^Show \d+ metrics$/).click();
  await page.getByText('gatehouse_edge_requests_total').waitFor();
  await site.inspect(page, 'metrics');
  await page.setViewportSize({ width: 390, height: 900 });
  await site.inspect(page, 'metrics-phone');
  site.checkConsole();
});

test('a part that is out of service is named with its reason on every page, until it serves again', async () => {
  const account = `/accounts/${site.program.ready.account_id}`;
  const stores = join(site.data, 'stores');
  mkdirSync(stores);
  writeFileSync(join(stores, 'something'), 'else');
  const { result } = await site.call(`POST ${account}/storage/kv/namespaces`, { title: 'cache' });
  const keys = `GET ${account}/storage/kv/namespaces/${result.id}/keys`;
  equal((await site.call(keys)).errors[0]!.code, 10910);
  const page = await site.openSignedIn('/workers');
  await page.getByText(/stores is out of service: .*has other content \(something/).waitFor();
  await site.inspect(page, 'out-of-service');
  rmSync(join(stores, 'something'));
  await eventually(async () => (await site.call(keys)).success);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  equal(await page.getByText('is out of service').count(), 0);
  site.checkConsole();
});
