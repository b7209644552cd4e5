/**
 * The global object of one version of a Worker's code. Changes by the code (assignments, deletions, freezing) affect
 * neither the globals of this program nor those of another Worker.
 *
 * An unknown name becomes a global of the process as well, because after `globalThis.answer = 42` code may use
 * `answer`, which a build cannot distinguish from any other name.
 *
 * The objects behind the names are not separate. `Array.prototype` is the same for all code of the process, so a Worker
 * can still break its own process, but nothing else (docs/decisions/0028-realm.md).
 */
import { scheduler } from '../globals/scheduler.ts';
import { selfNames } from './global-names.ts';
import type { GlobalScope } from './global-scope.ts';
import { createOwnConsole, createOwnPerformance, createOwnProcess } from './own-process.ts';
import { seeThrough, showLive, showThrough } from './show-through.ts';

/**
 * Read from the globals of the process each time. Those of objects and of a virtual clock are installed when the first
 * object is created, possibly after the code of a Worker is loaded; and some are refused until then.
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
  /** The content of `process.env`. */
  readonly processEnv: object;
  /** Left once the modules of the Worker have run. */
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

/** The prototype of a Worker's global object: it is consulted for names that the object itself does not have. */
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

/** Global names that Workers have introduced. */
const namesOfWorkers = new Set<PropertyKey>();

/** Any other name was the object's own and has been deleted; the global of the process belongs to this program. */
function isUnknown(name: PropertyKey): boolean {
  return namesOfWorkers.has(name) || !Object.hasOwn(realGlobal, name);
}

/** The engine reads prototype objects quickly, however many properties they have. */
function keepFast<Value extends object>(value: Value): Value {
  Reflect.setPrototypeOf({}, value);
  return value;
}
