/**
 * Which names in a Worker's code refer to a property of the Worker's own global object. The build rewrites them as such
 * (`fetch` becomes `__gatehouse_global.fetch`), so an assignment to `globalThis.fetch` is visible to the Worker's code,
 * and to no other. Names that the code declares itself are unchanged.
 */
import { runInNewContext } from 'node:vm';

/** The name of a Worker's global object in its modules. */
const globalName = '__gatehouse_global';

/**
 * The prefix of each global name. The text of a function is shown without it (`authored-text.ts`), so the names for the
 * object itself have it as well: otherwise the original name would be lost.
 */
export const globalPrefix = `${globalName}.`;

/** Names for the object itself. */
const selfNames = ['globalThis', 'global', 'self'] as const;

/**
 * Names of the language, which a context without Node's globals has, are not rewritten: they are looked up in loops,
 * where a property is slower. An assignment to one of them is only visible under `globalThis`.
 */
function listLanguageNames(): ReadonlySet<string> {
  const names = new Set(runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[]);
  return names.difference(new Set([...selfNames, 'Date', 'Promise', 'WebAssembly', 'console']));
}

/** Names of workerd that Node does not have; the others are those of this process. */
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

/** Packages that store a mark on the global object choose names for it that code cannot mention. */
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
  /** Created at the first build: a process that only runs code does not need them. */
  get define(): Readonly<Record<string, string>> {
    return (definitions ??= createDefinitions());
  },
  /** The first line of each module. */
  banner: `import ${globalName} from "gatehouse:global";`,
} as const;

export { selfNames };
