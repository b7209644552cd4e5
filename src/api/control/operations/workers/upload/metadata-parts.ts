/**
 * The metadata of an upload: JSON in one part of the form, or a part for each of its fields (`metadata[main_module]`,
 * `metadata[bindings][][name]`), as Cloudflare's SDK for TypeScript sends it.
 */
import { type Fault, fault, type FormPart, workerCodes } from '#contract';
import { readJson } from '#shapes';

/** The size includes variables and secrets. */
const metadataBytesMax = 1024 * 1024;
/** The nesting depth of lists and objects. */
const depthMax = 8;

const whole = 'metadata';

export function isOfMetadata(name: string): boolean {
  return name === whole || name.startsWith(`${whole}[`);
}

export function parseMetadata(form: readonly FormPart[]): unknown {
  const parts = form.filter(({ name }) => isOfMetadata(name));
  const bytes = parts.reduce((sum, part) => sum + part.bytes.length, 0);
  if (bytes > metadataBytesMax)
    throw refuse(
      `metadata has more than ${metadataBytesMax} bytes: there are too many variables and secrets`,
    );
  if (parts.length > 0 && parts.every(({ name }) => name !== whole)) return joinFields(parts);
  const [part, second] = parts;
  if (part === undefined || second !== undefined) throw refuse('there must be one part called metadata');
  const parsed = readJson(part.bytes);
  if (!parsed.ok) throw refuse(`metadata is not JSON: ${parsed.reason}`);
  return parsed.value;
}

type Joined = { [key: string]: Joined | string | boolean } | (Joined | string | boolean)[];

/** Fields whose text is a boolean; every other one-word value of metadata is text. */
const switches: ReadonlySet<string> = new Set([
  'logpush',
  'keep_assets',
  'enabled',
  'invocation_logs',
  'persist',
]);

function joinFields(parts: readonly FormPart[]): Joined {
  const joined: Joined = {};
  for (const { name, bytes } of parts) {
    const keys = Array.from(name.slice(whole.length).matchAll(/\[([\w.-]*)\]/g), ([, key]) => key!);
    const isNamed = `${whole}${keys.map((key) => `[${key}]`).join('')}` === name;
    if (!isNamed || keys.length > depthMax || keys.includes('__proto__'))
      throw refuse(`${JSON.stringify(name.slice(0, 100))} is not a field of metadata`);
    const text = Buffer.from(bytes).toString();
    const isSwitch = switches.has(keys.at(-1)!) && (text === 'true' || text === 'false');
    put(joined, keys, isSwitch ? text === 'true' : text);
  }
  return joined;
}

/** Lists get their items in order; a repeated field starts the next object of a list. */
function put(into: Joined, [key, ...rest]: readonly string[], value: string | boolean): void {
  if (key === undefined) return;
  if (Array.isArray(into)) {
    const last = into.at(-1);
    const [next] = rest;
    if (rest.length === 0) into.push(value);
    else if (typeof last === 'object' && !(next !== '' && rest.length === 1 && Object.hasOwn(last, next!)))
      put(last, rest, value);
    else put(begin(into, next!), rest, value);
    return;
  }
  if (rest.length === 0) into[key] = value;
  else {
    const inner = (into[key] ??= rest[0] === '' ? [] : {});
    if (typeof inner !== 'object') throw refuse(`metadata has two values for ${key}`);
    put(inner, rest, value);
  }
}

function begin(list: (Joined | string | boolean)[], next: string): Joined {
  const item: Joined = next === '' ? [] : {};
  list.push(item);
  return item;
}

function refuse(reason: string): Fault {
  return fault(workerCodes.uploadMalformed, { fill: { reason } });
}
