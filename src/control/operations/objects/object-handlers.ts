/** Operations that look into stateful objects from outside. Looking wakes no object and disturbs none. */
import { open } from 'node:fs/promises';
import { fault, objectCodes, type objectOperations, ok, page } from '#api';
import { type DurableObjectId, showValue } from '#objects';
import { decodeValue } from '#values';
import { toMicroseconds } from '../../context/timestamps.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import type { CopyValue } from './copy-question.ts';
import { checkClass, findBookmark, findHistory, findObject, type FoundObject } from './find-object.ts';
import { exportPieceBytes, rowsDefault, shownCharactersMax } from './limits.ts';
import { askCopy, type CopySource, openCopy } from './object-copy.ts';
import { restoreZone } from './restore-zone.ts';

export const objectHandlers: ObjectsHandlers<typeof objectOperations> = {
  async 'objects.listClasses'({ runtime }) {
    const classes: object[] = [];
    for (const name of runtime.classNames) {
      let objects = 0;
      for await (const _ of runtime.objects(name)) objects++;
      classes.push({ name, storage: runtime.storageOf(name), objects });
    }
    return ok(classes);
  },

  async 'objects.list'(context, { path, query }) {
    const { runtime } = context;
    const className = checkClass(runtime, path);
    const search = query.search?.toLowerCase() ?? '';
    const from = (query.page - 1) * query.per_page;
    const shown: object[] = [];
    let total = 0;
    for await (const { id, name } of runtime.objects(className)) {
      const words = [name ?? '', id.toString(), findZoneName(context, className, name) ?? ''];
      if (!words.some((word) => word.toLowerCase().includes(search))) continue;
      if (total >= from && total < from + query.per_page) {
        const named = { className, id, name, storage: runtime.storageOf(className) };
        shown.push(await describe(context, named));
      }
      total++;
    }
    return page(shown, { page: query.page, per_page: query.per_page, total });
  },

  async 'objects.get'(context, { path }) {
    const found = await findObject(context, path);
    const { runtime } = context;
    return ok({
      ...(await describe(context, found)),
      storage: found.storage,
      ...(found.storage === 'sql' ? { bookmark: await runtime.history(found.id).current() } : {}),
      is_restorable: findZoneName(context, found.className, found.name) !== undefined,
    });
  },

  async 'objects.listTables'(context, { path, query }) {
    return ok(await askCopy(await findCopy(context, path, query.at), { kind: 'tables' }));
  },

  async 'objects.listValues'(context, { path, query }) {
    const { at, prefix = '', limit } = query;
    const found = await findObject(context, path);
    if (found.storage === 'kv') {
      if (at) throw fault(objectCodes.objectHasNoHistory, { fill: { class: found.className } });
      return ok(await listStoredValues(context, found.id, { prefix, limit }));
    }
    return ok(await askCopy(await findCopy(context, path, at), { kind: 'values', prefix, limit }));
  },

  async 'objects.query'(context, { path, body }) {
    const { sql, at, limit = rowsDefault } = body;
    return ok(await askCopy(await findCopy(context, path, at), { kind: 'query', sql, limit }));
  },

  async 'objects.listHistory'(context, { path, query }) {
    const found = await findObject(context, path);
    const { before } = query;
    const from = query.at || (before === undefined ? undefined : await findBookmark(context, found, before));
    const history = await findHistory(context, found, from);
    const points = await history.points({ limit: query.limit, ...(from === undefined ? {} : { from }) });
    return ok(
      points.map(({ bookmark, time, kind, bytes }) => ({ bookmark, time: time.toISOString(), kind, bytes })),
    );
  },

  async 'objects.export'(context, { path, query }) {
    const source = await findCopy(context, path, query.at);
    await using copy = await openCopy(source);
    await copy.ask({ kind: 'export' });
    // The file is removed when it is open: its bytes are there until the response has ended.
    const file = await open(copy.path, 'r');
    const body = file.createReadStream({ highWaterMark: exportPieceBytes });
    const name = `${source.className}-${path['object']!.slice(0, 64)}.sqlite`;
    return {
      kind: 'plain',
      status: 200,
      contentType: 'application/vnd.sqlite3',
      headers: {
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
      body,
    };
  },

  async 'objects.restore'(context, { path, body }) {
    const found = await findObject(context, path);
    const history = await findHistory(context, found, body.bookmark);
    return ok(await restoreZone(context, { found, history, ...body }));
  },
};

async function findCopy(
  context: ObjectsContext,
  path: Readonly<Record<string, string>>,
  bookmark: string | undefined,
): Promise<CopySource> {
  const found = await findObject(context, path);
  const at = bookmark || undefined;
  const history = await findHistory(context, found, at);
  return { runtime: context.runtime, history, className: found.className, at };
}

/** The objects of zones are named by the ids of the zones. */
function findZoneName({ directory }: ObjectsContext, className: string, name = ''): string | undefined {
  return className === 'Zone' ? directory.zones.get(name)?.name : undefined;
}

async function describe(context: ObjectsContext, found: FoundObject): Promise<object> {
  const { className, id, name } = found;
  const zoneName = findZoneName(context, className, name);
  const alarmMs = await context.runtime.alarmTime(id);
  return {
    class: className,
    id: id.toString(),
    ...(name === undefined ? {} : { name }),
    ...(zoneName === undefined ? {} : { zone_name: zoneName }),
    bytes: await measure(context, found),
    ...(alarmMs === undefined ? {} : { alarm_on: toMicroseconds(alarmMs) }),
  };
}

async function measure({ runtime }: ObjectsContext, { id, storage }: FoundObject): Promise<number> {
  if (storage === 'sql') return await runtime.history(id).readFile({}, async ({ bytes }) => bytes);
  let total = 0;
  for await (const [key, value] of runtime.storedValues(id)) total += Buffer.byteLength(key) + value.length;
  return total;
}

async function listStoredValues(
  { runtime }: ObjectsContext,
  id: DurableObjectId,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<CopyValue[]> {
  const values: CopyValue[] = [];
  for await (const [key, bytes] of runtime.storedValues(id)) {
    if (!key.startsWith(prefix)) continue;
    if (values.length === limit) break;
    values.push({ key, shown: showValue(decodeValue(bytes)).slice(0, shownCharactersMax) });
  }
  return values;
}
