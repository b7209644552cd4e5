/** The first read of a 1 MB SQL object that is not in memory: after `abort()`, and after the server was killed. */
import { elapsedMs } from './operations.ts';
import { below, median, type Result, sameCheck } from './result.ts';
import type { Server } from './servers.ts';

const WAKE_MS_TARGET = 10;

export async function benchWake(servers: readonly [Server, Server], small: boolean): Promise<Result[]> {
  const names = Array.from({ length: small ? 5 : 30 }, (_, i) => `megabyte-${i}`);
  const afterAbort = [];
  const afterKill = [];
  const checks = [];
  for (const server of servers) {
    for (const name of names) await server.ask('/fill', { class: 'SQL', name });
    for (const name of names) await server.ask('/reset', { class: 'SQL', name });
    afterAbort.push(await medianReadMs(server, names));
    await server.restart();
    await server.ask('/hello');
    afterKill.push(await medianReadMs(server, names));
    checks.push(await server.ask('/read', { class: 'SQL', name: names[0]!, id: 777 }));
  }
  const check = sameCheck('wake', checks[0]!, checks[1]!);
  const result = (name: string, [workerd, gatehouse]: readonly number[]): Result =>
    below(WAKE_MS_TARGET, { name, unit: 'ms', workerd: workerd!, gatehouse: gatehouse!, check });
  return [
    result('wake a 1 MB object after abort()', afterAbort),
    result('wake a 1 MB object after kill -9', afterKill),
  ];
}

/** Whole requests: the waiting time of a client. */
async function medianReadMs(server: Server, names: readonly string[]): Promise<number> {
  const times = [];
  for (const name of names)
    times.push(await elapsedMs(() => server.ask('/read', { class: 'SQL', name, id: 500 })));
  return median(times);
}
