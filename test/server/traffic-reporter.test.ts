import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { createRecord } from '../../src/program/observability/access-log/testing.ts';
import { RefusedError } from '../../src/program/server/edge/remote-control.ts';
import type { TrafficBatch } from '../../src/program/server/edge/edge-reports.ts';
import { TrafficReporter } from '../../src/program/server/edge/traffic-reporter.ts';

const zone = (number: number) => ({ id: String(number).padStart(32, '0'), name: `${number}.example` });

test('TrafficReporter sends what it could not deliver again, as the same batch, before anything else', async () => {
  const sent: TrafficBatch[] = [];
  const errors: unknown[] = [];
  let failure: Error | undefined = new Error('away');
  const reporter = new TrafficReporter({
    send(batch) {
      sent.push(batch);
      if (failure !== undefined) throw failure;
    },
    onError: (error) => errors.push(error),
  });
  reporter.count(createRecord({ zone: zone(1) }));
  await reporter.report();
  reporter.count(createRecord({ zone: zone(2), hasEvents: true }));
  await reporter.report();
  failure = undefined;
  await reporter.report();
  await reporter.report();
  equal(sent.length, 4);
  deepEqual([sent[1], sent[2]], [sent[0], sent[0]]);
  equal(sent[3]!.name === sent[0]!.name, false);
  deepEqual(
    [sent[0], sent[3]].map((batch) => batch!.rows.map(({ zoneId }) => zoneId)),
    [[zone(1).id], [zone(2).id]],
  );
  equal(errors.length, 1);
  await reporter.close();
});

test('TrafficReporter drops a batch that is refused, and splits what is too much for one', async () => {
  const sizes: number[] = [];
  const reporter = new TrafficReporter({
    async send({ rows }) {
      sizes.push(rows.length);
      if (sizes.length === 1) throw new RefusedError('no');
    },
    onError: () => {},
  });
  for (let number = 0; number < 2_500; number++) reporter.count(createRecord({ zone: zone(number) }));
  await reporter.close();
  deepEqual(sizes, [1_000, 1_000, 500]);
});

test('TrafficReporter counts requests of zones only, with their status if there was one', async () => {
  const rows: TrafficBatch['rows'][number][] = [];
  const reporter = new TrafficReporter({ send: (batch) => void rows.push(...batch.rows), onError: () => {} });
  const outcome = (edgeStatus: number) => ({ originStatus: undefined, edgeStatus, refusal: undefined });
  reporter.count(createRecord({ zone: undefined, verdict: 'unserved' }));
  for (const edgeStatus of [200, 204, 404, 499, 444]) {
    reporter.count(
      createRecord({ zone: zone(1), outcome: outcome(edgeStatus), receivedBytes: 1, sentBytes: 2 }),
    );
  }
  await reporter.close();
  deepEqual(
    rows.map(({ counts }) => counts),
    [[5, 0, 0, 0, 0, 0, 2, 0, 2, 0, 1, 0, 5, 10, 0]],
  );
});
