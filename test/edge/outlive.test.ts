/** The workers of the edge outlive the program: they serve without it, and the next program takes them over. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Agent } from 'node:http';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { TestOrigin } from './test-origin.ts';
import { WorkerSite } from './worker-site.ts';

/** All processes below one, with their titles; those whose parent has ended are found by theirs. */
function listProcesses(title: RegExp): Map<number, number> {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const found = lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(line))
    .filter((each) => each !== null && title.test(each[3]!));
  return new Map(found.map((each) => [Number(each![1]), Number(each![2])]));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Of this server. */
function findProgram(site: WorkerSite): number | undefined {
  for (const [pid, parent] of listProcesses(/^gatehouse: program/))
    if (parent === site.server.process.pid) return pid;
  return undefined;
}

function listChildren(parent: number, title: RegExp): number[] {
  return [...listProcesses(title)].filter(([, above]) => above === parent).map(([pid]) => pid);
}

test('edge workers outlive a program that is killed: no request fails, and the next program has them', async (t) => {
  await using origin = await TestOrigin.listen();
  const site = await WorkerSite.start(t, { environment: { GATEHOUSE_WATCHDOG: 'true' } });
  await site.call(`PUT /zones/${site.zone.id}/edge`, { origin: { url: origin.url } });
  let inRow = 0;
  await eventually(async () => {
    inRow = (await site.send('/')).status === 200 ? inRow + 1 : 0;
    return inRow >= 20;
  });
  const block = (path: string): Promise<void> =>
    site.call(`POST /zones/${site.zone.id}/firewall/rules`, [
      { action: 'block', filter: { expression: `http.request.uri.path eq "${path}"` } },
    ]);
  const program = findProgram(site)!;
  const workers = listChildren(program, /^gatehouse: edge worker \d/).toSorted();
  equal(workers.length, 2);

  const end = new AbortController();
  const outcomes = new Map<string, number>();
  const visit = async (agent: Agent | undefined): Promise<void> => {
    while (!end.signal.aborted) {
      const outcome = await site.send('/', agent === undefined ? {} : { agent }).then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => error.code ?? String(error),
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const visitors = [visit(agent), visit(undefined)];
  t.after(() => end.abort());
  for (let kills = 0; kills < 2; kills++) {
    const before = findProgram(site)!;
    process.kill(before, 'SIGKILL');
    await eventually(() => ![undefined, before].includes(findProgram(site)), 'another program');
    await site.server.said(new RegExp(`(?:ready again[^]*){${kills + 1}}`));
  }
  end.abort();
  await Promise.all(visitors);
  agent.destroy();
  deepEqual([...outcomes.keys()], ['200']);
  // On a busy machine one of them may reach the next program so late that another one takes its place.
  await site.server.said(/(?:took over the workers of the edge[^]*){2}/);
  equal(site.server.stderr.split('took over the workers of the edge').length, 3);
  ok(workers.some(isAlive));

  // They follow the new program, and it receives their reports.
  await block('/blocked');
  await eventually(async () => (await site.send('/blocked')).status === 403);
  await site.awaitWorkers();
  // A visitor has the answer before its worker has counted it.
  await eventually(
    async () => (await site.readMetric('gatehouse_edge_requests_total', '{verdict="blocked"}')) >= 1,
  );
  equal(await site.readMetric('gatehouse_edge_worker_ends_total', '{reason="failed"}'), 0);

  equal(await site.server.end('SIGTERM'), 0);
  await eventually(() => !workers.some(isAlive), 'the end of the workers');
});

test('edge workers without a program end with its watchdog', async (t) => {
  const site = await WorkerSite.start(t, { environment: { GATEHOUSE_WATCHDOG: 'true' } });
  const program = findProgram(site)!;
  const workers = listChildren(program, /^gatehouse: edge worker \d/);
  // Stopped, so that it starts no other program.
  site.server.process.kill('SIGSTOP');
  process.kill(program, 'SIGKILL');
  equal((await site.send('/')).status, 503);
  ok(workers.every(isAlive));
  site.server.process.kill('SIGKILL');
  await eventually(() => !workers.some(isAlive), 'the end of the workers');
});
