/** Operations that inspect stateful objects from outside. Reading wakes no object and disturbs none. */
import { fault, type ObjectChangeId, objectCodes, ok, page } from '#contract';
import type { DurableObjectId } from '#objects';
import { decodeValue } from '#values';
import type { ListedValue, WholeValue } from './copies/copy-question.ts';
import { checkClass, findBookmark, findHistory, findObject } from './find-object.ts';
import type { InspectionHandlers } from './handler.ts';
import { type FoundObject, type Inspection, nameToConfirm } from './inspection.ts';
import { rowsDefault } from '../limits.ts';
import { askCopy, type CopySource, openCopy } from './copies/object-copy.ts';
import { sendDatabase, sendMasked } from './send-database.ts';
import { isKeyAfter, showListedValue, showWholeValue } from './show.ts';

type ReadingHandlers = Omit<InspectionHandlers, ObjectChangeId>;

export const readingHandlers: ReadingHandlers = {
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
      const words = [name ?? '', id.toString(), context.policy.findZoneName(className, name) ?? ''];
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
      confirm: nameToConfirm(context, found),
      ...describeChanges(context, found),
    });
  },

  async 'objects.listTables'(context, { path, query }) {
    return ok(await askCopy(await findCopy(context, path, query.at), { kind: 'tables' }));
  },

  async 'objects.listValues'(context, { path, query }) {
    const { at, prefix = '', after = '', limit } = query;
    const found = await findObject(context, path);
    const range = { prefix, after, limit };
    if (found.storage === 'kv') {
      if (at) throw fault(objectCodes.objectHasNoHistory, { fill: { class: found.className } });
      return ok(await listStoredValues(context, found.id, range));
    }
    return ok(await askCopy(await findCopy(context, path, at), { kind: 'values', ...range }));
  },

  async 'objects.getValue'(context, { path, query }) {
    const { at, key = '' } = query;
    const found = await findObject(context, path);
    if (found.storage === 'kv' && at)
      throw fault(objectCodes.objectHasNoHistory, { fill: { class: found.className } });
    const value =
      found.storage === 'kv'
        ? await findStoredValue(context, found.id, key)
        : await askCopy(await findCopy(context, path, at), { kind: 'value', key });
    if (value === null) throw fault(objectCodes.objectValueNotFound);
    return ok(value);
  },

  async 'objects.listAlarms'(context, { query }) {
    const { class: only, limit } = query;
    const soonest = await findSoonest(context, only, limit);
    const alarms: object[] = [];
    for (const { className, id, time } of soonest) {
      const storage = context.runtime.storageOf(className);
      const found = { className, id, name: await context.runtime.nameOf(id), storage };
      alarms.push({
        ...nameParts(context, found),
        alarm_on: toMicroseconds(time),
        ...describeAlarmChanges(context, found),
      });
    }
    return ok(alarms);
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

  async 'objects.compare'(context, { path, query }) {
    const { from, to, limit } = query;
    await using after = await openCopy(await findCopy(context, path, to));
    await using before = from ? await openCopy(await findCopy(context, path, from)) : undefined;
    return ok(await after.ask({ kind: 'differences', from: before?.path, limit }));
  },

  async 'objects.export'(context, { path, query }) {
    const source = await findCopy(context, path, query.at);
    const name = `${path['class_name']}-${path['object']!.slice(0, 64)}.sqlite`.replaceAll(/[^\w.$-]/g, '_');
    return source.secrets.length === 0 ? await sendDatabase(source, name) : await sendMasked(source, name);
  },
};

export async function findCopy(
  context: Inspection,
  path: Readonly<Record<string, string>>,
  bookmark: string | undefined,
): Promise<CopySource> {
  const found = await findObject(context, path);
  const at = bookmark || undefined;
  const history = await findHistory(context, found, at);
  const secrets = context.policy.listSecretColumns(found.className);
  return { runtime: context.runtime, history, secrets, at };
}

async function describe(context: Inspection, found: FoundObject): Promise<object> {
  const alarmMs = await context.runtime.alarmTime(found.id);
  return {
    ...nameParts(context, found),
    bytes: await measure(context, found),
    ...(alarmMs === undefined ? {} : { alarm_on: toMicroseconds(alarmMs) }),
  };
}

function nameParts({ policy }: Inspection, { className, id, name }: FoundObject): object {
  const zoneName = policy.findZoneName(className, name);
  return {
    class: className,
    id: id.toString(),
    ...(name === undefined ? {} : { name }),
    ...(zoneName === undefined ? {} : { zone_name: zoneName }),
  };
}

function describeChanges(context: Inspection, found: FoundObject): object {
  const { policy } = context;
  const refusal = policy.explainRefusal('write', found);
  return {
    is_restorable: found.storage === 'sql' && policy.explainRefusal('restore', found) === undefined,
    is_writable: refusal === undefined,
    ...(refusal === undefined ? {} : { write_refusal: refusal }),
    ...describeAlarmChanges(context, found),
  };
}

function describeAlarmChanges({ policy }: Inspection, found: FoundObject): object {
  return {
    can_run_alarm: policy.explainRefusal('run-alarm', found) === undefined,
    can_cancel_alarm: policy.explainRefusal('cancel-alarm', found) === undefined,
  };
}

async function measure({ runtime }: Inspection, { id, storage }: FoundObject): Promise<number> {
  if (storage === 'sql') return await runtime.history(id).readFile({}, async ({ bytes }) => bytes);
  let total = 0;
  for await (const [key, value] of runtime.storedValues(id)) total += Buffer.byteLength(key) + value.length;
  return total;
}

async function listStoredValues(
  { runtime }: Inspection,
  id: DurableObjectId,
  { prefix, after, limit }: { readonly prefix: string; readonly after: string; readonly limit: number },
): Promise<ListedValue[]> {
  const values: ListedValue[] = [];
  for await (const [key, bytes] of runtime.storedValues(id)) {
    if (!key.startsWith(prefix) || !isKeyAfter(key, after)) continue;
    if (values.length === limit) break;
    values.push(showListedValue(key, decodeValue(bytes), bytes.length));
  }
  return values;
}

async function findStoredValue(
  { runtime }: Inspection,
  id: DurableObjectId,
  wanted: string,
): Promise<WholeValue | null> {
  for await (const [key, bytes] of runtime.storedValues(id))
    if (key === wanted) return showWholeValue(key, decodeValue(bytes), bytes.length);
  return null;
}

interface SetAlarm {
  readonly className: string;
  readonly id: DurableObjectId;
  readonly time: number;
}

/** There may be millions: at most twice the wanted number is held. */
async function findSoonest(
  { runtime }: Inspection,
  only: string | undefined,
  limit: number,
): Promise<SetAlarm[]> {
  let alarms: SetAlarm[] = [];
  const keepSoonest = (): SetAlarm[] => alarms.toSorted((a, b) => a.time - b.time).slice(0, limit);
  for await (const alarm of runtime.alarms()) {
    if (only !== undefined && only !== '' && alarm.className !== only) continue;
    alarms.push(alarm);
    if (alarms.length >= 2 * limit + 1_000) alarms = keepSoonest();
  }
  return keepSoonest();
}

/** Times of the API are in microseconds. */
function toMicroseconds(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
