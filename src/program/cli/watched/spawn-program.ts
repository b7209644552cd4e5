/**
 * Starts the process of the program. It imports none of our modules, so that this is the first action of the watchdog:
 * the program loads its code while the watchdog loads its own.
 */
import { spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { isSea } from 'node:sea';
import type { Readable } from 'node:stream';
import type { ClosedProcess, StartedProcess } from '#processes';

/** The same as in `messages.ts` of the room `processes`. */
const messagesFd = 5;

/** The same as `listProgramArguments` of the room `base`. */
function listFlags(): readonly string[] {
  const flags = process.execArgv;
  return isSea() && flags.length > 0 ? [`--node-options=${flags.join(' ')}`] : flags;
}

/** The program is what the user starts: it gets all arguments, the command first, and all flags of Node. */
export function spawnProgram(args: readonly string[]): StartedProcess {
  const module = join(import.meta.dirname, `program-process${extname(import.meta.filename)}`);
  const cache = getCompileCacheDir();
  const child = spawn(process.execPath, [...listFlags(), module, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe', 'pipe'],
    serialization: 'advanced',
    env: { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }) },
  });
  const { promise, resolve } = Promise.withResolvers<ClosedProcess>();
  // Not `close`: children that outlive it also have its pipe.
  child.once('exit', (code, signal) => {
    const messages = (child.stdio as readonly unknown[])[messagesFd] as Readable;
    // Its last messages may still be in the message pipe, and its last sockets in the channel.
    const heard: Promise<void>[] = [];
    if (child.connected) heard.push(awaitEvent(child, 'disconnect'));
    if (!messages.closed) heard.push(awaitEvent(messages, 'close'));
    void Promise.all(heard).then(() => resolve({ code, signal }));
  });
  // A process that could not be started emits no `exit`.
  child.once('error', (error) => child.pid === undefined && resolve({ error }));
  return { process: child, closed: promise };
}

/** Node's `once` rejects at an error, which is irrelevant here. */
function awaitEvent(emitter: EventEmitter, name: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  emitter.once(name, () => resolve());
  return promise;
}
