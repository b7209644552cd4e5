/** D1 databases of the account: SQL, files of SQL, and earlier states. */
import { createHash, randomUUID } from 'node:crypto';
import { type D1DatabaseObject, type D1Outcome, type D1Rows, type D1Value, dumpDatabase } from '#bindings';
import { type Fault, fault, ok, pageOf, type Result, storeCodes } from '#contract';
import type { DurableObjectStub as Stub, HistoryAccess } from '#objects';
import { transferPath } from './store-transfers.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import type { StoreRow } from '../../stores/stores.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { addStore, openStore, removeStore, requireStores, setStore } from './find-store.ts';

type Path = Readonly<Record<string, string>>;

export const d1Handlers: ObjectsHandlers<'d1'> = {
  async 'd1.list'(context, { query }) {
    const rows = await context.account.listStores('d1');
    const wanted = rows.filter(({ name }) => query.name === undefined || name === query.name);
    return pageOf(wanted.map(toListed), query);
  },

  async 'd1.create'(context, { body: { name, read_replication: replication } }) {
    const taken = fault(storeCodes.d1NameTaken, { fill: { name } });
    const settings = replication === undefined ? {} : { read_replication: replication.mode };
    const row = await addStore(context, { kind: 'd1', id: randomUUID(), name, settings }, taken);
    const stub = await openStore<D1DatabaseObject>(context, row);
    await stub.create();
    return ok(toJson(row, await stub.describe()));
  },

  'd1.get': (context, { path }) => show(context, path),

  async 'd1.edit'(context, { path, body: { read_replication: replication } }) {
    if (replication !== undefined)
      await setStore(context, await find(context, path), { read_replication: replication.mode });
    return await show(context, path);
  },

  async 'd1.delete'(context, { path }) {
    await removeStore(context, await find(context, path));
    return ok(null);
  },

  async 'd1.query'(context, { path, body }) {
    const stub = await openStore<D1DatabaseObject>(context, await find(context, path));
    const results = readResults(await runRaw(stub, body), body);
    return ok(
      results.map(({ columns, rows, meta }) => ({
        results: rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]]))),
        success: true,
        meta: { ...meta },
      })),
    );
  },

  async 'd1.raw'(context, { path, body }) {
    const stub = await openStore<D1DatabaseObject>(context, await find(context, path));
    const results = readResults(await runRaw(stub, body), body);
    return ok(
      results.map(({ columns, rows, meta }) => ({
        results: { columns, rows },
        success: true,
        meta: { ...meta },
      })),
    );
  },

  async 'd1.import'(context, { path, body, host }) {
    const row = await find(context, path);
    const { transfers } = requireStores(context);
    switch (body.action) {
      case 'init': {
        const token = transfers.offerUpload(context.nowMs);
        return ok({ success: true, filename: `${token}.sql`, upload_url: `${host!}${transferPath}${token}` });
      }
      case 'ingest':
        return ok(await ingest(context, row, body));
      case 'poll':
        throw refuseImport('an import is done when ingest answers: there is nothing to wait for');
    }
  },

  async 'd1.export'(context, { path, body: { dump_options: options = {} }, host }) {
    const row = await find(context, path);
    const history = await openHistory(context, row);
    const bookmark = await history.current();
    const { no_schema: noSchema = false, no_data: noData = false, tables = [] } = options;
    const write = async function* (): AsyncGenerator<string> {
      using past = await history.readAt(bookmark);
      yield* dumpDatabase(past, { noSchema, noData, tables });
    };
    const token = requireStores(context).transfers.offerDownload(write, context.nowMs);
    return ok({
      success: true,
      type: 'export',
      at_bookmark: bookmark,
      status: 'complete',
      messages: [],
      error: '',
      result: { filename: `${row.name}.sql`, signed_url: `${host!}${transferPath}${token}` },
    });
  },

  async 'd1.getBookmark'(context, { path, query: { timestamp } }) {
    const history = await openHistory(context, await find(context, path));
    return ok({ bookmark: await findBookmark(history, timestamp) });
  },

  async 'd1.restore'(context, { path, query: { bookmark, timestamp } }) {
    const row = await find(context, path);
    const history = await openHistory(context, row);
    const previous = await history.current();
    const target = bookmark ?? (await findBookmark(history, timestamp));
    try {
      await history.restore(target);
    } catch (error) {
      throw fault(storeCodes.d1BookmarkUnknown, { fill: { reason: (error as Error).message } });
    }
    return ok({
      bookmark: await history.current(),
      previous_bookmark: previous,
      message: `Database ${row.name} is as it was at ${target}`,
    });
  },
};

function refuseImport(reason: string): Fault {
  return fault(storeCodes.d1ImportRefused, { fill: { reason } });
}

