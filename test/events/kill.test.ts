import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { realClock } from '#base';
import { type EventStore, openEventStore } from '#events';

const child = fileURLToPath(new URL('store-child.ts', import.meta.url));
const all = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
/** Batches after which each process is killed: a few, and enough to continue in another file. */
const kills = [1, 9, 80, 20];

test('EventStore has every acknowledged event once after kill -9', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-events-kill-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const acknowledged = new Map<string, string[]>(['a', 'b', 'c'].map((zone) => [zone, []]));
  for (const [round, batches] of kills.entries()) {
    const running = spawn(process.execPath, [child, directory, `r${round}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => running.kill('SIGKILL'));
    let count = 0;
    for await (const line of createInterface({ input: running.stdout })) {
      const [zone, ...ids] = line.split(' ') as [string, ...string[]];
      // A line that is cut off does not count as acknowledged.
      if (ids.length === 40) acknowledged.get(zone)!.push(...ids);
      if (++count === batches) running.kill('SIGKILL');
    }
    if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
  }
  await using store = await openEventStore({ directory, clock: realClock, log: () => {} });
  for (const [zone, ids] of acknowledged) {
    const found: string[] = [];
    for (let cursor: Awaited<ReturnType<EventStore['find']>>['cursor'], isFirst = true; isFirst || cursor;) {
      isFirst = false;
      const page = await store.find(zone, all, {
        limit: 5_000,
        order: 'oldest',
        ...(cursor ? { cursor } : {}),
      });
      found.push(...page.events.map(({ id }) => id));
      ({ cursor } = page);
    }
    const there = new Set(found);
    equal(there.size, found.length, `zone ${zone} has an event twice`);
    deepEqual(
      ids.filter((id) => !there.has(id)),
      [],
      `zone ${zone} has lost events`,
    );
  }
});
