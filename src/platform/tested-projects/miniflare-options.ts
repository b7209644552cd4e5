/**
 * Translates options of Miniflare to keys of a Wrangler configuration, so that they are checked and interpreted in the
 * same way. Options that Gatehouse does not support are refused by name.
 */
import { isObject } from '#base';
import { didYouMean } from '#text';
import { type Answer, ConfigError } from '#workers';
import type { FunctionTable } from './function-table.ts';
import type { ConsumerSetup, FunctionNumber, WorkerSetup } from './worker-setup.ts';

/** With Miniflare's names; this file defines which of them are supported. */
export type MiniflareOptions = Readonly<Record<string, unknown>>;

interface OptionsPlace {
  /** The name of the options in messages. */
  readonly shown: string;
  readonly functions: FunctionTable;
}

interface ReadOptions extends Pick<WorkerSetup, 'functions' | 'outbound' | 'consumers'> {
  /** Keys of a Wrangler configuration. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Options without effect here. */
const withoutEffect: ReadonlySet<string> = new Set([
  'cache',
  'cacheAPI',
  'modulesRules',
  'rootPath',
  'name',
  'verbose',
  'log',
  'tails',
]);

type OptionReader = (value: unknown, at: string) => Readonly<Record<string, unknown>>;

const readers: Readonly<Record<string, OptionReader>> = {
  compatibilityDate: (value) => ({ compatibility_date: value }),
  compatibilityFlags: (value, at) => ({ compatibility_flags: list(value, at) }),
  bindings: (value, at) => ({ vars: table(value, at) }),
  kvNamespaces: (value, at) => ({ kv_namespaces: named(value, at, 'id') }),
  d1Databases: (value, at) => ({ d1_databases: named(value, at, 'database_id') }),
  r2Buckets: (value, at) => ({ r2_buckets: named(value, at, 'bucket_name') }),
  durableObjects: readObjects,
  queueProducers: (value, at) => ({
    queues: { producers: named(value, at, 'queue', { queueName: 'queue', deliveryDelay: 'delivery_delay' }) },
  }),
  workflows: (value, at) => ({
    workflows: Object.entries(table(value, at)).map(([binding, each]) => {
      const { name, className, scriptName } = table(each, `${at}.${binding}`);
      return {
        binding,
        name,
        class_name: className,
        ...(scriptName === undefined ? {} : { script_name: scriptName }),
      };
    }),
  }),
};

const knownOptions = [...Object.keys(readers), 'serviceBindings', 'outboundService', 'queueConsumers'];

export function readMiniflare(options: MiniflareOptions, place: OptionsPlace): ReadOptions {
  const keys: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || withoutEffect.has(name)) continue;
    const at = `${place.shown}.${name}`;
    const read = readers[name];
    if (read !== undefined) Object.assign(keys, read(value, at));
    else if (!knownOptions.includes(name)) throw refuse(at, name);
  }
  const services = readServices(options['serviceBindings'], place);
  return {
    extra: services.keys.length === 0 ? keys : { ...keys, services: services.keys },
    functions: services.functions,
    outbound: readOutbound(options['outboundService'], place),
    consumers: readConsumers(options['queueConsumers'], `${place.shown}.queueConsumers`),
  };
}

function refuse(at: string, name: string): ConfigError {
  const instead =
    name === 'fetchMock'
      ? '; mock globalThis.fetch with vi.spyOn(), use MSW, or give outboundService a function'
      : didYouMean(name, knownOptions);
  return new ConfigError(
    `${at} is not supported by Gatehouse${instead}; supported: ${knownOptions.join(', ')}`,
  );
}

