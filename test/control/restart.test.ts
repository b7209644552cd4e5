import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { Timer, TimerKind } from '#base';
import { VirtualClock } from '#objects';
import { TestControl } from './harness.ts';
import { ListMaker } from './list-maker.ts';

/** Alarms that are due fire before anything else happens. */
class HastyClock extends VirtualClock {
  override setTimer(at: number, callback: () => void, kind?: TimerKind): Timer {
    if (kind !== 'alarm' || at > this.now()) return super.setTimer(at, callback, kind);
    let isCancelled = false;
    queueMicrotask(() => isCancelled || callback());
    return { cancel: () => void (isCancelled = true) };
  }
}

test('Control does what came due while it was closed as soon as it knows its zones, and not before', async () => {
  const first = await TestControl.open();
  const zone = first.zone('pro');
  await first.call(`PATCH /zones/${zone}/settings/waf`, { body: { value: 'on' } });
  const { result: configuration } = await first.call(`GET /zones/${zone}/waf_migration/config?phase_two=1`);
  const entryPoint = `/zones/${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  const moved = await first.call(`PUT ${entryPoint}?waf_migration=pending&phase_two=1`, {
    body: configuration,
  });
  equal(moved.status, 200);
  const { items } = await new ListMaker(first).makeList();
  equal((await first.call(`POST ${items}`, { body: [{ ip: '192.0.2.1' }] })).status, 201);

  const clock = new HastyClock({ start: first.clock.now() + 60_000 });
  const again = await first.restart({ clock });
  await clock.advance(10);
  const { result: status } = await again.call(`GET /zones/${zone}/waf_migration/status`);
  equal(status.migration_state, 'complete');
  const { result: kept } = await again.call(`GET ${items}`);
  deepEqual(
    kept.map(({ ip }: { ip: string }) => ip),
    ['192.0.2.1'],
  );
  await again.close();
});
