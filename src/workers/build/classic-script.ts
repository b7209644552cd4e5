/**
 * A Worker in the format of service workers, made into a module: `addEventListener('fetch', …)` becomes the handler of a
 * module, and its bindings are global variables. Its code runs in strict mode, as that of every module.
 */
import type { WorkerModule } from './worker-modules.ts';

interface ClassicBinding {
  readonly type: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface ClassicScript {
  readonly main: string;
  readonly modules: Readonly<Record<string, WorkerModule>>;
  readonly bindings: readonly ClassicBinding[];
}

/** Bindings whose value is a part of the upload. */
const blobTypes: ReadonlySet<string> = new Set(['text_blob', 'data_blob', 'wasm_module']);

const identifier = /^[A-Za-z_$][\w$]*$/;

/** Names that no parameter of strict code can have. */
const reserved: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** The same modules, of which the main one can be imported. */
export function wrapClassicScript({ main, modules, bindings }: ClassicScript): Record<string, WorkerModule> {
  const script = modules[main]!;
  if (script.type !== 'commonjs') return { ...modules };
  const toRoot = '../'.repeat(main.split('/').length - 1) || './';
  const blobs = bindings.filter(({ type }) => blobTypes.has(type));
  const named = bindings.filter(({ name }) => identifier.test(name) && !reserved.has(name));
  const imports = blobs.map(
    ({ part }, index) => `import __blob${index} from ${JSON.stringify(`${toRoot}${String(part)}`)};`,
  );
  const values = blobs.map(({ name }, index) => `${JSON.stringify(name)}: __blob${index}`);
  // The script keeps its first line, so that places in it stay what they are.
  const text = [
    "import { env as __env } from 'cloudflare:workers';",
    ...imports,
    `const __blobs = { ${values.join(', ')} };`,
    'const __bound = (name) => (Object.hasOwn(__blobs, name) ? __blobs[name] : __env[name]);',
    `for (const name of ${JSON.stringify(bindings.map(({ name }) => name))})`,
    '  Object.defineProperty(globalThis, name, { get: () => __bound(name), configurable: true });',
    listening,
    `((${['addEventListener', ...named.map(({ name }) => name)].join(', ')}) => {${script.text}\n})`,
    `(__add, ${named.map(({ name }) => `__bound(${JSON.stringify(name)})`).join(', ')});\n`,
    handlers,
  ].join(' ');
  return { ...modules, [main]: { type: 'esm', text } };
}

/** One line. */
const listening =
  'const __listeners = new Map(); ' +
  'const __add = (type, listener) => { ' +
  'const call = typeof listener === "function" ? listener : (event) => listener.handleEvent(event); ' +
  '__listeners.set(type, [...(__listeners.get(type) ?? []), call]); }; ' +
  'globalThis.addEventListener = __add;';

/** The first listener that answers does. If none does, the origin of the zone answers. */
const handlers = `
class __Event extends Event {
  constructor(type, fields, ctx) {
    super(type);
    for (const [name, value] of Object.entries(fields)) Object.defineProperty(this, name, { value, enumerable: true });
    Object.defineProperty(this, 'waitUntil', { value: (promise) => ctx.waitUntil(promise) });
  }
}
async function __fetch(request, _env, ctx) {
  const event = new __Event('fetch', { request }, ctx);
  let answer;
  let passes = false;
  const forOrigin = request.body === null ? request : undefined;
  Object.defineProperties(event, {
    respondWith: { value: (promise) => {
      if (answer !== undefined) throw new TypeError('FetchEvent.respondWith() has already been called.');
      answer = Promise.resolve(promise);
    } },
    passThroughOnException: { value: () => void (passes = true) },
  });
  try {
    for (const listener of __listeners.get('fetch')) {
      listener(event);
      if (answer !== undefined) break;
    }
    return await (answer ?? fetch(request));
  } catch (error) {
    if (!passes || forOrigin === undefined) throw error;
    return await fetch(forOrigin);
  }
}
async function __call(type, fields, ctx) {
  const event = new __Event(type, fields, ctx);
  for (const listener of __listeners.get(type)) await listener(event);
}
const __handlers = {};
if (__listeners.has('fetch')) __handlers.fetch = __fetch;
if (__listeners.has('scheduled'))
  __handlers.scheduled = ({ cron, scheduledTime }, _env, ctx) => __call('scheduled', { cron, scheduledTime }, ctx);
if (__listeners.has('queue'))
  __handlers.queue = (batch, _env, ctx) =>
    __call('queue', {
      queue: batch.queue,
      messages: batch.messages,
      ackAll: () => batch.ackAll(),
      retryAll: (options) => batch.retryAll(options),
    }, ctx);
export { __handlers as default };
`;
