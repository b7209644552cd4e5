/** R2 buckets of the account, and the objects in them. */
import { R2Bucket, type R2Object, R2ObjectBody } from '#bindings';
import { fault, ok, type PlainReply, type Result, storeCodes } from '#contract';
import { toMicroseconds } from '../../context/timestamps.ts';
import type { StoreRow } from '../../stores/store-registry.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { addStore, openStore, removeStore, setStore } from './find-store.ts';
import { keyOf } from './kv-handlers.ts';

type Path = Readonly<Record<string, string>>;

/** The fields of a request that describe an object, by their names in its metadata. */
const describing = [
  ['contentType', 'content-type'],
  ['contentLanguage', 'content-language'],
  ['contentDisposition', 'content-disposition'],
  ['contentEncoding', 'content-encoding'],
  ['cacheControl', 'cache-control'],
] as const;

const storageClasses = ['Standard', 'InfrequentAccess'] as const;

export const r2Handlers: ObjectsHandlers<'r2'> = {
  async 'r2.list'({ account }, { query: { name_contains: part = '' } }) {
    const rows = await account.listStores('r2');
    return ok({ buckets: rows.filter(({ name }) => name.includes(part)).map(toJson) });
  },

  async 'r2.create'(context, { body: { name, storageClass } }) {
    const taken = fault(storeCodes.bucketTaken);
    const settings = storageClass === undefined ? {} : { storage_class: storageClass };
    return ok(toJson(await addStore(context, { kind: 'r2', id: name, name, settings }, taken)));
  },

  'r2.get': async (context, { path }) => ok(toJson(await find(context, path))),

  async 'r2.edit'(context, { path, raw }) {
    const row = await find(context, path);
    const storageClass = storageClasses.find((each) => each === raw!.headers['cf-r2-storage-class']);
    if (storageClass === undefined) return ok(toJson(row));
    return ok(toJson(await setStore(context, row, { storage_class: storageClass })));
  },

  async 'r2.delete'(context, { path }) {
    const row = await find(context, path);
    const { objects } = (await (await open(context, row)).list({ limit: 1 })) as { objects: unknown[] };
    if (objects.length > 0) throw fault(storeCodes.bucketNotEmpty);
    await removeStore(context, row);
    return ok({});
  },

  async 'r2.listObjects'(context, { path, query: { prefix = '', cursor } }) {
    const bucket = await open(context, await find(context, path));
    const listed = (await refuse(() =>
      bucket.list({ prefix, include: ['httpMetadata'], ...(cursor === undefined ? {} : { cursor }) }),
    )) as { readonly objects: readonly R2Object[]; readonly cursor?: string };
    const result = listed.objects.map(({ key, size, httpEtag, uploaded, httpMetadata }) => ({
      key,
      size,
      etag: httpEtag,
      last_modified: uploaded.toISOString(),
      http_metadata: httpMetadata,
    }));
    return { kind: 'done', status: 200, result, info: { cursor: listed.cursor ?? '' } };
  },

  async 'r2.readObject'(context, { path }): Promise<PlainReply> {
    const bucket = await open(context, await find(context, path));
    const found = await refuse(() => bucket.get(keyOf(path, 'object_key')));
    if (!(found instanceof R2ObjectBody)) throw fault(storeCodes.r2ObjectNotFound);
    const metadata = (found.httpMetadata ?? {}) as Readonly<Record<string, string | undefined>>;
    const fields = describing.flatMap(([name, field]) =>
      name === 'contentType' || metadata[name] === undefined ? [] : [[field, metadata[name]] as const],
    );
    return {
      kind: 'plain',
      status: 200,
      contentType: metadata['contentType'] ?? 'application/octet-stream',
      headers: { ...Object.fromEntries(fields), etag: found.httpEtag },
      body: found.body as unknown as AsyncIterable<Uint8Array>,
    };
  },

  async 'r2.writeObject'(context, { path, raw }) {
    const bucket = await open(context, await find(context, path));
    const { bytes, headers } = raw!;
    const httpMetadata = Object.fromEntries(
      describing.flatMap(([name, field]) => (headers[field] === undefined ? [] : [[name, headers[field]]])),
    );
    const key = keyOf(path, 'object_key');
    const written = await refuse(() => bucket.put(key, bytes, { httpMetadata }));
    return ok({ key, etag: written!.etag, size: String(bytes.length), version: written!.version });
  },

  async 'r2.deleteObject'(context, { path }) {
    const bucket = await open(context, await find(context, path));
    await refuse(() => bucket.delete(keyOf(path, 'object_key')));
    return ok({});
  },
};

function toJson({ name, createdAtMs, settings }: StoreRow): Result<'r2.get'> {
  return {
    name,
    creation_date: toMicroseconds(createdAtMs),
    location: 'WEUR',
    storage_class: settings.storage_class ?? 'Standard',
    jurisdiction: 'default',
  };
}

async function find({ account }: ObjectsContext, path: Path): Promise<StoreRow> {
  const row = await account.getStore('r2', path['bucket_name']!);
  if (row === undefined) throw fault(storeCodes.bucketNotFound);
  return row;
}

async function open(context: ObjectsContext, row: StoreRow): Promise<R2Bucket> {
  const stub = await openStore<object>(context, row);
  return new R2Bucket(() => stub as never);
}

/** What a bucket refuses is said as its bindings say it. */
async function refuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !/\(\d{5}\)$/.test(error.message)) throw error;
    throw fault(storeCodes.r2Refused, { fill: { reason: error.message } });
  }
}
