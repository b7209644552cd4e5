/** R2 buckets of the account, and the objects in them. */
import { isObject } from '#base';
import { R2Bucket, type R2Object, R2ObjectBody } from '#bindings';
import { entryOf, fault, ok, type PlainReply, type Result, storeCodes } from '#contract';
import { toMicroseconds } from '../../context/timestamps.ts';
import type { StoreRow } from '../../stores/stores.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { addStore, openStore, removeStore, sayRefusal, setStore } from './find-store.ts';
import { keyOf } from './kv-handlers.ts';

type Path = Readonly<Record<string, string>>;

/** The headers of a request that describe an object, by their names in its metadata. */
const describing = [
  ['contentType', 'content-type'],
  ['contentLanguage', 'content-language'],
  ['contentDisposition', 'content-disposition'],
  ['contentEncoding', 'content-encoding'],
  ['cacheControl', 'cache-control'],
] as const;

/** Ours: all metadata of an object, as JSON in base64url: `{ http, custom, storageClass }`. */
const metadataField = 'x-object-metadata';

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

  'r2.get': async (context, { path }) => ok(toJson(await findBucket(context, path))),

  async 'r2.edit'(context, { path, raw }) {
    const row = await findBucket(context, path);
    const storageClass = storageClasses.find((each) => each === raw!.headers['cf-r2-storage-class']);
    if (storageClass === undefined) return ok(toJson(row));
    return ok(toJson(await setStore(context, row, { storage_class: storageClass })));
  },

  async 'r2.delete'(context, { path }) {
    const row = await findBucket(context, path);
    const { objects } = (await (await open(context, row)).list({ limit: 1 })) as { objects: unknown[] };
    if (objects.length > 0) throw fault(storeCodes.bucketNotEmpty);
    await removeStore(context, row);
    return ok({});
  },

  'r2.getCors': (context, { path }) => readRules(context, path, 'cors'),
  'r2.setCors': (context, { path, body }) => keepRules(context, path, { kind: 'cors', rules: body.rules }),
  'r2.deleteCors': (context, { path }) => keepRules(context, path, { kind: 'cors' }),
  'r2.getLifecycle': (context, { path }) => readRules(context, path, 'lifecycle'),
  'r2.setLifecycle': (context, { path, body }) =>
    keepRules(context, path, { kind: 'lifecycle', rules: body.rules }),

  async 'r2.listObjects'(context, { path, query: { prefix = '', cursor } }) {
    const bucket = await open(context, await findBucket(context, path));
    const listed = (await sayRefusal(storeCodes.r2Refused, () =>
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
    const bucket = await open(context, await findBucket(context, path));
    const found = await sayRefusal(storeCodes.r2Refused, () => bucket.get(keyOf(path, 'object_key')));
    if (!(found instanceof R2ObjectBody)) throw fault(storeCodes.r2ObjectNotFound);
    const metadata = (found.httpMetadata ?? {}) as Readonly<Record<string, string | undefined>>;
    const fields = describing.flatMap(([name, field]) =>
      name === 'contentType' || metadata[name] === undefined ? [] : [[field, metadata[name]] as const],
    );
    const { httpMetadata: http, customMetadata: custom, storageClass } = found;
    const whole = Buffer.from(JSON.stringify({ http, custom, storageClass })).toString('base64url');
    return {
      kind: 'plain',
      status: 200,
      contentType: metadata['contentType'] ?? 'application/octet-stream',
      headers: { ...Object.fromEntries(fields), [metadataField]: whole, etag: found.httpEtag },
      body: found.body as unknown as AsyncIterable<Uint8Array>,
    };
  },

  async 'r2.writeObject'(context, { path, raw }) {
    const bucket = await open(context, await findBucket(context, path));
    const { bytes, headers } = raw!;
    const key = keyOf(path, 'object_key');
    const options = headers[metadataField] === undefined ? describe(headers) : readMetadata(headers);
    const written = await sayRefusal(storeCodes.r2Refused, () => bucket.put(key, bytes, options));
    return ok({ key, etag: written!.etag, size: String(bytes.length), version: written!.version });
  },

  async 'r2.deleteObject'(context, { path }) {
    const bucket = await open(context, await findBucket(context, path));
    await sayRefusal(storeCodes.r2Refused, () => bucket.delete(keyOf(path, 'object_key')));
    return ok({});
  },
};

const idleBecause = {
  cors: 'only Workers and this API read a bucket, and no browser does',
  lifecycle: 'no object is deleted or moved because of its age',
} as const;

async function readRules(context: ObjectsContext, path: Path, kind: keyof typeof idleBecause) {
  const { settings } = await findBucket(context, path);
  return ok({ rules: settings[kind] ?? [] });
}

async function keepRules(
  context: ObjectsContext,
  path: Path,
  {
    kind,
    rules = [],
  }: { readonly kind: keyof typeof idleBecause; readonly rules?: readonly unknown[] | undefined },
) {
  const row = await findBucket(context, path);
  await setStore(context, row, { [kind]: rules });
  const fill = { what: kind, name: row.name, reason: idleBecause[kind] };
  return ok({}, rules.length === 0 ? [] : [entryOf(storeCodes.bucketRulesIdle, { fill })]);
}

type Headers = Readonly<Record<string, string>>;
type PutOptions = NonNullable<Parameters<R2Bucket['put']>[2]>;

function describe(headers: Headers): PutOptions {
  const httpMetadata = Object.fromEntries(
    describing.flatMap(([name, field]) => (headers[field] === undefined ? [] : [[name, headers[field]]])),
  );
  return { httpMetadata };
}

function readMetadata(headers: Headers): PutOptions {
  const reject = (reason: string): ReturnType<typeof fault> =>
    fault(storeCodes.r2Refused, { fill: { reason: `${metadataField} ${reason}` } });
  let given: unknown;
  try {
    given = JSON.parse(Buffer.from(headers[metadataField]!, 'base64url').toString());
  } catch {
    throw reject('is not JSON in base64url');
  }
  const { http = {}, custom = {}, storageClass = 'Standard' } = isObject(given) ? given : {};
  if (!isObject(http) || !isObject(custom))
    throw reject('has something other than objects in http and custom');
  if (![...Object.values(http), ...Object.values(custom)].every((each) => typeof each === 'string'))
    throw reject('has something other than strings in http and custom');
  const { cacheExpiry, ...fields } = http as Headers;
  const expiry = cacheExpiry === undefined ? undefined : new Date(cacheExpiry);
  if (Number.isNaN(expiry?.getTime())) throw reject('has a cacheExpiry that is not a date');
  const known = describing.flatMap(([name]) => (fields[name] === undefined ? [] : [[name, fields[name]]]));
  const named = storageClasses.find((each) => each === storageClass);
  if (named === undefined) throw reject(`has a storageClass that is none of ${storageClasses.join(', ')}`);
  return {
    httpMetadata: {
      ...Object.fromEntries(known),
      ...(expiry === undefined ? {} : { cacheExpiry: expiry }),
    },
    customMetadata: custom as Headers,
    storageClass: named,
  };
}

function toJson({ name, createdAtMs, settings }: StoreRow): Result<'r2.get'> {
  return {
    name,
    creation_date: toMicroseconds(createdAtMs),
    location: 'WEUR',
    storage_class: settings.storage_class ?? 'Standard',
    jurisdiction: 'default',
  };
}

export async function findBucket({ account }: ObjectsContext, path: Path): Promise<StoreRow> {
  const row = await account.getStore('r2', path['bucket_name']!);
  if (row === undefined) throw fault(storeCodes.bucketNotFound);
  return row;
}

async function open(context: ObjectsContext, row: StoreRow): Promise<R2Bucket> {
  const stub = await openStore<object>(context, row);
  return new R2Bucket(() => stub as never);
}
