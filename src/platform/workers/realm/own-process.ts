/**
 * `process`, `console` and `performance` of one Worker: they show the properties of the program's, and changes by the
 * Worker's code affect nothing else. Functions that act on the process as a whole, which does not belong to the Worker,
 * are refused.
 */
import { EventEmitter } from 'node:events';
import { noteLog } from '../tail/recorded-calls.ts';
import { seeThrough, showThrough } from './show-through.ts';

/** Functions that would end or change the process, or send messages for it. */
const refused = [
  ...[
    'abort',
    'chdir',
    'disconnect',
    'dlopen',
    'execve',
    'exit',
    'initgroups',
    'kill',
    'loadEnvFile',
    'reallyExit',
  ],
  ...[
    'send',
    'setegid',
    'seteuid',
    'setgid',
    'setgroups',
    'setuid',
    'setSourceMapsEnabled',
    'umask',
    'binding',
  ],
  ...['setUncaughtExceptionCaptureCallback', 'addUncaughtExceptionCaptureCallback'],
];

/** The channel between the program and its parent, and the program's listeners. */
const hidden = new Set(['channel', 'connected', 'mainModule', 'domain', 'env', 'finalization']);

const streams = ['stdin', 'stdout', 'stderr'] as const;

export function createOwnProcess(env: object): object {
  const own = Object.create(Object.getPrototypeOf(process) as object) as EventEmitter &
    Record<string, unknown>;
  // Its own listeners: events of the program are not for the Worker.
  Reflect.apply(Reflect.get(EventEmitter, 'init') as () => void, own, []);
  const shown = Object.keys(process).filter((name) => !name.startsWith('_') && !hidden.has(name));
  showThrough(own, process, shown);
  for (const name of refused) if (name in process) own[name] = refuse(name);
  for (const name of streams) showStream(own, name);
  own['env'] = env;
  Object.defineProperty(own, Symbol.toStringTag, { value: 'process', configurable: true });
  own['getBuiltinModule'] = (name: string): unknown =>
    /^(?:node:)?process$/.test(name) ? own : process.getBuiltinModule(name);
  return own;
}

/** A write to a property only affects the Worker; text is still printed to the program's stream. */
function showStream(own: object, name: (typeof streams)[number]): void {
  let stream: object | undefined;
  Object.defineProperty(own, name, {
    configurable: true,
    enumerable: true,
    get: () => (stream ??= Object.create(process[name]) as object),
    set(value: object) {
      stream = value;
    },
  });
}

function refuse(name: string): () => never {
  return () => {
    throw new Error(
      `process.${name}() is not open to a Worker: it would change the process that runs it. Throw an error instead`,
    );
  };
}

/** Sent to those who follow the logs of the Worker. */
const logLevels = ['debug', 'info', 'log', 'warn', 'error'] as const;

export function createOwnConsole(): object {
  const own = createShownConsole();
  for (const level of logLevels) {
    const print = (...args: unknown[]): void => {
      noteLog(level, args);
      console[level](...args);
    };
    Object.defineProperty(print, 'name', { value: level });
    Object.defineProperty(own, level, { value: print, writable: true, configurable: true, enumerable: true });
  }
  return own;
}

function createShownConsole(): object {
  return showThrough(
    Object.create(Object.getPrototypeOf(console) as object) as object,
    console,
    Reflect.ownKeys(console),
  );
}

/** Its methods only work on the program's object, so they are bound. */
export function createOwnPerformance(): object {
  const own = Object.create(Object.getPrototypeOf(performance) as object) as object;
  return seeThrough(own, performance);
}
