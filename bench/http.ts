/** Requests per second over HTTP from 32 connections, and how durable increments fare under it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stopped } from '../conformance/child.ts';
import { atLeast, type Result } from './result.ts';
import type { Server } from './servers.ts';

const CONNECTIONS = 32;

interface Load {
  readonly answered: number;
  readonly elapsedMs: number;
}

export async function benchHttp(servers: readonly [Server, Server], small: boolean): Promise<Result[]> {
  const durationMs = small ? 400 : 2000;
  const turns = small ? 1 : 2;
  const plain = async (name: string, path: string): Promise<Result> => {
    const [workerd, gatehouse] = await bestRates(servers, turns, (server) =>
      load(durationMs, [new URL(path, server.url())]),
    );
    return { name, unit: '/s', workerd, gatehouse, check: 'all 200' };
  };
  return [
    { name: 'http, plain node:http', unit: '/s', gatehouse: await plainRate(durationMs), check: 'all 200' },
    await plain('http, a worker without an object', '/hello'),
    atLeast(
      3,
      await plain('http, an object without storage', '/operate?class=SQL&name=idle&operation=empty&n=0'),
    ),
    await counter(servers, { kind: 'SQL', counters: 1, durationMs, turns }),
    await counter(servers, { kind: 'KV', counters: 1, durationMs, turns }),
    await counter(servers, { kind: 'SQL', counters: CONNECTIONS, durationMs, turns }),
    await counter(servers, { kind: 'KV', counters: CONNECTIONS, durationMs, turns }),
  ];
}

/** Each acknowledged increment must be counted, which one more increment per counter shows. */
async function counter(
  servers: readonly [Server, Server],
  options: { kind: 'SQL' | 'KV'; counters: number; durationMs: number; turns: number },
): Promise<Result> {
  const { kind, counters, durationMs, turns } = options;
  const names = Array.from({ length: counters }, (_, i) => `counter-${counters}-${i}`);
  const acknowledged = new Map<Server, number>();
  for (const server of servers) {
    await Promise.all(names.map((name) => server.ask('/increment', { class: kind, name })));
    acknowledged.set(server, counters);
  }
  const [workerd, gatehouse] = await bestRates(servers, turns, async (server) => {
    const urls = names.map((name) => new URL(`/increment?class=${kind}&name=${name}`, server.url()));
    const result = await load(durationMs, urls);
    acknowledged.set(server, acknowledged.get(server)! + result.answered);
    return result;
  });
  for (const server of servers) {
    const last = await Promise.all(names.map((name) => server.ask('/increment', { class: kind, name })));
    const counted = last.reduce((sum, text) => sum + Number(text) - 1, 0);
    if (counted !== acknowledged.get(server)) {
      throw new Error(
        `${server.name}: ${acknowledged.get(server)} increments acknowledged, ${counted} counted`,
      );
    }
  }
  const which = counters === 1 ? 'one durable counter' : `${counters} durable counters`;
  const result = {
    name: `http, ${which} (${kind.toLowerCase()} class)`,
    unit: '/s',
    check: 'all counted',
  } as const;
  return atLeast(5, { ...result, workerd, gatehouse });
}

async function bestRates(
  servers: readonly [Server, Server],
  turns: number,
  run: (server: Server) => Promise<Load>,
): Promise<[number, number]> {
  const best = [0, 0];
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, server] of servers.entries()) {
      const { answered, elapsedMs } = await run(server);
      best[i] = Math.max(best[i]!, (answered * 1000) / elapsedMs);
    }
  }
  return [best[0]!, best[1]!];
}

async function plainRate(durationMs: number): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'echo.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const { answered, elapsedMs } = await load(durationMs, [new URL(`http://127.0.0.1:${Number(port)}/`)]);
    return (answered * 1000) / elapsedMs;
  } finally {
    await stopped(child, 'SIGTERM');
  }
}

async function load(durationMs: number, urls: readonly URL[]): Promise<Load> {
  const args = [
    join(import.meta.dirname, 'load.ts'),
    String(CONNECTIONS),
    String(durationMs),
    ...urls.map(String),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Load;
}
