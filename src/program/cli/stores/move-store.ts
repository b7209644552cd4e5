/**
 * Copies the content of a store in a directory to one of an account. Existing content of the account is kept: so a
 * second run continues an interrupted one, and overwrites nothing that was written since.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  dumpDatabase,
  queueMessageBytesMax,
  readEntries,
  readMessages,
  readObjects,
  type StoredEntry,
  type WaitingMessage,
} from '#bindings';
import type { Sent } from '#client';
import { decodeValue } from '#values';
import { CommandError } from '../command.ts';
import type { SourceStore, StoreKind } from './source.ts';
import {
  findBucket,
  findDatabase,
  findNamespace,
  findQueue,
  type Move,
  type Moved,
  type AccountTarget,
} from './target.ts';

/** The API's limit for one request. */
const batchEntriesMax = 1_000;
const batchBytesMax = 8 * 1024 * 1024;
const fileBytesMax = 32 * 1024 * 1024;
const objectBytesMax = 100 * 1024 * 1024;
const batchMessagesMax = 100;
const batchMessageBytesMax = 1024 * 1024;
/** The API refuses values that expire in less than a minute; this leaves it some time. */
const livingSecondsMin = 90;

type BulkEntry = Sent<'kv.writeBulk'>[number];
type SentMessage = Sent<'queues.takeOver'>['messages'][number];

const moveNamespace: Move = async (store, target) => {
  const id = await findNamespace(target, store.name);
  const { api, account_id } = target;
  const at = { account_id, namespace_id: id };
  const path = '/accounts/{account_id}/storage/kv/namespaces/{namespace_id}';
  const existing = new Set<string>();
  for await (const { name } of api.list(`${path}/keys`, { ...at, query: { limit: 1_000 } }))
    existing.add(name);
  const counts = { taken: 0, present: 0, expiring: 0 };
  let batch: BulkEntry[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const { unsuccessful_keys: refused } = (await api.put(`${path}/bulk`, { ...at, body: batch })).result;
    if (refused.length > 0) throw new CommandError(`the server refused keys: ${refused.join(', ')}`);
    counts.taken += batch.length;
    [batch, bytes] = [[], 0];
  };
  const nowSeconds = Math.floor(Date.now() / 1000);
  using rows = await store.read();
  for (const entry of readEntries(rows, nowSeconds)) {
    const { key, value, expiration } = entry;
    if (existing.has(key)) counts.present++;
    else if (expiration !== null && expiration < nowSeconds + livingSecondsMin) counts.expiring++;
    else if (value.length > batchBytesMax) {
      await sendLongValue(target, id, entry);
      counts.taken++;
    } else {
      if (batch.length === batchEntriesMax || bytes + value.length > batchBytesMax) await flush();
      batch.push(toBulkEntry(entry));
      bytes += value.length;
    }
  }
  await flush();
  const { taken, present, expiring } = counts;
  return {
    ...{ id, taken, present },
    ...(expiring === 0 ? {} : { left: `${expiring} values that expire within ${livingSecondsMin} s` }),
  };
};

function toBulkEntry({ key, value, expiration, metadata }: StoredEntry): BulkEntry {
  return {
    key,
    value: value.toString('base64'),
    base64: true,
    ...(expiration === null ? {} : { expiration }),
    ...(metadata === null ? {} : { metadata: JSON.parse(metadata) as unknown }),
  };
}

async function sendLongValue(
  { api, account_id }: AccountTarget,
  id: string,
  { key, value, expiration, metadata }: StoredEntry,
): Promise<void> {
  const form = new FormData();
  form.set('value', new Blob([new Uint8Array(value)]));
  if (metadata !== null) form.set('metadata', metadata);
  const body = new Response(form);
  const query = expiration === null ? '' : `?expiration=${expiration}`;
  await api.sendFile(
    `/accounts/${account_id}/storage/kv/namespaces/${id}/values/${encodeURIComponent(key)}${query}`,
    {
      headers: { 'content-type': body.headers.get('content-type')! },
      bytes: Buffer.from(await body.bytes()),
    },
  );
}

/** As an SQL file, which is one transaction. */
const moveDatabase: Move = async (store, target) => {
  const id = await findDatabase(target, store.name);
  const { api, account_id } = target;
  const at = { account_id, database_id: id };
  using rows = await store.read();
  const [{ tables }] = [
    ...rows.exec(
      "SELECT count(*) AS tables FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
    ),
  ] as [{ readonly tables: number }];
  if (tables === 0) return { id, taken: 0, present: 0 };
  const sql = await collect(dumpDatabase(rows, { noSchema: false, noData: false, tables: [] }), store, id);
  const { num_tables: existing } = (await api.get('/accounts/{account_id}/d1/database/{database_id}', at))
    .result;
  if (existing > 0) {
    if (sql.equals(await readTarget(target, id))) return { id, taken: 0, present: tables };
    throw new CommandError(
      `the database ${store.name} of the account has tables with other contents and was not changed: choose another one with --as ${store.bindings[0] ?? store.id}=NAME`,
    );
  }
  const path = '/accounts/{account_id}/d1/database/{database_id}/import';
  const etag = createHash('md5').update(sql).digest('hex');
  const begun = (await api.post(path, { ...at, body: { action: 'init', etag } })).result;
  await api.sendFile(begun.upload_url!, { bytes: sql });
  const body = { action: 'ingest', etag, filename: begun.filename! } as const;
  const { success, error } = (await api.post(path, { ...at, body })).result;
  if (!success) throw new CommandError(`${error}: nothing was copied. ${asFile(store, id)}`);
  return { id, taken: tables, present: 0 };
};

