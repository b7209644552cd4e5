/**
 * Converts a Worker in the service worker format to modules: `addEventListener('fetch', …)` becomes the handler of a
 * module, and its bindings are global variables. Its code runs in strict mode, like that of every module.
 */
import { globalPrefix } from '../realm/global-names.ts';
import { rewriteGlobals } from './rewrite-globals.ts';
import type { WorkerModule, WorkerModules } from './worker-modules.ts';

export interface ClassicScript {
  /** Its globals are already rewritten, including those of `defineBindings`. */
  readonly script: WorkerModules;
  /** Names of bindings. */
  readonly bindings: readonly string[];
  /** Modules whose exports are values of bindings, by binding name. */
  readonly blobs?: Readonly<Record<string, string>>;
  /** Whether the origin of a zone answers requests that no listener answers. */
  readonly hasOrigin: boolean;
}

const identifier = /^[A-Za-z_$][\w$]*$/;

/** Names that variables of strict code cannot have. */
const reserved: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** The replacements for the names of bindings, as settings for the bundler. */
export function defineBindings(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names
      .filter((name) => identifier.test(name) && !reserved.has(name))
      .map((name) => [name, globalPrefix + name]),
  );
}

/** Whether code may be such a Worker: it must also export nothing. */
export function addsListeners(text: string): boolean {
  return text.includes('addEventListener');
}

const beginName = 'gatehouse-listeners.js';
const mainName = 'gatehouse-handlers.js';

/** The same modules, with additional ones whose main module exports handlers. */
export async function wrapClassicScript({
  script,
  bindings,
  blobs = {},
  hasOrigin,
}: ClassicScript): Promise<WorkerModules> {
  const { root, main, modules } = script;
  const imports = Object.values(blobs).map(
    (module, index) => `import __blob${index} from ${JSON.stringify(`./${module}`)};`,
  );
  const values = Object.keys(blobs).map((name, index) => `${JSON.stringify(name)}: __blob${index}`);
  const begin = [
    "import { env } from 'cloudflare:workers';",
    ...imports,
    `const blobs = { ${values.join(', ')} };`,
    `for (const name of ${JSON.stringify(bindings)}) {`,
    '  const value = Object.hasOwn(blobs, name) ? blobs[name] : env[name];',
    '  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });',
    '}',
    listening,
  ].join('\n');
  const end = [
    `import { listeners } from './${beginName}';`,
    `import ${JSON.stringify(`./${main}`)};`,
    `const hasOrigin = ${hasOrigin};`,
    handlers,
  ].join('\n');
  const esm = (text: string): WorkerModule => ({ type: 'esm', text });
  const added = { root, main: mainName, modules: { [beginName]: esm(begin), [mainName]: esm(end) } };
  const written = await rewriteGlobals(added);
  return { ...written, modules: { ...modules, ...written.modules } };
}

const listening = `
export const listeners = new Map();
globalThis.addEventListener = (type, listener) => {
  const call = typeof listener === 'function' ? listener : (event) => listener.handleEvent(event);
  listeners.set(type, [...(listeners.get(type) ?? []), call]);
};`;

/** The first listener that responds decides. If none does, the origin of the zone answers. */
const handlers = `
class HandlerEvent extends Event {
  constructor(type, fields, ctx) {
    super(type);
    for (const [name, value] of Object.entries(fields)) Object.defineProperty(this, name, { value, enumerable: true });
    Object.defineProperty(this, 'waitUntil', { value: (promise) => ctx.waitUntil(promise) });
  }
}
async function askOrigin(request) {
  if (hasOrigin) return await fetch(request);
  throw new TypeError('No listener has called event.respondWith(), and there is no origin here that could answer instead.');
}
async function handleFetch(request, _env, ctx) {
  const event = new HandlerEvent('fetch', { request }, ctx);
  let answer;
  let passes = false;
  const forOrigin = hasOrigin && request.body === null ? request : undefined;
  Object.defineProperties(event, {
    respondWith: { value: (promise) => {
      if (answer !== undefined) throw new TypeError('FetchEvent.respondWith() has already been called.');
      answer = Promise.resolve(promise);
    } },
    passThroughOnException: { value: () => void (passes = true) },
  });
  try {
    for (const listener of listeners.get('fetch')) {
      listener(event);
      if (answer !== undefined) break;
    }
    return await (answer ?? askOrigin(request));
  } catch (error) {
    if (!passes || forOrigin === undefined) throw error;
    return await askOrigin(forOrigin);
  }
}
async function call(type, fields, ctx) {
  const event = new HandlerEvent(type, fields, ctx);
  for (const listener of listeners.get(type)) await listener(event);
}
const handlers = {};
if (listeners.has('fetch')) handlers.fetch = handleFetch;
if (listeners.has('scheduled'))
  handlers.scheduled = ({ cron, scheduledTime }, _env, ctx) => call('scheduled', { cron, scheduledTime }, ctx);
if (listeners.has('queue'))
  handlers.queue = (batch, _env, ctx) =>
    call('queue', {
      queue: batch.queue,
      messages: batch.messages,
      ackAll: () => batch.ackAll(),
      retryAll: (options) => batch.retryAll(options),
    }, ctx);
export { handlers as default };
`;
