/** A KV namespace of an account, through the API: implements the calls that `KvNamespace` makes to its object. */
import { type KvNamespaceObject, kvMetadataField } from '#bindings';
import { ApiError } from '#client';
import { randomUUID } from 'node:crypto';
import type { RemoteStore } from './account-api.ts';

const namespace = '/accounts/{account_id}/storage/kv/namespaces/{namespace_id}';
/** The smallest limit of the API's lists. */
const listedMin = 10;
const notFoundCode = 10009;
const refusedCode = 10033;

type Read = NonNullable<ReturnType<KvNamespaceObject['read']>>;
type Entry = Read[number];
type Put = Parameters<KvNamespaceObject['write']>[2];
type ListRange = Parameters<KvNamespaceObject['list']>[0];
type Listed = ReturnType<KvNamespaceObject['list']>;

export class RemoteKv {
  readonly #store: RemoteStore;

  constructor(store: RemoteStore) {
    this.#store = store;
  }

  async read(keys: readonly string[]): Promise<Read> {
    const [first, ...more] = keys;
    return more.length === 0 ? [await this.#readOne(first!)] : await this.#readMany(keys);
  }

  /** Returns the reason if it is refused. */
  async write(key: string, value: Uint8Array, put: Put): Promise<string | undefined> {
    const { metadata, expiration, expirationTtl: expiration_ttl } = put;
    const body =
      metadata === null
        ? { content: wholeBody(value), contentType: 'application/octet-stream' }
        : writeForm(value, metadata);
    return await this.#store.call(async (client, input) => {
      try {
        await client.put(`${namespace}/values/{key_name}`, {
          ...input,
          ...this.#key(key),
          ...body,
          query: { expiration, expiration_ttl },
        });
        return undefined;
      } catch (error) {
        const refusal = readRefusal(error);
        if (refusal === undefined) throw error;
        return refusal;
      }
    });
  }

  async remove(key: string): Promise<void> {
    await this.#store.call((client, input) =>
      client.delete(`${namespace}/values/{key_name}`, { ...input, ...this.#key(key) }),
    );
  }

  async list({ prefix, after, limit }: ListRange): Promise<Listed> {
    const { result, result_info: info } = await this.#store.call((client, input) =>
      client.get(`${namespace}/keys`, {
        ...input,
        namespace_id: this.#store.id,
        query: {
          prefix,
          limit: Math.max(limit, listedMin),
          // In the server's format of cursors.
          cursor: after === undefined ? undefined : Buffer.from(after).toString('base64'),
        },
      }),
    );
    const keys = result.slice(0, limit).map(({ name, expiration = null, metadata }) => ({
      name,
      expiration,
      metadata: metadata === undefined ? null : JSON.stringify(metadata),
    }));
    return { keys, isComplete: result.length <= limit && (info?.cursor ?? '') === '' };
  }

  #key(key: string): { readonly namespace_id: string; readonly key_name: string } {
    return { namespace_id: this.#store.id, key_name: key.toWellFormed() };
  }

  async #readOne(key: string): Promise<Entry> {
    return await this.#store.call(async (client, input) => {
      try {
        const response = await client.stream(`${namespace}/values/{key_name}`, {
          ...input,
          ...this.#key(key),
        });
        const metadata = response.headers.get(kvMetadataField);
        return {
          value: await response.arrayBuffer(),
          metadata: metadata === null ? null : decodeURIComponent(metadata),
        };
      } catch (error) {
        if (error instanceof ApiError && error.has(notFoundCode)) return null;
        throw error;
      }
    });
  }

  /** As text: the operation that reads several keys supports nothing else. */
  async #readMany(keys: readonly string[]): Promise<Read> {
    const { values } = await this.#store.call(async (client, input) => {
      try {
        const { result } = await client.post(`${namespace}/bulk/get`, {
          ...input,
          namespace_id: this.#store.id,
          body: { keys: [...keys], type: 'text', withMetadata: true },
        });
        return result;
      } catch (error) {
        const refusal = readRefusal(error);
        throw refusal === undefined ? error : new Error(refusal, { cause: error });
      }
    });
    return keys.map((key) => {
      const entry = (values as Record<string, { value: string; metadata: unknown } | null>)[key] ?? null;
      if (entry === null) return null;
      return {
        value: new TextEncoder().encode(entry.value).buffer,
        metadata: entry.metadata === null ? null : JSON.stringify(entry.metadata),
      };
    });
  }
}

/** KV's own error about a key, a value or its expiry. */
function readRefusal(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || !error.has(refusedCode)) return undefined;
  return error.errors[0]!.message.replace(/^kv\.api\.refused: /, '');
}

function writeForm(
  value: Uint8Array,
  metadata: string,
): { readonly content: AsyncIterable<Uint8Array>; readonly contentType: string } {
  const boundary = randomUUID();
  const head = (name: string): Buffer =>
    Buffer.from(`\r\n--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`);
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    content: wholeBody(
      Buffer.concat([head('metadata').subarray(2), Buffer.from(metadata), head('value'), value, end]),
    ),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** Available bytes as a body that is sent in pieces. A retried call sends them again. */
function wholeBody(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes;
    },
  };
}
