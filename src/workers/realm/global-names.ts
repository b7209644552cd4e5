/**
 * Which names of a Worker's code mean a property of the Worker's own global object. The build writes them as such
 * (`fetch` becomes `__gatehouse_global.fetch`), so an assignment to `globalThis.fetch` is what the Worker's code sees,
 * and all that changes. Names that the code has declared itself stay as they are.
 */

/** What the global object of a Worker is called in its modules. */
const globalName = '__gatehouse_global';

/** Names for the object itself. */
const selfNames = ['globalThis', 'global', 'self'] as const;

/**
 * Names of the language stay: they are looked up in loops, where a property costs more. An assignment to one of them
 * is seen under `globalThis` only.
 */
const languageNames: ReadonlySet<string> = new Set([
  ...['AggregateError', 'Array', 'ArrayBuffer', 'AsyncDisposableStack', 'Atomics', 'BigInt', 'BigInt64Array'],
  ...[
    'BigUint64Array',
    'Boolean',
    'DataView',
    'DisposableStack',
    'Error',
    'EvalError',
    'FinalizationRegistry',
  ],
  ...['Float16Array', 'Float32Array', 'Float64Array', 'Function', 'Infinity', 'Int16Array', 'Int32Array'],
  ...[
    'Int8Array',
    'Intl',
    'Iterator',
    'JSON',
    'Map',
    'Math',
    'NaN',
    'Number',
    'Object',
    'Proxy',
    'RangeError',
  ],
  ...[
    'ReferenceError',
    'Reflect',
    'RegExp',
    'Set',
    'SharedArrayBuffer',
    'String',
    'SuppressedError',
    'Symbol',
  ],
  ...['SyntaxError', 'Temporal', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array'],
  ...['Uint8ClampedArray', 'WeakMap', 'WeakRef', 'WeakSet', 'decodeURI', 'decodeURIComponent', 'encodeURI'],
  ...['encodeURIComponent', 'escape', 'eval', 'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'undefined'],
  'unescape',
]);

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

/** Settings for the bundler. */
export const globalRewriting = {
  define: Object.fromEntries([
    ...[...Object.getOwnPropertyNames(globalThis), ...platformNames]
      .filter((name) => !languageNames.has(name) && identifier.test(name))
      .map((name) => [name, `${globalName}.${name}`]),
    ...selfNames.map((name) => [name, globalName]),
  ]) as Readonly<Record<string, string>>,
  /** The first line of each module. */
  banner: `import ${globalName} from "gatehouse:global";`,
} as const;

export { selfNames };
