/**
 * Starts the process of the program. It imports nothing of ours, so that this is the first thing that the watchdog does:
 * the program loads its code while the watchdog loads its own.
 */
import { spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { isSea } from 'node:sea';
import type { Readable } from 'node:stream';
import type { ClosedProcess, StartedProcess } from '#processes';

/** As `messages.ts` of the room `processes` has it. */
const messagesFd = 5;

/** As `listProgramArguments` of the room `base` has them. */
function listFlags(): readonly string[] {
  const flags = process.execArgv;
  return isSea() && flags.length > 0 ? [`--node-options=${flags.join(' ')}`] : flags;
}

/** It is the program that the user means: it gets all arguments, the command first, and all flags of Node. */
export function spawnProgram(args: readonly string[]): StartedProcess {
  const module = join(import.meta.dirname, `program-process${extname(import.meta.filename)}`);
  const cache = getCompileCacheDir();
  const child = spawn(process.execPath, [...listFlags(), module, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe', 'pipe'],
    serialization: 'advanced',
    env: { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }) },
  });
  const { promise, resolve } = Promise.withResolvers<ClosedProcess>();
  // Not `close`: children that outlive it have its pipe as well.
  child.once('exit', (code, signal) => {
    const messages = (child.stdio as readonly unknown[])[messagesFd] as Readable;
    // Its last words may still be in the pipe for messages, and its last sockets in the channel.
    const heard: Promise<void>[] = [];
    if (child.connected) heard.push(awaitEvent(child, 'disconnect'));
    if (!messages.closed) heard.push(awaitEvent(messages, 'close'));
    void Promise.all(heard).then(() => resolve({ code, signal }));
  });
  // Without a process there is no `exit`.
  child.once('error', (error) => child.pid === undefined && resolve({ error }));
  return { process: child, closed: promise };
}

/** `once` of Node rejects at an error, which does not matter here. */
function awaitEvent(emitter: EventEmitter, name: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  emitter.once(name, () => resolve());
  return promise;
}
