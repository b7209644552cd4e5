/** KV namespaces of the account, and the values in them. */
import { randomBytes } from 'node:crypto';
import {
  checkValueLength,
  isRefusal,
  kvMetadataField,
  KvNamespace,
  type KvNamespaceObject,
  readPut,
} from '#bindings';
import {
  fault,
  type InputOf,
  ok,
  pageOf,
  type PlainReply,
  readFormBoundary,
  readForm,
  type Result,
  storeCodes,
} from '#contract';
import type { StoreRow } from '../../stores/stores.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { addStore, initiator, openStore, removeStore, sayRefusal } from './find-store.ts';

export const kvHandlers: ObjectsHandlers<'kv'> = {
  async 'kv.list'({ account }, { query }) {
    const rows = await account.listStores('kv');
    const sorted = query.order === 'id' ? rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)) : rows;
    return pageOf((query.direction === 'desc' ? sorted.toReversed() : sorted).map(toJson), query);
  },

  async 'kv.create'(context, { body: { title } }) {
    const id = randomBytes(16).toString('hex');
    return ok(toJson(await addStore(context, { kind: 'kv', id, name: title, settings: {} }, taken(title))));
  },

  'kv.get': async (context, { path }) => ok(toJson(await find(context, path))),

  async 'kv.rename'(context, { path, body: { title } }) {
    const row = { ...(await find(context, path)), name: title, modifiedAtMs: context.nowMs };
    if (!(await context.account.putStore(initiator(context), row))) throw taken(title);
    return ok(toJson(row));
  },

  async 'kv.delete'(context, { path }) {
    await removeStore(context, await find(context, path));
    return ok(null);
  },

  async 'kv.listKeys'(context, { path, query: { prefix = '', limit, cursor } }) {
    const { face } = await open(context, path);
    const listed = (await sayRefusal(storeCodes.kvRefused, () =>
      face.list({ prefix, limit, cursor: cursor === '' ? null : (cursor ?? null) }),
    )) as { keys: Result<'kv.listKeys'>; cursor?: string };
    const info = { count: listed.keys.length, cursor: listed.cursor ?? '' };
    return { kind: 'done', status: 200, result: listed.keys, info };
  },

  async 'kv.readValue'(context, { path }): Promise<PlainReply> {
    const { face } = await open(context, path);
    const { value, metadata } = (await sayRefusal(storeCodes.kvRefused, () =>
      face.getWithMetadata(keyOf(path), 'arrayBuffer'),
    )) as {
      readonly value: ArrayBuffer | null;
      readonly metadata: unknown;
    };
    if (value === null) throw fault(storeCodes.kvKeyNotFound);
    const body = (async function* () {
      yield new Uint8Array(value);
    })();
    return {
      kind: 'plain',
      status: 200,
      contentType: 'application/octet-stream',
      // Sent together with the value, for bindings that use this namespace from elsewhere.
      headers: metadata === null ? {} : { [kvMetadataField]: encodeURIComponent(JSON.stringify(metadata)) },
      body,
    };
  },

  async 'kv.writeValue'(context, { path, query, raw }) {
    const { face } = await open(context, path);
    const { value, metadata } = readValue(raw!);
    const { expiration, expiration_ttl: expirationTtl } = query;
    await sayRefusal(storeCodes.kvRefused, () =>
      face.put(keyOf(path), value, {
        ...(expiration === undefined ? {} : { expiration: Number(expiration) }),
        ...(expirationTtl === undefined ? {} : { expirationTtl: Number(expirationTtl) }),
        ...(metadata === undefined ? {} : { metadata }),
      }),
    );
    return ok(null);
  },

  async 'kv.deleteValue'(context, { path }) {
    const { face } = await open(context, path);
    await sayRefusal(storeCodes.kvRefused, () => face.delete(keyOf(path)));
    return ok(null);
  },

  async 'kv.readMetadata'(context, { path }) {
    const { face } = await open(context, path);
    const found = (await sayRefusal(storeCodes.kvRefused, () =>
      face.getWithMetadata(keyOf(path), 'arrayBuffer'),
    )) as {
      readonly value: unknown;
      readonly metadata: unknown;
    };
    if (found.value === null) throw fault(storeCodes.kvKeyNotFound);
    return ok(found.metadata);
  },

  async 'kv.writeBulk'(context, { path, body }) {
    const { stub } = await open(context, path);
    const entries: ReturnType<typeof readEntry>[] = [];
    const refused: { readonly key: string; readonly reason: string }[] = [];
    for (const sent of body) {
      try {
        entries.push(readEntry(sent));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused.push({ key: sent.key, reason: error.message });
      }
    }
    refused.push(...(await stub.writeMany(entries)));
    const [first] = refused;
    if (first !== undefined && refused.length === body.length)
      throw fault(storeCodes.kvRefused, { fill: { reason: `${first.key}: ${first.reason}` } });
    return ok({
      successful_key_count: body.length - refused.length,
      unsuccessful_keys: refused.map(({ key }) => key),
    });
  },

  'kv.deleteBulk': (context, { path, body }) => removeMany(context, path, body),
  'kv.deleteMany': (context, { path, body }) => removeMany(context, path, body),

  async 'kv.readBulk'(context, { path, body: { keys, type = 'text', withMetadata = false } }) {
    const { face } = await open(context, path);
    const found = (await sayRefusal(storeCodes.kvRefused, () => face.getWithMetadata(keys, type))) as Map<
      string,
      { readonly value: unknown; readonly metadata: unknown } | null
    >;
    const show = (key: string): unknown => {
      const entry = found.get(key) ?? null;
      if (withMetadata) return entry === null ? null : { value: entry.value, metadata: entry.metadata };
      return { value: entry?.value ?? null };
    };
    return ok({ values: Object.fromEntries(keys.map((key) => [key, show(key)])) });
  },
};

