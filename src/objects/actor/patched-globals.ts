/**
 * Timers, `fetch` and the clock as code inside an object sees them. The globals are replaced once per
 * process; outside of objects they do what they always did. Inside, timers and answers come back through the
 * object's input gate, requests leave through its output gate, and with a virtual clock `Date` tells its time.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { allowStreamBody, type Clock, fetchApart, nativeFetch } from '#base';
import { useSocketOwners } from '#sockets';
import { type Actor, currentContext } from './actor.ts';
import { currentSocketOwner } from './socket-owner.ts';

interface ObjectTimer {
  cancel(): void;
}

const native = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  Date: globalThis.Date,
};
/** The program may have put its own in the place of Node's before the first runtime. */
let fetchOutside: typeof fetch = fetchApart;

let installed = false;
let dateInstalled = false;
/** The timers of each life by the number its code got for them; they go with it, however it ends. */
const timersOf = new WeakMap<Actor, Map<number, ObjectTimer>>();
let lastTimer = 0;

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
  if (virtualTime && !dateInstalled) {
    dateInstalled = true;
    globalThis.Date = virtualDate;
  }
}

type Callback = (...args: unknown[]) => void;

function objectSetTimeout(callback: Callback, delay?: number, ...args: unknown[]): unknown {
  const context = currentContext();
  if (context === undefined) return native.setTimeout(callback, delay, ...args);
  const { actor } = context;
  const timers = timersOfLife(actor);
  const number = ++lastTimer;
  const fire = (): void => {
    timers.delete(number);
    callback(...args);
  };
  timers.set(number, actor.setTimer(actor.parts.clock.now() + delayOf(delay), fire));
  return number;
}

function objectSetInterval(callback: Callback, delay?: number, ...args: unknown[]): unknown {
  const context = currentContext();
  if (context === undefined) return native.setInterval(callback, delay, ...args);
  const { actor } = context;
  const timers = timersOfLife(actor);
  const number = ++lastTimer;
  const arm = (): void =>
    void timers.set(number, actor.setTimer(actor.parts.clock.now() + delayOf(delay), fire));
  const fire = (): void => {
    arm();
    callback(...args);
  };
  arm();
  return number;
}

function objectClear(clear: (handle?: NodeJS.Timeout) => void) {
  return (handle?: unknown): void => {
    const actor = currentContext()?.actor;
    const timers = actor === undefined ? undefined : timersOf.get(actor);
    const timer = timers?.get(handle as number);
    if (timer === undefined) return clear(handle as NodeJS.Timeout);
    timer.cancel();
    timers!.delete(handle as number);
  };
}

function timersOfLife(actor: Actor): Map<number, ObjectTimer> {
  let timers = timersOf.get(actor);
  if (timers === undefined) timersOf.set(actor, (timers = new Map()));
  return timers;
}

function objectFetch(...args: Parameters<typeof fetch>): Promise<Response> {
  const context = currentContext();
  if (context === undefined) return fetchOutside(...args);
  // Taken now: the caller may change what it passed before the request may leave.
  const request = new Request(args[0], allowStreamBody(args[1]));
  return context.actor.reach(() => fetchOutside(request));
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

/** The clock of code outside of objects, where it has one. */
const clockOutside = new AsyncLocalStorage<Clock>();

/**
 * Runs code outside of objects, and what it starts, so that its `Date` tells the time of a virtual clock. Its timers keep
 * real time.
 */
export function runAtClock<Result>(clock: Clock, body: () => Result): Result {
  return clockOutside.run(clock, body);
}

function now(): number {
  const clock = currentContext()?.actor.parts.clock ?? clockOutside.getStore();
  return clock?.virtual === true ? clock.now() : native.Date.now();
}

/** `util.promisify` looks for a symbol on setTimeout. */
function copyProperties(from: object, to: object): void {
  for (const key of Reflect.ownKeys(from)) {
    if (!Object.hasOwn(to, key)) Object.defineProperty(to, key, Object.getOwnPropertyDescriptor(from, key)!);
  }
}
