/**
 * Storage operations inside an object. workerd stops its clock during a request, so time is taken outside: `n` rounds
 * of an operation in one request, minus a request that does nothing. Servers take turns, the best turn counts.
 */
import { atLeast, type Result, sameCheck } from './result.ts';
import type { Server } from './servers.ts';

interface Operation {
  readonly name: string;
  readonly class: 'SQL' | 'KV';
  readonly operation: string;
  /** The target, in multiples of workerd's speed. */
  readonly target: number;
}

const OPERATIONS: readonly Operation[] = [
  ...(['SQL', 'KV'] as const).flatMap((kind) =>
    [
      { operation: 'get number', target: 3 },
      { operation: 'get object', target: 3 },
      { operation: 'list 100 numbers', target: 2 },
      { operation: 'list 100 objects', target: 2 },
      { operation: 'put number', target: 3 },
      { operation: 'put object', target: 3 },
      { operation: 'async transaction', target: 3 },
    ].map(({ operation, target }) => ({
      name: `${operation} (${kind.toLowerCase()} class)`,
      class: kind,
      operation,
      target,
    })),
  ),
  ...['sql insert', 'sql point read', 'sql 100-row range read', 'transactionSync'].map((operation) => ({
    name: operation,
    class: 'SQL' as const,
    operation,
    target: 3,
  })),
];

const CHECK_N = 500;
const WARM_UP_N = 500;

export async function benchOperations(servers: readonly [Server, Server], small: boolean): Promise<Result[]> {
  const [turns, turnMs] = small ? [2, 60] : [5, 250];
  for (const server of servers) await prepare(server);
  const results: Result[] = [];
  for (const operation of OPERATIONS) {
    const checks = [];
    for (const server of servers) checks.push(await operate(server, operation, CHECK_N));
    const check = sameCheck(operation.name, checks[0]!, checks[1]!);
    const [workerd, gatehouse] = await bestMicroseconds(servers, operation, turns, turnMs);
    results.push(atLeast(operation.target, { name: operation.name, unit: 'µs', workerd, gatehouse, check }));
  }
  return results;
}

async function prepare(server: Server): Promise<void> {
  await server.ask('/prepare', { class: 'SQL', name: 'bench', what: 'keyValue' });
  await server.ask('/prepare', { class: 'SQL', name: 'bench', what: 'rows' });
  await server.ask('/prepare', { class: 'KV', name: 'bench', what: 'keyValue' });
}

function operate(
  server: Server,
  { operation, class: kind }: Pick<Operation, 'operation' | 'class'>,
  n: number,
): Promise<string> {
  return server.ask('/operate', { class: kind, name: 'bench', operation, n });
}

async function bestMicroseconds(
  servers: readonly [Server, Server],
  operation: Operation,
  turns: number,
  turnMs: number,
): Promise<[number, number]> {
  const best = [Infinity, Infinity];
  const counts: number[] = [];
  for (const server of servers) {
    const warmUpMs = await elapsedMs(() => operate(server, operation, WARM_UP_N));
    counts.push(Math.max(WARM_UP_N, Math.ceil((WARM_UP_N * turnMs) / warmUpMs)));
  }
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, server] of servers.entries()) {
      const emptyMs = await elapsedMs(() => operate(server, { ...operation, operation: 'empty' }, 0));
      const totalMs = await elapsedMs(() => operate(server, operation, counts[i]!));
      best[i] = Math.min(best[i]!, (Math.max(totalMs - emptyMs, 0) * 1000) / counts[i]!);
    }
  }
  return [best[0]!, best[1]!];
}

export async function elapsedMs(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
