/** Finds the object that a path names, by its name or its id. */
import { fault, type Input, objectCodes } from '#contract';
import type { DurableObjectId, HistoryAccess, ObjectRuntime } from '#objects';
import type { FoundObject, Inspection } from './inspection.ts';

/** Sixty-four hexadecimal digits are an id; anything else is a name. */
export function findId(runtime: ObjectRuntime, path: Input['path']): DurableObjectId {
  const written = path['object']!;
  const namespace = runtime.namespace(path['class_name']!);
  return /^[0-9a-f]{64}$/i.test(written) ? namespace.idFromString(written) : namespace.idFromName(written);
}

export async function findObject({ runtime }: Inspection, path: Input['path']): Promise<FoundObject> {
  const className = checkClass(runtime, path);
  const absent = (): Error =>
    fault(objectCodes.objectNotFound, { fill: { class: className, object: path['object']! } });
  let id: DurableObjectId;
  try {
    id = findId(runtime, path);
  } catch {
    throw absent();
  }
  const storage = runtime.storageOf(className);
  const found = { className, id, name: id.name ?? (await runtime.nameOf(id)), storage };
  if ((await runtime.alarmTime(id)) !== undefined) return found;
  if (storage === 'sql') {
    if ((await runtime.history(id).points({ limit: 1 })).length === 0) throw absent();
    return found;
  }
  for await (const _ of runtime.storedValues(id)) return found;
  throw absent();
}

export function checkClass(runtime: ObjectRuntime, path: Input['path']): string {
  const className = path['class_name']!;
  if (!runtime.classNames.includes(className)) {
    throw fault(objectCodes.objectNotFound, { fill: { class: className, object: path['object'] ?? '' } });
  }
  return className;
}

/** The history of an object with tables, with the bookmark checked. */
export async function findHistory(
  { runtime }: Inspection,
  { className, id, storage }: FoundObject,
  bookmark: string | undefined,
): Promise<HistoryAccess> {
  if (storage === 'kv') throw fault(objectCodes.objectHasNoHistory, { fill: { class: className } });
  const history = runtime.history(id);
  if (bookmark === undefined) return history;
  try {
    await history.points({ limit: 1, from: bookmark });
  } catch (error) {
    throw fault(objectCodes.objectMomentInvalid, { fill: { reason: (error as Error).message } });
  }
  return history;
}

/** The bookmark of a time, in milliseconds. */
export async function findBookmark(context: Inspection, found: FoundObject, timeMs: number): Promise<string> {
  const history = await findHistory(context, found, undefined);
  try {
    return await history.bookmarkForTime(timeMs);
  } catch (error) {
    throw fault(objectCodes.objectMomentInvalid, { fill: { reason: (error as Error).message } });
  }
}