type Path = Readonly<Record<string, string>>;
type SentEntry = InputOf<'kv.writeBulk'>['body'][number];

function toJson({ id, name }: StoreRow): Result<'kv.get'> {
  return { id, title: name, supports_url_encoding: true };
}

const taken = (title: string): ReturnType<typeof fault> =>
  fault(storeCodes.kvTitleTaken, { fill: { title } });

async function find({ account }: ObjectsContext, path: Path): Promise<StoreRow> {
  const row = await account.getStore('kv', path['namespace_id']!);
  if (row === undefined) throw fault(storeCodes.kvNamespaceNotFound);
  return row;
}

async function open(context: ObjectsContext, path: Path) {
  const row = await find(context, path);
  const stub = await openStore<KvNamespaceObject>(context, row);
  return { stub, face: new KvNamespace(() => stub) };
}

async function removeMany(context: ObjectsContext, path: Path, keys: readonly string[]) {
  const { stub } = await open(context, path);
  await stub.removeMany(keys);
  return ok({ successful_key_count: keys.length, unsuccessful_keys: [] });
}

/** The router only accepts percent-encoded text. */
export function keyOf(path: Path, name = 'key_name'): string {
  try {
    return decodeURIComponent(path[name]!);
  } catch {
    throw fault(storeCodes.kvRefused, { fill: { reason: 'the key is not UTF-8' } });
  }
}

function readEntry({ key, value: given, base64, metadata, expiration, expiration_ttl }: SentEntry) {
  const value = Buffer.from(given, base64 === true ? 'base64' : 'utf8');
  checkValueLength(value.length);
  return { key, value, put: readPut(key, { expiration, expirationTtl: expiration_ttl, metadata }) };
}

function readValue({ bytes, headers }: { readonly bytes: Uint8Array; readonly headers: Path }): {
  readonly value: Uint8Array;
  readonly metadata?: unknown;
} {
  const boundary = readFormBoundary(headers['content-type'] ?? '');
  if (boundary === undefined) return { value: bytes };
  const form = readForm(bytes, boundary);
  const reject = (reason: string): ReturnType<typeof fault> =>
    fault(storeCodes.kvRefused, { fill: { reason } });
  if ('problem' in form) throw reject(`the form cannot be read: ${form.problem}`);
  const value = form.find(({ name }) => name === 'value');
  const metadata = form.find(({ name }) => name === 'metadata');
  if (value === undefined) throw reject('the form has no part called value');
  if (metadata === undefined) return { value: value.bytes };
  try {
    return { value: value.bytes, metadata: JSON.parse(Buffer.from(metadata.bytes).toString()) };
  } catch {
    throw reject('metadata is not JSON');
  }
}
