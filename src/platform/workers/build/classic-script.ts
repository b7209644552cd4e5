/**
 * A Worker in the format of service workers, made into modules: `addEventListener('fetch', …)` becomes the handler of a
 * module, and its bindings are global variables. Its code runs in strict mode, as that of every module.
 */
import { globalPrefix } from '../realm/global-names.ts';
import { rewriteGlobals } from './rewrite-globals.ts';
import type { WorkerModule, WorkerModules } from './worker-modules.ts';

export interface ClassicScript {
  /** Its globals are rewritten already, with `defineBindings` among them. */
  readonly script: WorkerModules;
  /** Names of bindings. */
  readonly bindings: readonly string[];
  /** Modules whose exports are values of bindings, by the names of those. */
  readonly blobs?: Readonly<Record<string, string>>;
  /** Whether the origin of a zone answers what no listener answers. */
  readonly hasOrigin: boolean;
}

const identifier = /^[A-Za-z_$][\w$]*$/;

/** Names that no variable of strict code can have. */
const reserved: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** What the names of bindings are rewritten to, as settings for the bundler. */
export function defineBindings(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names
      .filter((name) => identifier.test(name) && !reserved.has(name))
      .map((name) => [name, globalPrefix + name]),
  );
}

/** Whether code may be such a Worker: it is one if it exports nothing, too. */
export function addsListeners(text: string): boolean {
  return text.includes('addEventListener');
}

const beginName = 'gatehouse-listeners.js';
const mainName = 'gatehouse-handlers.js';

/** The same modules, with others of which the main one exports handlers. */
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

/** The first listener that answers does. If none does, the origin of the zone answers. */
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
