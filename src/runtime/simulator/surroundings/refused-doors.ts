/**
 * Operations that code of an object cannot use in a simulation, because a seed does not determine their results: they
 * are refused by name. Code outside of objects, such as the test runner of the same process, is not affected.
 */
import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import net from 'node:net';
import workerThreads from 'node:worker_threads';
import { isInsideObject } from '#objects';
import { type AnyMethod, Replacements } from '../replacements.ts';

const reasons = {
  socket: 'what a native socket does is decided outside of the process',
  thread: 'when a thread runs does not follow from a seed',
  process: 'what another process does is decided outside of this one',
} as const;

type RefusedDoor = keyof typeof reasons;

function checkOutside(what: string, kind: RefusedDoor): void {
  if (isInsideObject()) throw new TypeError(`${what} cannot be simulated: ${reasons[kind]}`);
}

/** Every way to a socket or a process goes through one of these, in whichever module. */
const methods: ReadonlyArray<readonly [place: object, method: string, name: string, kind: RefusedDoor]> = [
  [net.Socket.prototype, 'connect', 'a connection of node:net', 'socket'],
  [net.Server.prototype, 'listen', 'a server of node:net', 'socket'],
  [dgram.Socket.prototype, 'bind', 'a socket of node:dgram', 'socket'],
  [childProcess.ChildProcess.prototype, 'spawn', 'a process of node:child_process', 'process'],
  [childProcess, 'spawnSync', 'spawnSync() of node:child_process', 'process'],
  [childProcess, 'execSync', 'execSync() of node:child_process', 'process'],
  [childProcess, 'execFileSync', 'execFileSync() of node:child_process', 'process'],
  [Atomics, 'wait', 'Atomics.wait()', 'thread'],
  [Atomics, 'waitAsync', 'Atomics.waitAsync()', 'thread'],
];

/** Node's types do not declare it. */
const { WebAssembly: webAssembly } = globalThis as unknown as { WebAssembly: object };

/** Installed for the duration of a simulation. */
export class RefusedDoors {
  readonly #replacements = new Replacements();

  constructor() {
    for (const [place, method, name, kind] of methods)
      this.#replacements.replace(
        place,
        method,
        (own) =>
          function (this: unknown, ...args) {
            checkOutside(name, kind);
            return Reflect.apply(own, this, args);
          } satisfies AnyMethod,
      );
    this.#replaceClass(workerThreads, 'Worker', () =>
      checkOutside('a Worker of node:worker_threads', 'thread'),
    );
    this.#replaceClass(webAssembly, 'Memory', ([descriptor]) => {
      if ((descriptor as { readonly shared?: boolean } | undefined)?.shared === true)
        checkOutside('new WebAssembly.Memory({ shared: true })', 'thread');
    });
    this.#replacements.share();
  }

  #replaceClass(place: object, name: string, check: (args: readonly unknown[]) => void): void {
    this.#replacements.replace(
      place,
      name,
      (own) =>
        new Proxy(own, {
          construct(target, args, newTarget) {
            check(args);
            return Reflect.construct(target, args, newTarget) as object;
          },
        }),
    );
  }

  [Symbol.dispose](): void {
    this.#replacements[Symbol.dispose]();
  }
}
