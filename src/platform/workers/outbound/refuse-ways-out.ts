/**
 * Refuses the ways out of a Worker's process other than connections: other processes, threads with globals of their
 * own, native code, listeners, UDP, database files, the debugger, the handles of Node's modules, and functions that act
 * on the process as a whole. Cloudflare has none of them. They are refused where all paths to them meet, so it does not
 * matter how code obtained them (`import`, `require`, `process.getBuiltinModule`, `node:cluster`, `node:test`); the
 * program's own uses are marked by `startOwn`.
 */
import { isStartingOwn, startOwn } from '#work';
import inspector from 'node:inspector';
import inspectorPromises from 'node:inspector/promises';
import dgram from 'node:dgram';
import module, { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { constants } from 'node:os';
import sqlite, { DatabaseSync } from 'node:sqlite';
import v8 from 'node:v8';
import threads from 'node:worker_threads';
import type { Handles } from './handles.ts';
import { seal } from './seal.ts';

/** The code of such errors in Cloudflare's implementation of Node's modules. */
class NotForWorkersError extends Error {
  override readonly name = 'NotForWorkersError';
  readonly code = 'ERR_METHOD_NOT_IMPLEMENTED';

  constructor(what: string) {
    super(`${what} is not open to a Worker: ${why}`);
  }
}

const why = 'it would reach beyond the Worker. See docs/build/workers.md, "What its code can reach"';

/** Functions of the real process; a Worker's own `process` lacks them as well (`own-process.ts`). */
const refusedOfProcess = [
  ...[
    'binding',
    '_linkedBinding',
    'dlopen',
    'execve',
    '_debugProcess',
    '_debugEnd',
    'abort',
    'chdir',
    'umask',
  ],
  ...[
    'loadEnvFile',
    'initgroups',
    'setegid',
    'seteuid',
    'setgid',
    'setgroups',
    'setuid',
    'send',
    'disconnect',
  ],
  ...['_getActiveHandles', '_getActiveRequests', 'setSourceMapsEnabled'],
  ...['setUncaughtExceptionCaptureCallback', 'addUncaughtExceptionCaptureCallback'],
];

/** By their owners. */
const refusedFunctions = (): readonly (readonly [
  name: string,
  owner: object,
  functions: readonly string[],
])[] => [
  ['process', process, refusedOfProcess],
  ['v8', v8, ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit', 'writeHeapSnapshot']],
  ['dgram', dgram, ['createSocket', 'Socket', '_createSocketHandle']],
  ['inspector', inspector, ['open', 'Session']],
  ['inspector', inspectorPromises, ['open', 'Session']],
  // Its hooks run in a thread.
  ['module', module, ['register']],
  ['DatabaseSync', DatabaseSync.prototype, ['enableLoadExtension', 'loadExtension']],
];

/** Called once. */
export function refuseWaysOut(handles: Handles): void {
  refuseProcesses(handles);
  refuseListeners(handles);
  refuseConstruction(threads, 'Worker', 'worker_threads.Worker');
  refuseConstruction(sqlite, 'DatabaseSync', 'node:sqlite');
  refuseSignals();
  refuseEnd();
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, owner, functions] of refusedFunctions()) refuseAll(name, owner, functions);
  const native = loadQuietly('node:ffi');
  if (native !== undefined) refuseAll('ffi', native, Object.keys(native));
  // Updates the named imports.
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

function refuseProcesses({ process: handle, spawnSync }: Handles): void {
  for (const owner of [handle, ...(spawnSync === undefined ? [] : [spawnSync])]) {
    const spawn = owner['spawn']!;
    seal(owner, 'spawn', function guarded(this: object, ...args: never[]) {
      if (!isStartingOwn()) throw new NotForWorkersError('child_process');
      return Reflect.apply(spawn, this, args);
    });
  }
}

/** All ways to listen on a port or a socket of the file system: `listen` of a server, and the handles below it. */
function refuseListeners({ tcp, pipe }: Handles): void {
  const { prototype } = net.Server;
  const listen = Reflect.get(prototype, 'listen') as (...args: never[]) => unknown;
  const setUp = Reflect.get(prototype, '_listen2') as (...args: never[]) => unknown;
  const own = new WeakSet<object>();
  seal(prototype, 'listen', function guarded(this: object, ...args: never[]) {
    if (!isStartingOwn()) throw new NotForWorkersError('a listener');
    own.add(this);
    return Reflect.apply(listen, this, args);
  });
  for (const name of ['_listen2', '_setupListenHandle'])
    // After the address was looked up.
    seal(prototype, name, function guarded(this: object, ...args: never[]) {
      if (!own.has(this)) throw new NotForWorkersError('a listener');
      return startOwn(() => Reflect.apply(setUp, this, args));
    });
  for (const [handle, name] of [
    [tcp, 'listen'],
    [pipe, 'bind'],
    [pipe, 'listen'],
  ] as const) {
    const method = handle[name]!;
    seal(handle, name, function guarded(this: object, ...args: never[]) {
      return isStartingOwn() ? Reflect.apply(method, this, args) : -constants.errno.EACCES;
    });
  }
}

/** A class that only the program may instantiate. */
function refuseConstruction(owner: object, name: string, what: string): void {
  const original = Reflect.get(owner, name) as new (...args: never[]) => object;
  const guarded = new Proxy(original, {
    construct(target, args, newTarget) {
      if (!isStartingOwn()) throw new NotForWorkersError(what);
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
  seal(original.prototype as object, 'constructor', guarded as never);
  seal(owner, name, guarded as never);
}

/** Signals may only be sent to this process: its parent is the program. */
function refuseSignals(): void {
  // The function that `process.kill` calls.
  const kill = Reflect.get(process, '_kill') as (pid: number, signal: number) => number;
  seal(process, '_kill', (pid: number, signal: number) => {
    if (pid !== process.pid && signal !== 0) throw new NotForWorkersError('process.kill for another process');
    return kill(pid, signal);
  });
}

/** The process ends when the program requests it, or after an error. */
function refuseEnd(): void {
  for (const name of ['exit', 'reallyExit', 'kill']) {
    const end = Reflect.get(process, name) as (...args: never[]) => unknown;
    seal(process, name, function guarded(this: object, ...args: never[]) {
      // A signal of 0 tests whether a process exists.
      if (!isStartingOwn() && !(name === 'kill' && args[1] === 0))
        throw new NotForWorkersError(`process.${name}`);
      return Reflect.apply(end, this, args);
    });
  }
}

/** Without the warning that it is experimental: it will not be used. */
function loadQuietly(name: string): object | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule(name);
  } finally {
    process.emitWarning = emitWarning;
  }
}
