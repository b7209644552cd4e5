/** `env.NAMESPACE`: a KV namespace, as code of a Worker sees it. */
import { readBytes } from '../read-bytes.ts';
import { kvBatchBytesMax, kvValueBytesMax } from '../limits.ts';
import type { KvEntry, KvNamespaceObject } from './kv-object.ts';
import {
  checkBatch,
  checkCacheTtl,
  checkKey,
  checkPrefix,
  checkValueLength,
  createKvError,
  type Expiry,
  readListLimit,
  readPut,
} from './kv-rules.ts';
import type { OpenObject } from '../open-object.ts';
import { toRefusal } from '../refusal.ts';

type KvGetOptions = string | { readonly type?: string; readonly cacheTtl?: number } | undefined;

interface KvPutOptions extends Expiry {
  readonly metadata?: unknown;
}

interface WithMetadata {
  readonly value: unknown;
  readonly metadata: unknown;
}

interface ListedKey {
  readonly name: string;
  expiration?: number;
  metadata?: unknown;
}

interface KvListOptions {
  readonly prefix?: string | null;
  readonly limit?: number;
  readonly cursor?: string | null;
}

export class KvNamespace {
  readonly #open: OpenObject<KvNamespaceObject>;

  constructor(open: OpenObject<KvNamespaceObject>) {
    this.#open = open;
  }

  async get(key: string | readonly string[], options?: KvGetOptions): Promise<unknown> {
    if (Array.isArray(key)) return await this.#getBatch(key as string[], options, ({ value }) => value);
    return (await this.#getOne(String(key), options)).value;
  }

  async getWithMetadata(key: string | readonly string[], options?: KvGetOptions): Promise<unknown> {
    if (Array.isArray(key)) return await this.#getBatch(key as string[], options, (found) => found);
    return { ...(await this.#getOne(String(key), options)), cacheStatus: null };
  }

  async put(key: string, value: unknown, options?: KvPutOptions | null): Promise<void> {
    const name = String(key);
    const put = readPut(name, options ?? {});
    // Bytes in memory are copied now: the caller may change them as soon as this returns.
    const bytes =
      value instanceof ReadableStream ? await readBytes(value, kvValueBytesMax) : takeBytes(value);
    checkValueLength(bytes.length);
    const refusal = await this.#open().write(name, bytes, put);
    if (refusal !== undefined) throw toRefusal(new Error(refusal));
  }

  async delete(key: string): Promise<void> {
    const name = String(key);
    checkKey('DELETE', name);
    await this.#open().remove(name);
  }

  async list(options?: KvListOptions | null): Promise<object> {
    const { prefix, limit, cursor } = options ?? {};
    const range = {
      prefix: prefix === undefined || prefix === null ? '' : String(prefix),
      limit: readListLimit(limit),
      after: cursor === undefined || cursor === null ? undefined : fromCursor(String(cursor)),
    };
    checkPrefix(range.prefix);
    const found = await this.#open().list(range);
    const keys = found.keys.map(({ name, expiration, metadata }): ListedKey => {
      const key: ListedKey = { name };
      if (expiration !== null) key.expiration = expiration;
      if (metadata !== null) key.metadata = JSON.parse(metadata);
      return key;
    });
    if (found.isComplete) return { keys, list_complete: true, cacheStatus: null };
    return { keys, list_complete: false, cursor: toCursor(keys.at(-1)!.name), cacheStatus: null };
  }

  async #getOne(key: string, options: KvGetOptions): Promise<WithMetadata> {
    checkKey('GET', key);
    const { type, cacheTtl } = readGetOptions(options);
    checkCacheTtl('GET', cacheTtl);
    const [entry] = (await this.#open().read([key]))!;
    if (entry === null || entry === undefined) return { value: null, metadata: null };
    return { value: decode(entry.value, type), metadata: metadataOf(entry) };
  }

  async #getBatch(
    keys: readonly unknown[],
    options: KvGetOptions,
    pick: (found: WithMetadata) => unknown,
  ): Promise<Map<string, unknown>> {
    const names = keys.map(String);
    const { type, cacheTtl } = readGetOptions(options);
    checkBatch(names, type);
    checkCacheTtl('GET_BULK', cacheTtl);
    const entries = await this.#open().read(names);
    if (entries === undefined) {
      const megabytes = kvBatchBytesMax / 1024 / 1024;
      throw createKvError('GET_BULK', 413, `Total size of request exceeds the limit of ${megabytes}MB`);
    }
    const show = (entry: KvEntry): unknown =>
      pick({ value: decodeOfBatch(entry, type), metadata: metadataOf(entry) });
    return new Map(
      names.map((name, index) => [name, entries[index] === null ? null : show(entries[index]!)]),
    );
  }

  get [Symbol.toStringTag](): string {
    return 'KvNamespace';
  }
}

function readGetOptions(options: KvGetOptions): {
  readonly type: string;
  readonly cacheTtl: number | undefined;
} {
  if (typeof options === 'object' && options !== null)
    return { type: String(options.type ?? 'text'), cacheTtl: options.cacheTtl };
  return { type: String(options ?? 'text'), cacheTtl: undefined };
}

function metadataOf({ metadata }: KvEntry): unknown {
  return metadata === null ? null : JSON.parse(metadata);
}

function decode(value: ArrayBuffer, type: string): unknown {
  switch (type) {
    case 'text':
      return new TextDecoder().decode(value);
    case 'json':
      return JSON.parse(new TextDecoder().decode(value));
    case 'arrayBuffer':
      return value;
    case 'stream':
      return new Blob([value]).stream();
    default:
      throw new TypeError(
        'Unknown response type. Possible types are "text", "arrayBuffer", "json", and "stream".',
      );
  }
}

function decodeOfBatch({ value }: KvEntry, type: string): unknown {
  try {
    return decode(value, type);
  } catch {
    throw createKvError(
      'GET_BULK',
      400,
      'At least one of the requested keys corresponds to a non-json value',
    );
  }
}

function takeBytes(value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (typeof value === 'object' && value !== null) {
    throw new TypeError(
      'KV put() accepts only strings, ArrayBuffers, ArrayBufferViews, and ReadableStreams as values.',
    );
  }
  return Buffer.from(String(value));
}

function toCursor(key: string): string {
  return Buffer.from(key).toString('base64');
}

function fromCursor(cursor: string): string {
  return Buffer.from(cursor, 'base64').toString();
}
