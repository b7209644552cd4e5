/** The page of metrics, in a real browser. */
import { equal, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
  await page.getByText('average time to judge').waitFor();
  // The second reading is there: rules were measured between the two.
  const judged = page.locator('.metrics-tile', { hasText: 'average time to judge' });
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
