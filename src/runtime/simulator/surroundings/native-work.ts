/**
 * Work that Node does for the code of a life in its event loop and in other threads. Results that can be delivered at a
 * moment determined by the seed are (`crypto.subtle`, WebAssembly, blobs, `setImmediate`, `performance.now`); other
 * work is reported by name.
 */
import { createHook } from 'node:async_hooks';
import { currentClock } from '#objects';
import { type AnyMethod, Replacements } from '../replacements.ts';
import { SimulatedTime } from './simulated-time.ts';

/** These pass through Node's own queues, in the order of the requests. */
const ordered: ReadonlySet<string> = new Set([
  'TickObject',
  'Microtask',
  'Immediate',
  'STREAM_END_OF_STREAM',
]);

/** The purpose of a type of Node's resources; undefined for work whose result does not depend on time. */
const words: ReadonlyArray<readonly [type: RegExp, words: string | undefined]> = [
  [/^RANDOM/, 'drew random numbers with a function that was taken before the simulation began'],
  [/REQUEST$/, undefined],
  [/^FS|^FILEHANDLE|^STATWATCHER|^DIRHANDLE/, 'waited for a file'],
  [/^(TCP|TLS|PIPE|UDP|HTTP|GETADDR|GETNAME|QUERY|SHUTDOWN|WRITE)/, 'waited for the network'],
  [/^(PROCESS|WORKER|MESSAGEPORT)/, 'waited for a thread or a process'],
  [/^(ZLIB|BROTLI|ZSTD)/, 'waited for compression in another thread'],
  [/^Timeout/, 'waited for a timer of Node'],
];

/** Methods whose results are computed in other threads, and always arrive. */
const { WebAssembly: webAssembly } = globalThis as unknown as { WebAssembly: object };
const ofSubtle =
  'decrypt deriveBits deriveKey digest encrypt exportKey generateKey importKey sign unwrapKey verify wrapKey';
const computed: ReadonlyArray<readonly [place: object, names: readonly string[]]> = [
  [crypto.subtle, ofSubtle.split(' ')],
  [webAssembly, ['compile', 'instantiate']],
  [Blob.prototype, ['arrayBuffer', 'bytes', 'text']],
];

/** Lives wait for similar things, and watching them takes time. */
const watchedLives = 100;

/** The time of the life that the running code belongs to. */
function timeHere(): SimulatedTime | undefined {
  const clock = currentClock();
  return clock instanceof SimulatedTime ? clock : undefined;
}

/** Installed for the duration of a simulation. */
export class NativeWork {
  readonly #replacements = new Replacements();
  readonly #hook = createHook({ init: (_id, type) => this.#notice(type), trackPromises: false });
  #lives = 0;
  #onEscape: (what: string) => void = () => {};
  /** Whether work that starts now is delivered in order. */
  #isAdmitted = false;

  constructor() {
    for (const [place, names] of computed)
      for (const name of names) this.#replacements.replace(place, name, (own) => this.#admit(own));
    this.#replaceAtClock(performance, 'now', (time) => time.passedMs);
    this.#replaceAtClock(globalThis, 'setImmediate', (_, callback, ...args) =>
      setTimeout(() => (callback as AnyMethod)(...args), 0),
    );
    this.#replaceAtClock(globalThis, 'clearImmediate', (_, handle) => clearTimeout(handle as number));
    this.#replaceAtClock(AbortSignal, 'timeout', (_, ms) => {
      const controller = new AbortController();
      const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
      setTimeout(() => controller.abort(reason), ms as number);
      return controller.signal;
    });
    this.#hook.enable();
  }

  /** Sets the function to call when a life waits for something that the seed does not determine. */
  use(onEscape: (what: string) => void): void {
    this.#onEscape = onEscape;
    if (++this.#lives > watchedLives) this.#hook.disable();
  }

  #replaceAtClock(
    place: object,
    name: string,
    work: (time: SimulatedTime, ...args: unknown[]) => unknown,
  ): void {
    this.#replacements.replace(place, name, (own) => {
      const replacement: AnyMethod = function (this: unknown, ...args) {
        const time = timeHere();
        return time === undefined ? Reflect.apply(own, this, args) : work(time, ...args);
      };
      // `util.promisify` looks for a symbol on some of them.
      return Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(own));
    });
  }

  #admit(own: AnyMethod): AnyMethod {
    const begin = (work: () => unknown): unknown => {
      const outer = this.#isAdmitted;
      this.#isAdmitted = true;
      try {
        return work();
      } finally {
        this.#isAdmitted = outer;
      }
    };
    return function (this: unknown, ...args) {
      const time = timeHere();
      if (time === undefined) return Reflect.apply(own, this, args);
      return time.admit(begin(() => Reflect.apply(own, this, args)) as Promise<unknown>);
    };
  }

  #notice(type: string): void {
    if (this.#isAdmitted || ordered.has(type) || timeHere() === undefined) return;
    const [, what] = words.find(([pattern]) => pattern.test(type)) ?? [type, `waited for ${type} of Node`];
    if (what !== undefined) this.#onEscape(what);
  }

  [Symbol.dispose](): void {
    this.#hook.disable();
    this.#replacements[Symbol.dispose]();
  }
}
