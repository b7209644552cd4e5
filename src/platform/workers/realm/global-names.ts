/**
 * Which names of a Worker's code mean a property of the Worker's own global object. The build writes them as such
 * (`fetch` becomes `__gatehouse_global.fetch`), so an assignment to `globalThis.fetch` is what the Worker's code sees,
 * and all that changes. Names that the code has declared itself stay as they are.
 */
import { runInNewContext } from 'node:vm';

/** What the global object of a Worker is called in its modules. */
const globalName = '__gatehouse_global';

/**
 * What stands before each name of a global. The text that a function shows is without it (`authored-text.ts`), so the
 * names for the object itself have it as well: which of them stood there could not be known otherwise.
 */
export const globalPrefix = `${globalName}.`;

/** Names for the object itself. */
const selfNames = ['globalThis', 'global', 'self'] as const;

/**
 * Names of the language, which a context without anything of Node has, stay: they are looked up in loops, where a
 * property costs more. An assignment to one of them is seen under `globalThis` only.
 */
function listLanguageNames(): ReadonlySet<string> {
  const names = new Set(runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[]);
  return names.difference(new Set([...selfNames, 'Date', 'Promise', 'WebAssembly', 'console']));
}

/** Those of workerd that Node does not have; the others are the ones that this process has. */
const platformNames = [
  ...['Cache', 'CacheStorage', 'Cloudflare', 'EventSource', 'FixedLengthStream', 'HTMLRewriter'],
  ...[
    'IdentityTransformStream',
    'WebSocketPair',
    'WebSocketRequestResponsePair',
    'addEventListener',
    'caches',
  ],
  ...['dispatchEvent', 'removeEventListener', 'reportError', 'scheduler'],
];

/** Packages that keep a mark on the global object choose names for it that no code can mention. */
const identifier = /^[A-Za-z_$][\w$]*$/;

let definitions: Readonly<Record<string, string>> | undefined;

function createDefinitions(): Readonly<Record<string, string>> {
  const languageNames = listLanguageNames();
  return Object.fromEntries(
    [...Object.getOwnPropertyNames(globalThis), ...platformNames, ...selfNames]
      .filter((name) => !languageNames.has(name) && identifier.test(name))
      .map((name) => [name, globalPrefix + name]),
  );
}

/** Settings for the bundler. */
export const globalRewriting = {
  /** Made when code is built first: a process that only runs it does not need them. */
  get define(): Readonly<Record<string, string>> {
    return (definitions ??= createDefinitions());
  },
  /** The first line of each module. */
  banner: `import ${globalName} from "gatehouse:global";`,
} as const;

export { selfNames };