async function collect(
  pieces: AsyncIterable<string>,
  store: SourceStore,
  id: string,
): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    parts.push(Buffer.from(piece));
    bytes += parts.at(-1)!.length;
    if (bytes > fileBytesMax)
      throw new CommandError(
        `as SQL it has more than ${fileBytesMax / 1024 / 1024} MiB, the most that a server accepts at once. ${asFile(store, id)}`,
      );
  }
  return Buffer.concat(parts);
}

/** The alternative for databases that cannot be an SQL file which a server accepts. */
function asFile(store: SourceStore, id: string): string {
  return `On the machine of the server, copy it as a file: gatehouse objects export d1_databases ${store.id} FILE, gatehouse objects import d1_databases ${id} FILE --data DATA/stores`;
}

async function readTarget({ api, account_id }: AccountTarget, database_id: string): Promise<Buffer> {
  const { result } = (
    await api.post('/accounts/{account_id}/d1/database/{database_id}/export', {
      ...{ account_id, database_id },
      body: { output_format: 'polling' },
    })
  ).result;
  return await api.readFile((result as { readonly signed_url: string }).signed_url);
}

const moveBucket: Move = async (store, target) => {
  const id = await findBucket(target, store.name);
  const { api, account_id } = target;
  const existing = new Set<string>();
  const path = '/accounts/{account_id}/r2/buckets/{bucket_name}/objects';
  for await (const { key } of api.list(path, { account_id, bucket_name: id })) existing.add(key);
  let [taken, present] = [0, 0];
  const large: string[] = [];
  using rows = await store.read();
  for (const { key, size, http, custom, storageClass, files } of readObjects(rows)) {
    if (existing.has(key)) present++;
    else if (size > objectBytesMax) large.push(key);
    else {
      const metadata = { http, custom, storageClass };
      await api.sendFile(`/accounts/${account_id}/r2/buckets/${id}/objects/${encodeURIComponent(key)}`, {
        headers: { 'x-object-metadata': Buffer.from(JSON.stringify(metadata)).toString('base64url') },
        bytes: Buffer.concat(files.map((file) => readFileSync(join(store.folder, file)))),
      });
      taken++;
    }
  }
  const mebibytes = objectBytesMax / 1024 / 1024;
  return {
    ...{ id, taken, present },
    ...(large.length === 0
      ? {}
      : { left: `objects of more than ${mebibytes} MiB, which only Workers can write: ${large.join(', ')}` }),
  };
};

/**
 * Each has an id, by which the account recognises messages that it has already received, even if they were delivered
 * since.
 */
const moveQueue: Move = async (store, target) => {
  const { id: queue_id, name } = await findQueue(target, store.name);
  const { api, account_id } = target;
  const path = '/accounts/{account_id}/queues/{queue_id}/messages/take-over';
  const counts = { taken: 0, present: 0, expired: 0 };
  const special: string[] = [];
  let batch: SentMessage[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const { result } = await api.post(path, { account_id, queue_id, body: { messages: batch } });
    for (const key of ['taken', 'present', 'expired'] as const) counts[key] += result[key];
    [batch, bytes] = [[], 0];
  };
  using rows = await store.read();
  for (const waiting of readMessages(rows)) {
    const message = toSentMessage(waiting);
    if (message === undefined) {
      special.push(waiting.id);
      continue;
    }
    if (batch.length === batchMessagesMax || bytes + message.body.length > batchMessageBytesMax)
      await flush();
    batch.push(message);
    bytes += message.body.length;
  }
  await flush();
  const { taken, present, expired } = counts;
  const left = [
    ...(expired === 0 ? [] : [`${expired} messages older than the retention of the queue`]),
    ...(special.length === 0
      ? []
      : [
          `messages of the content type v8 that JSON cannot express: ${special.join(', ')}; run the Worker on the directory until they are delivered`,
        ]),
  ];
  return { id: name, taken, present, ...(left.length === 0 ? {} : { left: left.join('; ') }) };
};

/** Undefined if its body is a value that only V8 can serialize: the API does not accept such bytes. */
function toSentMessage({
  id,
  timestamp,
  due,
  attempts,
  contentType,
  body,
}: WaitingMessage): SentMessage | undefined {
  const message = { id, timestamp_ms: timestamp, due_ms: due, attempts };
  if (contentType !== 'v8')
    return { ...message, content_type: contentType, body: Buffer.from(body).toString('base64') };
  const value = decodeValue(body);
  const json = JSON.stringify(value);
  if (json === undefined || !isDeepStrictEqual(JSON.parse(json), value)) return undefined;
  if (Buffer.byteLength(json) > queueMessageBytesMax) return undefined;
  return { ...message, content_type: 'json', body: Buffer.from(json).toString('base64') };
}

export const moves: Readonly<
  Record<StoreKind, (store: SourceStore, target: AccountTarget) => Promise<Moved>>
> = {
  kv: moveNamespace,
  d1: moveDatabase,
  r2: moveBucket,
  queues: moveQueue,
};
