/**
 * Every operation of Cloudflare's SDK for TypeScript, for `clients/walk.ts`: first a line of JSON for each with the
 * method and path that it calls, found by calling it with a fetch that sends nothing; then each operation requested on
 * a line of the input.
 */
import { createInterface } from 'node:readline';
import Cloudflare, { toFile } from 'cloudflare';

type Method = (...args: unknown[]) => PromiseLike<unknown>;

interface Found {
  readonly call: Method;
  /** Parameters before that of the others: they are parts of the path. */
  readonly positions: number;
  /** Whether there is one for the others. */
  readonly hasParams: boolean;
}

interface Asked {
  readonly what: string;
  readonly path: Readonly<Record<string, string>>;
  readonly usesBody: boolean;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** No resource of the walk has as many. */
const itemsMax = 5_000;

let sent: { readonly method: string; readonly path: string } | undefined;
const recording = new Cloudflare({
  apiToken: 'none',
  maxRetries: 0,
  fetch: (url, init) => {
    sent = {
      method: init!.method!,
      path: decodeURIComponent(new URL(url instanceof Request ? url.url : url).pathname),
    };
    throw new Error('nothing is sent');
  },
});
const client = new Cloudflare({
  apiToken: process.env['GATEHOUSE_TOKEN']!,
  baseURL: process.env['GATEHOUSE_API']!,
  maxRetries: 0,
});

function findMethods(resource: object, name: string, found: Map<string, Found>): void {
  for (
    let prototype = Object.getPrototypeOf(resource) as object;
    Object.hasOwn(prototype, 'constructor') && prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype) as object
  )
    for (const property of Object.getOwnPropertyNames(prototype)) {
      const method = (resource as Record<string, unknown>)[property];
      if (property === 'constructor' || property.startsWith('_') || typeof method !== 'function') continue;
      const names = /\(([^)]*)\)/
        .exec(method.toString())![1]!
        .split(',')
        .map((each) => each.trim().split(/\W/)[0]!);
      const positions = names.findIndex((each) => ['params', 'query', 'body', 'options'].includes(each));
      found.set(`${name}.${property}`, {
        call: method.bind(resource) as Method,
        positions: positions === -1 ? names.length : positions,
        hasParams: positions !== -1 && names[positions] !== 'options',
      });
    }
  for (const [property, value] of Object.entries(resource))
    if (property !== '_client' && isResource(value)) findMethods(value, `${name}.${property}`, found);
}

function isResource(value: unknown): value is object {
  return typeof value === 'object' && value !== null && '_client' in value;
}

function methodsOf(of: Cloudflare): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const [name, value] of Object.entries(of)) if (isResource(value)) findMethods(value, name, found);
  return found;
}

/** The request of an operation when each parameter's value is its own name, once in an account and once in a zone. */
async function list(): Promise<void> {
  const lines = new Set<string>();
  for (const [what, { call, positions, hasParams }] of methodsOf(recording))
    for (const where of ['account_id', 'zone_id']) {
      let usesBody = false;
      const params = new Proxy(
        {},
        {
          get: (_, name) => {
            if (typeof name === 'symbol') return undefined;
            if (name === 'body') usesBody = true;
            const isOther = ['account_id', 'zone_id'].includes(name) && name !== where;
            return isOther || ['then', 'toJSON', 'body'].includes(name) ? undefined : `__${name}__`;
          },
        },
      );
      sent = undefined;
      try {
        const names = Array.from({ length: positions }, (_, index) => `__${index}__`);
        await call(...names, ...(hasParams ? [params] : []));
      } catch {
        // It has been recorded, or cannot be called so.
      }
      if (sent !== undefined) lines.add(JSON.stringify({ what, ...(sent as object), usesBody }));
    }
  console.log([...lines].join('\n'));
}

/** Files are described, since JSON has none. */
async function revive(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map(revive));
  if (typeof value !== 'object' || value === null) return value;
  if ('$file' in value) {
    const { name, type, text } = value.$file as Readonly<Record<string, string>>;
    return await toFile(Buffer.from(text!), name, { type: type! });
  }
  const entries = Object.entries(value).map(async ([key, each]) => [key, await revive(each)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function ask({ call, positions, hasParams }: Found, asked: Asked): Promise<void> {
  const named = Object.entries(asked.path).filter(([name]) => !/^\d+$/.test(name));
  const body = await revive(asked.body);
  const params = {
    ...Object.fromEntries(named),
    ...asked.query,
    ...(asked.usesBody ? { body } : (body as object | undefined)),
  };
  const parts = Array.from({ length: positions }, (_, index) => asked.path[index]);
  const result = await call(...parts, ...(hasParams ? [params] : []));
  if (result instanceof Response) await result.arrayBuffer();
  else if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
    await readPages(result as AsyncIterable<unknown>);
}

async function readPages(result: AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const _ of result) if (++count > itemsMax) throw new Error('its pages do not end');
}

await list();
console.log('');
const methods = methodsOf(client);
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as Asked;
  let problem: string | null = null;
  try {
    await ask(methods.get(asked.what)!, asked);
  } catch (error) {
    problem = String(error);
  }
  console.log(JSON.stringify({ what: asked.what, problem }));
}
