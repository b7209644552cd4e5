/** The page of metrics, in a real browser. */
import { equal, ok } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  computeMean,
  computeRate,
  createReading,
  type Metric,
} from '../../src/page/pages/metrics/readings.ts';
import { DashboardSite } from './dashboard-site.ts';

let site: DashboardSite;
before(async () => {
  site = await DashboardSite.open();
});
after(() => site[Symbol.asyncDispose]());

test('computeRate and computeMean compare two readings, and say nothing where there is nothing to say', () => {
  const read = (total: number, count: number, atMs: number) =>
    createReading(
      [
        { name: 'calls', help: '', type: 'counter', points: [{ labels: {}, value: total }] },
        {
          name: 'seconds',
          help: '',
          type: 'histogram',
          points: [{ labels: {}, distribution: { bounds: [1], counts: [count, 0], sum: count / 2 } }],
        },
      ] satisfies Metric[],
      atMs,
    );
  equal(computeRate(read(10, 0, 0), read(30, 0, 2_000), 'calls'), 10);
  equal(computeRate(read(30, 0, 0), read(5, 0, 2_000), 'calls'), undefined, 'the program was started again');
  equal(computeRate(read(1, 0, 0), read(2, 0, 1_000), 'unknown'), undefined);
  equal(computeMean(read(0, 2, 0), read(0, 6, 1_000), 'seconds'), 0.5);
  equal(computeMean(read(0, 2, 0), read(0, 2, 1_000), 'seconds'), undefined);
});

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
