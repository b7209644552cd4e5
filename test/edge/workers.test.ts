/** The edge in worker processes, as `gatehouse serve` starts it. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { TestOrigin } from './test-origin.ts';
import { WorkerSite } from './worker-site.ts';
import { sweepChanges } from './worker-sweep.ts';

const forwarded = '{verdict="forwarded"}';

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function setOrigin(site: WorkerSite, origin: TestOrigin): Promise<void> {
  await site.call(`PUT /zones/${site.zone.id}/edge`, { origin: { url: origin.url } });
  // Both workers have it when a number of new connections in a row are served.
  let inRow = 0;
  await eventually(async () => {
    inRow = (await site.send('/')).status === 200 ? inRow + 1 : 0;
    return inRow >= 20;
  });
}

test('edge workers write one access log and one set of metrics, which a worker that dies does not take along', async (t) => {
  await using origin = await TestOrigin.listen();
  const site = await WorkerSite.start(t);
  await setOrigin(site, origin);
  const before = origin.take().length;
  await Promise.all(Array.from({ length: 40 }, (_, index) => site.send(`/counted/${index}`)));
  // A visitor has the answer before its worker has counted it.
  await eventually(
    async () => (await site.readMetric('gatehouse_edge_requests_total', forwarded)) === before + 40,
  );
  const [first, second] = site.listWorkers();
  const waiting = await site.findWaiting();
  process.kill(first!, 'SIGKILL');
  await eventually(() => !site.listWorkers().includes(first!));
  equal(await site.readMetric('gatehouse_edge_requests_total', forwarded), before + 40);
  await site.awaitWorkers();
  // The standby worker has taken its place.
  deepEqual(new Set(site.listWorkers()), new Set([second, waiting]));
  equal(await site.readMetric('gatehouse_edge_worker_ends_total', '{reason="signal"}'), 1);
  equal(await site.server.end('SIGTERM'), 0);
  const lines = readFileSync(join(site.directory, 'data', 'logs', 'edge-access.log'), 'utf8');
  // Lines that were not written when their worker was killed are lost, as documented; none is duplicated.
  const paths = [...lines.matchAll(/"(\/counted\/\d+)"/g)].map(([, path]) => path);
  equal(new Set(paths).size, paths.length);
});

test('edge workers that are killed again and again: each connection is served or cut, none is refused', async (t) => {
  await using origin = await TestOrigin.listen();
  const site = await WorkerSite.start(t);
  await setOrigin(site, origin);
  const end = new AbortController();
  const outcomes = new Map<string, number>();
  const visitors = Array.from({ length: 4 }, async () => {
    while (!end.signal.aborted) {
      const outcome = await site.send('/').then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => error.code ?? String(error),
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  });
  for (let kill = 0; kill < 4; kill++) {
    const [victim] = site.listWorkers();
    process.kill(victim!, 'SIGKILL');
    await eventually(() => site.listWorkers().length === 2 && !site.listWorkers().includes(victim!));
    await site.awaitWorkers();
  }
  end.abort();
  await Promise.all(visitors);
  for (const outcome of outcomes.keys())
    ok(['200', '503', 'ECONNRESET', 'EPIPE'].includes(outcome), JSON.stringify([...outcomes]));
  await site.server.said(/"process":"edge worker \d","pid":\d+,"reason":"it was ended by SIGKILL"/);
});

test('an edge worker that does not answer is replaced, and does not hold the program when it stops', async (t) => {
  await using origin = await TestOrigin.listen();
  const site = await WorkerSite.start(t);
  await setOrigin(site, origin);
  const [stopped] = site.listWorkers();
  process.kill(stopped!, 'SIGSTOP');
  await site.server.said(/its watchdog did not answer/);
  await eventually(() => !site.listWorkers().includes(stopped!));
  await site.awaitWorkers();
  equal((await site.send('/')).status, 200);
  process.kill(site.listWorkers()[0]!, 'SIGSTOP');
  equal(await site.server.end('SIGTERM'), 0);
});

test('SIGUSR2 replaces the edge workers one by one with the settings of now, and no connection is refused', async (t) => {
  await using origin = await TestOrigin.listen();
  const directory = temporary(t);
  const file = join(directory, 'gatehouse.toml');
  writeFileSync(file, 'edge_body_bytes = 100\n');
  const site = await WorkerSite.start(t, { directory });
  await setOrigin(site, origin);
  equal((await site.send('/', { body: 'x'.repeat(50) })).status, 200);
  const before = site.listWorkers();
  writeFileSync(file, 'edge_body_bytes = 10\n');
  const end = new AbortController();
  const visitors = Array.from({ length: 4 }, async () => {
    while (!end.signal.aborted) equal((await site.send('/')).status, 200);
  });
  site.server.process.kill('SIGUSR2');
  await site.server.said(/"reloaded"/);
  await eventually(() => !site.listWorkers().some((pid) => before.includes(pid)));
  end.abort();
  await Promise.all(visitors);
  equal((await site.send('/', { body: 'x'.repeat(50) })).status, 413);
  writeFileSync(file, 'edge_body_bytes = "many"\n');
  site.server.process.kill('SIGUSR2');
  await site.server.said(/could not reload the configuration; keeping the current one/);
  equal(await site.server.end('SIGTERM'), 0);
});

test('edge workers end with their program when it is killed, and the next start serves', async (t) => {
  await using origin = await TestOrigin.listen();
  const site = await WorkerSite.start(t);
  await setOrigin(site, origin);
  const workers = site.listWorkers();
  await site.server.end('SIGKILL');
  await eventually(() => !workers.some(isAlive));
  const again = await WorkerSite.start(t, { directory: site.directory });
  equal((await again.send('/')).status, 200);
});

test('edge workers judge every request, and never by an older version on one connection, while they are killed', async (t) => {
  const site = await WorkerSite.start(t);
  const changes = Number(process.env['GATEHOUSE_SWEEP_CHANGES'] ?? 150);
  // A kill costs as much as many changes.
  const changesPerKill = Math.max(30, changes / 100);
  const { answered, cut, kills } = await sweepChanges(site, { changes, changesPerKill, clients: 2 });
  t.diagnostic(`${answered} requests answered, ${cut} connections cut, ${kills} workers killed`);
  ok(answered > 0);
  equal(kills, Math.floor(changes / changesPerKill));
});