/** The whole file is one transaction, so the import is complete when this answers. */
async function ingest(
  context: ObjectsContext,
  row: StoreRow,
  { filename = '', etag }: { readonly filename?: string | undefined; readonly etag?: string | undefined },
): Promise<Result<'d1.import'>> {
  const bytes = requireStores(context).transfers.takeUpload(filename.replace(/\.sql$/, ''));
  if (bytes === undefined) throw refuseImport('no file with this name was sent');
  if (etag !== undefined && etag !== createHash('md5').update(bytes).digest('hex'))
    throw refuseImport('the uploaded file has a different etag');
  const stub = await openStore<D1DatabaseObject>(context, row);
  const outcome = await stub.runText(Buffer.from(bytes).toString(), []);
  const bookmark = await (await openHistory(context, row)).current();
  if ('error' in outcome)
    return {
      success: false,
      type: 'import',
      at_bookmark: bookmark,
      status: 'error',
      messages: [],
      errors: [outcome.error],
      error: outcome.error,
    };
  const { results } = outcome;
  const sum = (of: (meta: D1Rows['meta']) => number): number =>
    results.reduce((total, { meta }) => total + of(meta), 0);
  return {
    success: true,
    type: 'import',
    at_bookmark: bookmark,
    status: 'complete',
    messages: [],
    errors: [],
    result: {
      final_bookmark: bookmark,
      num_queries: results.length,
      meta: {
        duration: sum(({ duration }) => duration),
        rows_read: sum(({ rows_read: rows }) => rows),
        rows_written: sum(({ rows_written: rows }) => rows),
        size_after: results.at(-1)?.meta.size_after ?? 0,
      },
    },
  };
}

async function show(context: ObjectsContext, path: Path) {
  const row = await find(context, path);
  const stub = await openStore<D1DatabaseObject>(context, row);
  return ok(toJson(row, await stub.describe()));
}

function toJson(
  row: StoreRow,
  { tables, bytes }: { readonly tables: number; readonly bytes: number },
): Result<'d1.get'> {
  return { ...toListed(row), num_tables: tables, file_size: bytes };
}

function toListed({ id, name, createdAtMs, settings }: StoreRow): Result<'d1.list'>[number] {
  return {
    uuid: id,
    name,
    created_at: toMicroseconds(createdAtMs),
    version: 'production',
    read_replication: { mode: settings.read_replication ?? 'disabled' },
  };
}

/** Finds a database by id or name. */
async function find({ account }: ObjectsContext, path: Path): Promise<StoreRow> {
  const given = path['database_id']!;
  const rows = await account.listStores('d1');
  const row = rows.find(({ id }) => id === given) ?? rows.find(({ name }) => name === given);
  if (row === undefined) throw fault(storeCodes.d1NotFound, { fill: { name: given } });
  return row;
}

async function openHistory(context: ObjectsContext, { id }: StoreRow): Promise<HistoryAccess> {
  const runtime = await requireStores(context).open();
  return runtime.history(runtime.namespace('d1_databases').idFromName(id));
}

async function findBookmark(history: HistoryAccess, timestamp: string | undefined): Promise<string> {
  if (timestamp === undefined) return await history.current();
  const time = Date.parse(timestamp);
  const refuse = (reason: string): Fault => fault(storeCodes.d1BookmarkUnknown, { fill: { reason } });
  if (Number.isNaN(time)) throw refuse(`timestamp must be a date: ${timestamp.slice(0, 60)}`);
  try {
    return await history.bookmarkForTime(time);
  } catch (error) {
    throw refuse((error as Error).message);
  }
}

/** `pointTo` returns the pointer to a query in the body. */
function readOutcome(outcome: D1Outcome, pointTo?: (at: number) => string) {
  if (!('error' in outcome)) return outcome.results;
  const place = pointTo === undefined ? {} : { pointer: pointTo(outcome.at) };
  throw fault(storeCodes.d1Failed, { fill: { reason: outcome.error }, ...place });
}

interface RawQuery {
  readonly sql?: string | undefined;
  readonly params?: readonly unknown[] | undefined;
  readonly batch?:
    | readonly { readonly sql: string; readonly params?: readonly unknown[] | undefined }[]
    | undefined;
}

/** All statements are one transaction. */
async function runRaw(
  stub: Stub<D1DatabaseObject>,
  { sql, params = [], batch }: RawQuery,
): Promise<D1Outcome> {
  if ((sql === undefined) === (batch === undefined))
    throw fault(storeCodes.d1Failed, { fill: { reason: 'the body needs either sql or batch' } });
  if (batch === undefined) return await stub.runText(sql!, params.map(readParameter));
  const queries = batch.map(({ sql: each, params: given = [] }) => ({
    sql: each,
    params: given.map(readParameter),
  }));
  return await stub.query(queries, false);
}

/** The error for a failed statement points to it. */
function readResults(outcome: D1Outcome, { batch }: RawQuery): readonly D1Rows[] {
  return readOutcome(outcome, (at) => (batch === undefined ? '/sql' : `/batch/${at}/sql`));
}

/** JSON has no blobs: they are lists of numbers. */
function readParameter(value: unknown): D1Value {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'number')) return value;
  throw fault(storeCodes.d1Failed, {
    fill: { reason: 'params must be texts, numbers, null or lists of bytes' },
  });
}
