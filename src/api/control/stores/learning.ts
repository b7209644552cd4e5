/**
 * What a zone has learned about the values of its requests: a row for each path, place and name, with a sample of the
 * networks that sent it. The number of rows is bounded: those that the fewest networks sent are removed first, so one
 * network cannot displace others. The model that edges use is derived from it from time to time (`publish`).
 */
import {
  countNetworks,
  decodeSample,
  describeSample,
  dropOld,
  encodeSample,
  foldWide,
  isKnownEnough,
  isNameOfThing,
  type LearnedBatch,
  type LearnedPlace,
  type LearnedProfile,
  type LearnedValue,
  mergeSamples,
  publishMs,
  type Sample,
  valuesMax,
  wideMin,
} from '#learning';
import { json, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { contains, type RowOf, Table } from '../context/tables/table.ts';

/** One row, created when the zone first learns. */
const stateTable = new Table('learned', {
  key: [],
  columns: {
    seed: text(),
    sinceMs: whole(),
    requests: whole(),
    wide: json<readonly string[]>(),
    known: json<readonly LearnedValue[]>(),
    publishedAtMs: whole(),
  },
});

const valueTable = new Table('learned_values', {
  key: ['path', 'place', 'name'],
  isWithoutRowid: true,
  columns: {
    path: text(),
    place: text<LearnedPlace>(),
    name: text(),
    requests: whole(),
    networks: whole(),
    firstMs: whole(),
    lastMs: whole(),
    sample: text(),
  },
  order: 'requests DESC, path, place, name',
  filters: { path: contains('path'), name: contains('name') },
});

export const learnedTables = [stateTable, valueTable];

export type LearnedRow = RowOf<typeof valueTable>;
type State = RowOf<typeof stateTable>;

const dayMs = 86_400_000;

/** Undefined before the zone learns for the first time. */
export function readLearning(sql: Sql): State | undefined {
  return stateTable.get(sql);
}

export function readLearnedProfile(sql: Sql): LearnedProfile | undefined {
  const state = stateTable.get(sql);
  return state && { seed: state.seed, wide: state.wide, values: state.known };
}

/** Must be called when learning is turned on. */
export function beginLearning(sql: Sql, begin: { readonly seed: string; readonly nowMs: number }): void {
  if (stateTable.get(sql) === undefined) forgetAll(sql, begin);
}

/** Values from edges with the old seed are ignored. */
export function forgetAll(
  sql: Sql,
  { seed, nowMs }: { readonly seed: string; readonly nowMs: number },
): number {
  const count = valueTable.count(sql);
  sql.exec('DELETE FROM learned_values');
  stateTable.put(sql, { seed, sinceMs: nowMs, requests: 0, wide: [], known: [], publishedAtMs: nowMs });
  return count;
}

/** Deletes the values of one path, or one of them. The rest is published again at once. */
export function forgetSome(
  sql: Sql,
  { path, name, nowMs }: { readonly path: string; readonly name: string | undefined; readonly nowMs: number },
): number {
  const where = name === undefined ? 'path = ?' : 'path = ? AND name = ?';
  const values = name === undefined ? [path] : [path, name];
  const count = valueTable.count(sql, `WHERE ${where}`, ...values);
  sql.exec(`DELETE FROM learned_values WHERE ${where}`, ...values);
  const state = stateTable.get(sql);
  if (state !== undefined && count > 0) publish(sql, state, nowMs);
  return count;
}

export function searchLearned(
  sql: Sql,
  query: Parameters<typeof valueTable.search>[1],
): { readonly total: number; readonly rows: readonly LearnedRow[] } {
  return valueTable.search(sql, query);
}

/** Whether enough is known about a value, as the list shows it. */
export function isKnown(row: LearnedRow, nowMs: number): boolean {
  return isKnownEnough({ ...row, sample: readSample(row) }, nowMs);
}

export function describeRow(row: LearnedRow): LearnedValue {
  return describeSample({ ...row, sample: readSample(row) });
}

export function countKnown(sql: Sql): number {
  return stateTable.get(sql)?.known.length ?? 0;
}

export function countLearned(sql: Sql): number {
  return valueTable.count(sql);
}

function readSample({ sample }: Pick<LearnedRow, 'sample'>): Sample {
  return decodeSample(sample) ?? [];
}

/** Adds what an edge has learned, except what it learned before everything was deleted. */
export function addLearned(sql: Sql, { seed, requests, values }: LearnedBatch, nowMs: number): number {
  const state = stateTable.get(sql);
  if (state === undefined || state.seed !== seed) return 0;
  const wide = new Set(state.wide);
  for (const value of values)
    addRow(sql, {
      ...value,
      path: foldWide(value.path, wide),
      firstMs: nowMs,
      lastMs: nowMs,
      networks: 0,
    });
  const surplus = valueTable.count(sql) - valuesMax;
  if (surplus > 0)
    for (const { path, place, name } of valueTable.select(sql, 'ORDER BY networks, last_ms LIMIT ?', surplus))
      valueTable.remove(sql, path, place, name);
  const after = { ...state, requests: state.requests + requests };
  stateTable.put(sql, after);
  if (nowMs - state.publishedAtMs >= publishMs) publish(sql, after, nowMs);
  return values.length;
}

/** Merges a row with the stored one for the same value. */
function addRow(sql: Sql, row: LearnedRow): void {
  const before = valueTable.get(sql, row.path, row.place, row.name);
  const sample = before === undefined ? readSample(row) : mergeSamples(readSample(before), readSample(row));
  valueTable.put(sql, {
    ...row,
    requests: row.requests + (before?.requests ?? 0),
    firstMs: Math.min(row.firstMs, before?.firstMs ?? row.firstMs),
    lastMs: Math.max(row.lastMs, before?.lastMs ?? row.lastMs),
    networks: countNetworks(sample),
    sample: encodeSample(sample),
  });
}

/** Removes expired rows, folds paths that turned out to be wide, and publishes the model for edges. */
function publish(sql: Sql, state: State, nowMs: number): void {
  const today = Math.floor(nowMs / dayMs);
  for (const row of valueTable.list(sql)) {
    const sample = dropOld(readSample(row), today);
    if (sample.length === 0) valueTable.remove(sql, row.path, row.place, row.name);
    else valueTable.put(sql, { ...row, networks: countNetworks(sample), sample: encodeSample(sample) });
  }
  const wide = [...new Set([...state.wide, ...findWide(valueTable.list(sql))])];
  const folds = new Set(wide);
  for (const row of wide.length > state.wide.length ? valueTable.list(sql) : []) {
    const path = foldWide(row.path, folds);
    if (path === row.path) continue;
    valueTable.remove(sql, row.path, row.place, row.name);
    addRow(sql, { ...row, path });
  }
  const known = valueTable
    .list(sql)
    .filter((row) => isKnown(row, nowMs))
    .map(describeRow);
  // Edges recompile a zone whenever it changes.
  const isSame = wide.length === state.wide.length && isAlike(state.known, known);
  stateTable.put(sql, { ...state, wide, known: isSame ? state.known : known, publishedAtMs: nowMs });
}

/** Whether edges would decide the same, and report about the same numbers. */
function isAlike(before: readonly LearnedValue[], after: readonly LearnedValue[]): boolean {
  const byKey = new Map(before.map((value) => [keyOf(value), value]));
  const isKept = (value: LearnedValue): boolean => {
    const old = byKey.get(keyOf(value));
    return old !== undefined && value.requests < 2 * old.requests && isEqualShape(old, value);
  };
  return before.length === after.length && after.every(isKept);
}

function keyOf({ path, place, name }: LearnedValue): string {
  return JSON.stringify([path, place, name]);
}

function isEqualShape(a: LearnedValue, b: LearnedValue): boolean {
  return (
    a.usualSigns === b.usualSigns &&
    a.rareSigns === b.rareSigns &&
    a.usualKinds === b.usualKinds &&
    a.rareKinds === b.rareKinds &&
    a.longest === b.longest
  );
}

/** Networks that must have sent a segment before it counts: a single network cannot make a path wide. */
const wideNetworksMin = 2;

/** Paths with so many different segments below them that the segments are names of things. */
function findWide(rows: readonly LearnedRow[]): string[] {
  const below = new Map<string, Set<string>>();
  for (const { path, networks } of rows) {
    if (networks < wideNetworksMin) continue;
    let parent = '';
    for (const segment of path.split('/').slice(1)) {
      if (isNameOfThing(segment)) below.set(parent, (below.get(parent) ?? new Set()).add(segment));
      parent += `/${segment}`;
    }
  }
  return [...below].filter(([, segments]) => segments.size >= wideMin).map(([path]) => path);
}
