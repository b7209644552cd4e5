/**
 * Copies the current state of objects, without their history, between a data directory and a cluster. Each is read back
 * and compared, so the copy is known to be identical. After an interruption, start again: existing copies are only
 * compared.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DurableObjectId, ObjectRuntime, OnProgress } from '#objects';
import { OperatorError } from '../error.ts';

/** The treatment of an object that already exists with other content; a kept one is not even compared. */
export type OnDifference = 'replace' | 'refuse' | 'keep';

export interface CopyOptions {
  /** Both are opened without the code of the objects, so that none wakes. */
  readonly from: ObjectRuntime;
  readonly to: ObjectRuntime;
  readonly classNames: readonly string[];
  /** The name of a class at the target; the same by default. */
  readonly targetOf?: (className: string) => string;
  readonly onDifference: OnDifference;
  /** For temporary files. */
  readonly scratch: string;
  readonly onProgress?: OnProgress | undefined;
}

export interface CopyResult {
  readonly copied: number;
  /** Those that already existed. */
  readonly present: number;
}

interface ObjectPair {
  readonly className: string;
  readonly label: string;
  readonly source: DurableObjectId;
  readonly target: DurableObjectId;
}

export async function copyObjects(options: CopyOptions): Promise<CopyResult> {
  const { from, to, classNames, targetOf = (className) => className, onProgress } = options;
  let copied = 0;
  let present = 0;
  for (const className of classNames) {
    if (!from.classNames.includes(className)) continue;
    const isSql = from.storageOf(className) === 'sql';
    for await (const { id, name } of from.objects(className)) {
      const namespace = to.namespace(targetOf(className));
      const target = name === undefined ? namespace.idFromString(id.toString()) : namespace.idFromName(name);
      const pair = { className, label: `${className} ${name ?? id.toString()}`, source: id, target };
      const isNew = await (isSql ? copyDatabase(pair, options) : copyValues(pair, options));
      if (isNew) copied++;
      else present++;
      onProgress?.({ step: 'copying objects', done: copied + present, total: undefined });
    }
  }
  return { copied, present };
}

/** Replaces the database of an object by a file, unless they are equal; resolves to whether they differed. */
export async function putDatabase(
  to: ObjectRuntime,
  target: DurableObjectId,
  {
    file,
    label,
    onDifference,
    scratch,
  }: { file: string; label: string; onDifference: OnDifference; scratch: string },
): Promise<boolean> {
  const expected = digestDatabase(file);
  const before = await digestObject(to, target, scratch);
  if (before === expected || (before !== undefined && onDifference === 'keep')) return false;
  if (before !== undefined && onDifference === 'refuse') throw createDifferenceError(label);
  await to.history(target).importFrom(file, { replacesKept: true });
  if ((await digestObject(to, target, scratch)) === expected) return true;
  throw new OperatorError(`${label} differs from what was copied: the copy cannot be trusted, start again`);
}

async function copyDatabase(pair: ObjectPair, options: CopyOptions): Promise<boolean> {
  const { from, to, onDifference, scratch } = options;
  const { label, source, target } = pair;
  return await withFolder(scratch, async (folder) => {
    const file = join(folder, 'object.sqlite');
    await from.history(source).exportTo(file);
    // An object whose data was deleted.
    if (statSync(file).size === 0) return false;
    const isNew = await putDatabase(to, target, { file, label, onDifference, scratch });
    if (!isNew && onDifference === 'keep') return false;
    if ((await to.alarmTime(target)) !== (await from.alarmTime(source)))
      throw new OperatorError(`the alarm of ${label} differs from what was copied: start again`);
    return isNew;
  });
}

/** The values of an interrupted copy are a subset of those of the source. */
async function copyValues(pair: ObjectPair, { from, to, onDifference }: CopyOptions): Promise<boolean> {
  const { label, source, target } = pair;
  const expected = await readValues(from, source);
  const before = await readValues(to, target);
  if (onDifference === 'keep') {
    if (before.size > 0 || (await to.alarmTime(target)) !== undefined) return false;
    const alarm = await from.alarmTime(source);
    await to.operate(target, {
      do: 'fill',
      values: [...expected],
      ...(alarm === undefined ? {} : { alarm }),
    });
    return true;
  }
  let isNew = false;
  for (const [key, value] of before) {
    if (expected.get(key)?.equals(value) === true) continue;
    if (onDifference === 'refuse') throw createDifferenceError(label);
    await to.operate(target, { do: 'delete', key });
    isNew = true;
  }
  for (const [key, value] of expected) {
    if (before.get(key)?.equals(value) === true) continue;
    await to.operate(target, { do: 'put', key, value });
    isNew = true;
  }
  const isAlarmNew = await copyAlarm(pair, { from, to });
  const after = await readValues(to, target);
  const isSame =
    after.size === expected.size && [...expected].every(([key, value]) => after.get(key)?.equals(value));
  if (isSame) return isNew || isAlarmNew;
  throw new OperatorError(`${label} differs from what was copied: the copy cannot be trusted, start again`);
}

/** An overdue alarm becomes due now. Resolves to whether it was different. */
async function copyAlarm(
  { source, target }: ObjectPair,
  { from, to }: Pick<CopyOptions, 'from' | 'to'>,
): Promise<boolean> {
  const [time, before] = [await from.alarmTime(source), await to.alarmTime(target)];
  if (time === before) return false;
  await to.operate(target, time === undefined ? { do: 'cancel-alarm' } : { do: 'set-alarm', time });
  return true;
}

async function readValues(runtime: ObjectRuntime, id: DurableObjectId): Promise<Map<string, Buffer>> {
  const values = new Map<string, Buffer>();
  for await (const [key, value] of runtime.storedValues(id)) values.set(key, Buffer.from(value));
  return values;
}

/** Undefined if the object has no database. */
async function digestObject(
  runtime: ObjectRuntime,
  id: DurableObjectId,
  scratch: string,
): Promise<string | undefined> {
  return await withFolder(scratch, async (folder) => {
    const file = join(folder, 'copy.sqlite');
    await runtime.history(id).exportTo(file);
    return statSync(file).size === 0 ? undefined : digestDatabase(file);
  });
}

/** The digest covers the content, not its storage format. */
function digestDatabase(file: string): string {
  const digest = createHash('sha256');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const schema = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
    for (const row of schema) {
      const { type, name, sql } = row as { type: string; name: string; sql: string | null };
      digest.update(`${type}\0${name}\0${sql ?? ''}\0`);
      if (type !== 'table') continue;
      const rows = database.prepare(`SELECT * FROM "${name.replaceAll('"', '""')}"`);
      rows.setReadBigInts(true);
      for (const each of rows.iterate()) for (const value of Object.values(each)) updateDigest(digest, value);
    }
  } finally {
    database.close();
  }
  return digest.digest('hex');
}

function updateDigest(digest: ReturnType<typeof createHash>, value: unknown): void {
  if (value instanceof Uint8Array) digest.update(`b${value.length}\0`).update(value);
  else digest.update(`${typeof value} ${String(value)}\0`);
}

function createDifferenceError(label: string): OperatorError {
  return new OperatorError(
    `${label} already exists with other content: copy to an empty target, or to one where a copy was interrupted`,
  );
}

async function withFolder<T>(scratch: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(scratch, 'copy-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
