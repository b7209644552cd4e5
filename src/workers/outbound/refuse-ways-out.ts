/**
 * Refuses what would leave the process of a Worker beside its connections: other processes, threads with globals of their
 * own, native code, UDP, the debugger, the handles under Node's modules. Cloudflare has none of them. They are refused where
 * all ways to them end, so it does not matter how code came to them (`import`, `require`, `process.getBuiltinModule`,
 * `node:cluster`, `node:test`); what the program starts for itself is marked by `startOwn`.
 */
import { isStartingOwn } from '#base';
import inspector from 'node:inspector';
import inspectorPromises from 'node:inspector/promises';
import dgram from 'node:dgram';
import module, { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import threads from 'node:worker_threads';
import { seal } from './seal.ts';

/** The code is the one that Cloudflare's own modules of Node give such errors. */
class NotForWorkersError extends Error {
  override readonly name = 'NotForWorkersError';
  readonly code = 'ERR_METHOD_NOT_IMPLEMENTED';

  constructor(what: string) {
    super(`${what} is not open to a Worker: ${why}`);
  }
}

const why =
  'its code could get around the addresses that it may connect to. See docs/build/workers.md, "What its code can reach"';

/** By what they belong to. */
const refusedFunctions = (): readonly (readonly [
  name: string,
  owner: object,
  functions: readonly string[],
])[] => [
  ['process', process, ['binding', '_linkedBinding', 'dlopen', 'execve', '_debugProcess']],
  ['dgram', dgram, ['createSocket', 'Socket', '_createSocketHandle']],
  ['inspector', inspector, ['open', 'Session']],
  ['inspector', inspectorPromises, ['open', 'Session']],
  // Its hooks run in a thread.
  ['module', module, ['register']],
  ['DatabaseSync', DatabaseSync.prototype, ['enableLoadExtension', 'loadExtension']],
];

/** Called once, after everything that needs `process.binding`. */
export function refuseWaysOut(): void {
  refuseProcesses(Reflect.get(process, 'binding') as (name: string) => Record<string, unknown>);
  refuseThreads();
  refuseSignals();
  for (const [name, owner, functions] of refusedFunctions()) refuseAll(name, owner, functions);
  const native = loadQuietly('node:ffi');
  if (native !== undefined) refuseAll('ffi', native, Object.keys(native));
  // What was imported by name.
  syncBuiltinESMExports();
}

function refuseAll(name: string, owner: object, functions: readonly string[]): void {
  for (const each of functions) {
    if (typeof Reflect.get(owner, each) !== 'function') continue;
    seal(owner, each, function refused() {
      throw new NotForWorkersError(`${name}.${each}`);
    });
  }
}

function refuseProcesses(binding: (name: string) => Record<string, unknown>): void {
  const { prototype } = binding('process_wrap')['Process'] as { readonly prototype: object };
  for (const owner of [prototype, binding('spawn_sync')]) {
    const spawn = Reflect.get(owner, 'spawn') as (...args: never[]) => unknown;
    seal(owner, 'spawn', function guarded(this: object, ...args: never[]) {
      if (!isStartingOwn()) throw new NotForWorkersError('child_process');
      return Reflect.apply(spawn, this, args);
    });
  }
}

function refuseThreads(): void {
  const { Worker } = threads;
  const guarded = new Proxy(Worker, {
    construct(target, args, newTarget) {
      if (!isStartingOwn()) throw new NotForWorkersError('worker_threads.Worker');
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
  seal(Worker.prototype, 'constructor', guarded as never);
  seal(threads, 'Worker', guarded as never);
}

/** Signals reach this process only: its parent is the program. */
function refuseSignals(): void {
  // What `process.kill` calls.
  const kill = Reflect.get(process, '_kill') as (pid: number, signal: number) => number;
  seal(process, '_kill', (pid: number, signal: number) => {
    if (pid !== process.pid && signal !== 0) throw new NotForWorkersError('process.kill for another process');
    return kill(pid, signal);
  });
}

/** Without a warning that it is experimental: it will not be used. */
function loadQuietly(name: string): object | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule(name);
  } finally {
    process.emitWarning = emitWarning;
  }
}
