/**
 * The global object of one version of a Worker's code. Whatever the code does to it (assigns, deletes, freezes)
 * changes neither the globals of this program nor those of another Worker.
 *
 * An unknown name becomes a global of the process as well, because code that has said `globalThis.answer =
 * 42` may then say `answer`, which no build can tell from any other name.
 *
 * What is not apart: the objects behind the names. `Array.prototype` is the same for all code of the process, so a
 * Worker can still break the process that it runs in, and nothing else (docs/decisions/0028-realm.md).
 */
import { scheduler } from '../globals/scheduler.ts';
import { selfNames } from './global-names.ts';
import type { GlobalScope } from './global-scope.ts';
import { createOwnConsole, createOwnPerformance, createOwnProcess } from './own-process.ts';
import { seeThrough, showLive, showThrough } from './show-through.ts';

/**
 * Read from the globals of the process each time. Those of objects and of a virtual clock are put in place when the
 * first of them is made, which may be after the code of a Worker is loaded; and some are refused until then.
 */
function describeLive(scope: GlobalScope): Readonly<Record<string, () => unknown>> {
  const guarded = {
    fetch: scope.guard(() => fetch, { rejects: true }),
    setInterval: scope.guard(() => setInterval, { rejects: false }),
    setTimeout: scope.guard(() => setTimeout, { rejects: false }),
    crypto: guardMethods(crypto, ['getRandomValues', 'randomUUID'], scope, { rejects: false }),
    scheduler: guardMethods(scheduler, ['wait'], scope, { rejects: true }),
  };
  return {
    Date: () => Date,
    clearInterval: () => clearInterval,
    clearTimeout: () => clearTimeout,
    crypto: () => (scope.isLeft ? crypto : guarded.crypto),
    fetch: () => (scope.isLeft ? fetch : guarded.fetch),
    scheduler: () => (scope.isLeft ? scheduler : guarded.scheduler),
    setInterval: () => (scope.isLeft ? setInterval : guarded.setInterval),
    setTimeout: () => (scope.isLeft ? setTimeout : guarded.setTimeout),
  };
}

function guardMethods<Source extends object>(
  source: Source,
  methods: readonly (keyof Source)[],
  scope: GlobalScope,
  { rejects }: { readonly rejects: boolean },
): object {
  const own = seeThrough(Object.create(Object.getPrototypeOf(source) as object) as Source, source);
  for (const name of methods) {
    const method = own[name] as (...args: never[]) => unknown;
    own[name] = scope.guard(() => method, { rejects }) as Source[keyof Source];
  }
  return own;
}

export interface WorkerGlobalParts {
  /** What `process.env` shows. */
  readonly processEnv: object;
  /** Left when the modules of the Worker have run. */
  readonly scope: GlobalScope;
  /** Further globals of this Worker. */
  readonly own: Readonly<Record<string, unknown>>;
}

export function createWorkerGlobal({ processEnv, scope, own }: WorkerGlobalParts): object {
  const created = Object.create(unknownNames) as Record<string, unknown>;
  showThrough(created, globalThis, Reflect.ownKeys(globalThis));
  for (const [name, read] of Object.entries(describeLive(scope)))
    showLive(created, name, { enumerable: false, read });
  const listeners = new EventTarget();
  const values = {
    process: createOwnProcess(processEnv),
    console: createOwnConsole(),
    performance: createOwnPerformance(),
    ...Object.fromEntries(
      (['addEventListener', 'removeEventListener', 'dispatchEvent'] as const).map((name) => [
        name,
        listeners[name].bind(listeners),
      ]),
    ),
    ...Object.fromEntries(selfNames.map((name) => [name, created])),
    ...own,
  };
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(created, name, { value, writable: true, configurable: true, enumerable: false });
  return keepFast(created);
}

const realGlobal = globalThis as unknown as Record<PropertyKey, unknown>;

/** What the global object of a Worker inherits from: it is asked for names that are not among the object's own. */
const unknownNames = new Proxy(Object.getPrototypeOf(globalThis) as object, {
  has: (_target, name) => isUnknown(name) && name in realGlobal,
  get: (_target, name) => (isUnknown(name) ? realGlobal[name] : undefined),
  set(_target, name, value: unknown, receiver: object) {
    const described = { value, writable: true, configurable: true, enumerable: true };
    if (isUnknown(name)) {
      namesOfWorkers.add(name);
      Reflect.defineProperty(realGlobal, name, described);
    }
    return Reflect.defineProperty(receiver, name, described);
  },
});

/** Names that Workers have made up. */
const namesOfWorkers = new Set<PropertyKey>();

/** Any other name was among the object's own and has been deleted; as a global of the process, it is ours. */
function isUnknown(name: PropertyKey): boolean {
  return namesOfWorkers.has(name) || !Object.hasOwn(realGlobal, name);
}

/** An object that others inherit from is one that the engine reads quickly, however many properties it has. */
function keepFast<Value extends object>(value: Value): Value {
  Reflect.setPrototypeOf({}, value);
  return value;
}
