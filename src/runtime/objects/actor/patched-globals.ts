/**
 * Timers, `fetch` and the clock as code inside an object sees them. The globals are replaced once per process; outside
 * of objects they behave as before. Inside, timers and answers pass the object's input gate, requests leave through its
 * output gate, and with a virtual clock `Date` returns its time.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { allowStreamBody, type Clock, fetchApart, nativeFetch, type Timer } from '#base';
import { useSocketOwners } from '#sockets';
import { type Actor, currentContext } from './actor.ts';
import { ObjectTimers } from './object-timers.ts';
import { currentSocketOwner } from './socket-owner.ts';

const native = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  Date: globalThis.Date,
};
/** The program may have replaced Node's `fetch` before the first runtime started. */
let fetchOutside: typeof fetch = fetchApart;

let installed = false;
let dateInstalled = false;
/** By life. */
const timersOf = new WeakMap<Actor, ObjectTimers>();

export function patchGlobals({ virtualTime }: { virtualTime: boolean }): void {
  if (!installed) {
    installed = true;
    fetchOutside = globalThis.fetch === nativeFetch ? fetchApart : globalThis.fetch;
    useSocketOwners(currentSocketOwner);
    Object.assign(globalThis, {
      setTimeout: objectSetTimeout,
      setInterval: objectSetInterval,
      clearTimeout: objectClear(native.clearTimeout),
      clearInterval: objectClear(native.clearInterval),
      fetch: objectFetch,
    });
    copyProperties(native.setTimeout, objectSetTimeout);
  }
  if (virtualTime) replaceDate();
}

function replaceDate(): void {
  if (dateInstalled) return;
  dateInstalled = true;
  globalThis.Date = virtualDate;
}

type Callback = (...args: unknown[]) => void;

function objectSetTimeout(callback: Callback, delay?: number, ...args: unknown[]): unknown {
  const context = currentContext();
  if (context === undefined) {
    const clock = clockOutside.getStore();
    if (clock?.keepsTimers !== true) return native.setTimeout(callback, delay, ...args);
    // What the callback starts also keeps the clock.
    const run = AsyncLocalStorage.bind(() => callback(...args));
    return clock.setTimer(clock.now() + delayOf(delay), run);
  }
  return timersOfLife(context.actor).set(() => callback(...args), delayOf(delay), { repeats: false });
}

function objectSetInterval(callback: Callback, delay?: number, ...args: unknown[]): unknown {
  const context = currentContext();
  if (context === undefined) return native.setInterval(callback, delay, ...args);
  return timersOfLife(context.actor).set(() => callback(...args), delayOf(delay), { repeats: true });
}

function objectClear(clear: (handle?: NodeJS.Timeout) => void) {
  return (handle?: unknown): void => {
    const actor = currentContext()?.actor;
    if (actor === undefined && isClockTimer(handle)) return handle.cancel();
    const isCleared = actor !== undefined && timersOf.get(actor)?.clear(handle) === true;
    if (!isCleared) clear(handle as NodeJS.Timeout);
  };
}

function isClockTimer(handle: unknown): handle is Timer {
  return typeof (handle as Partial<Timer> | undefined)?.cancel === 'function';
}

function timersOfLife(actor: Actor): ObjectTimers {
  let timers = timersOf.get(actor);
  if (timers === undefined) {
    timers = new ObjectTimers(
      (at, callback) => actor.setTimer(at, callback),
      () => actor.parts.clock.now(),
    );
    timersOf.set(actor, timers);
  }
  return timers;
}

function objectFetch(...args: Parameters<typeof fetch>): Promise<Response> {
  const context = currentContext();
  if (context === undefined) return fetchOutside(...args);
  // Copied now: the caller may change what it passed before the request may leave.
  const request = new Request(args[0], allowStreamBody(args[1]));
  const { fetch = fetchOutside } = context.actor.parts;
  return context.actor.reach(() => fetch(request));
}

/** A timer waits at least a millisecond, as everywhere. */
function delayOf(delay: number | undefined): number {
  const number = Number(delay);
  return number >= 1 ? Math.trunc(number) : 1;
}

const virtualDate = new Proxy(native.Date, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as object,
  apply: () => new native.Date(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
});

/** For other code that replaces globals. */
export function isInsideObject(): boolean {
  return currentContext() !== undefined;
}

/** The clock of code outside of objects, where it has one. */
const clockOutside = new AsyncLocalStorage<Clock>();

/**
 * Runs code outside of objects, and what it starts, so that its `Date` returns the time of a virtual clock. Its timers
 * keep real time, unless the clock controls timers.
 */
export function runAtClock<Result>(clock: Clock, body: () => Result): Result {
  // When the objects live in other processes, no runtime of this process has replaced `Date`.
  if (clock.virtual) replaceDate();
  return clockOutside.run(clock, body);
}

/** The clock of the running code: of its object, or the one set by `runAtClock` outside of objects. */
export function currentClock(): Clock | undefined {
  return currentContext()?.actor.parts.clock ?? clockOutside.getStore();
}

function now(): number {
  const clock = currentClock();
  return clock?.virtual === true ? clock.now() : native.Date.now();
}

/** `util.promisify` looks for a symbol on setTimeout. */
function copyProperties(from: object, to: object): void {
  for (const key of Reflect.ownKeys(from)) {
    if (!Object.hasOwn(to, key)) Object.defineProperty(to, key, Object.getOwnPropertyDescriptor(from, key)!);
  }
}