function readObjects(value: unknown, at: string): Record<string, unknown> {
  const bindings: object[] = [];
  const withSql: string[] = [];
  for (const [name, each] of Object.entries(table(value, at))) {
    const { className, scriptName, useSQLite } =
      typeof each === 'string' ? { className: each } : table(each, `${at}.${name}`);
    bindings.push({
      name,
      class_name: className,
      ...(scriptName === undefined ? {} : { script_name: scriptName }),
    });
    if (useSQLite === true) withSql.push(String(className));
  }
  const migrations = withSql.length === 0 ? {} : { migrations: [{ tag: at, new_sqlite_classes: withSql }] };
  return { durable_objects: { bindings }, ...migrations };
}

function readServices(
  value: unknown,
  { shown, functions }: OptionsPlace,
): { readonly keys: readonly object[]; readonly functions: Readonly<Record<string, FunctionNumber>> } {
  const keys: object[] = [];
  const answered: Record<string, FunctionNumber> = {};
  for (const [binding, each] of Object.entries(table(value ?? {}, `${shown}.serviceBindings`))) {
    if (typeof each === 'function') answered[binding] = functions.add(each as Answer);
    else if (typeof each === 'string') keys.push({ binding, service: each });
    else if (isObject(each) && typeof each['name'] === 'string') {
      const { name, entrypoint, props } = each;
      keys.push({ binding, service: name, entrypoint, props });
    } else
      throw new ConfigError(
        `${shown}.serviceBindings.${binding} must be the name of a Worker, { name, entrypoint }, or a function: Gatehouse has no other services`,
      );
  }
  return { keys, functions: answered };
}

function readOutbound(value: unknown, { shown, functions }: OptionsPlace): FunctionNumber | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'function') return functions.add(value as Answer);
  throw new ConfigError(
    `${shown}.outboundService must be a function: Gatehouse supports no other service there`,
  );
}

/** Omitted values are Cloudflare's. Tests use fractions of a second, which a configuration cannot express. */
const consumerDefaults = {
  batchSizeMax: 10,
  batchTimeoutMs: 5000,
  retriesMax: 3,
  retryDelayMs: 0,
  deadLetterQueue: undefined,
};

function readConsumers(value: unknown, at: string): ConsumerSetup[] {
  if (value === undefined) return [];
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((queue) => [String(queue), {}])
    : Object.entries(table(value, at));
  return entries.map(([queue, each]) => {
    const options = table(each, `${at}.${queue}`);
    const number = (name: string, factor = 1): number | undefined => {
      const found = options[name];
      if (found === undefined || (typeof found === 'number' && found >= 0))
        return found === undefined ? undefined : found * factor;
      throw new ConfigError(
        `${at}.${queue}.${name} must be a number, zero or more: ${JSON.stringify(found)}`,
      );
    };
    const given = dropUndefined({
      batchSizeMax: number('maxBatchSize'),
      batchTimeoutMs: number('maxBatchTimeout', 1000),
      retriesMax: number('maxRetries') ?? number('maxRetires'),
      retryDelayMs: number('retryDelay', 1000),
      deadLetterQueue: options['deadLetterQueue'],
    });
    return { queue, ...consumerDefaults, ...given, given };
  });
}

function dropUndefined(values: Readonly<Record<string, unknown>>): ConsumerSetup['given'] {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** `['NAME']`, `{ NAME: 'id' }` or `{ NAME: { id, … } }`. */
function named(
  value: unknown,
  at: string,
  key: string,
  renamed: Readonly<Record<string, string>> = { id: key },
): object[] {
  if (Array.isArray(value)) return value.map((binding: unknown) => ({ binding, [key]: binding }));
  return Object.entries(table(value, at)).map(([binding, each]) => {
    if (typeof each === 'string') return { binding, [key]: each };
    const options = Object.entries(table(each, `${at}.${binding}`));
    const known = options.filter(([name, given]) => name in renamed && given !== undefined);
    return { binding, ...Object.fromEntries(known.map(([name, given]) => [renamed[name], given])) };
  });
}

function table(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new ConfigError(`${at} must be an object: ${JSON.stringify(value)}`);
  return value;
}

function list(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ConfigError(`${at} must be a list: ${JSON.stringify(value)}`);
  return value as unknown[];
}
