/** What an object has stored, as text for people. Reading it has no effect that the object's code could observe. */
import { decodeValue } from '#values';
import { showValue } from '../inspection/show-value.ts';
import { listTables, quoteName, showRow } from '../inspection/table-rows.ts';
import { fromBinaryKey } from '../stores/binary-keys.ts';
import type { BinaryRange, KeyValuePair } from '../stores/key-values.ts';
import { KvStore } from '../stores/kv-store.ts';
import type { SqlStore } from '../stores/sql-store.ts';

/** Identifies a stored item: a value by its key, a row by its table and its key, a table by its name, or the alarm. */
export interface StoredPlace {
  readonly kind: 'value' | 'row' | 'table' | 'alarm';
  readonly table?: string;
  readonly key: string;
}

/** By the JSON of its place. */
export type StoredContents = Map<string, { readonly place: StoredPlace; readonly shown: string }>;

const everything: BinaryRange = { start: '', end: undefined, reverse: false, limit: undefined };
/** A simulation concerns few rows; rows that a person would not read are not kept for each of its moments. */
const rowsMax = 200;
const shownCharactersMax = 1_000;

/** `rows`: the rows of a key-value object in the tables of the home. */
export function readContents(store: KvStore | SqlStore, rows: () => KeyValuePair[]): StoredContents {
  const contents: StoredContents = new Map();
  const add = (place: StoredPlace, shown: string): void => {
    const isLong = shown.length > shownCharactersMax;
    contents.set(JSON.stringify(place), {
      place,
      shown: isLong ? `${shown.slice(0, shownCharactersMax)}…` : shown,
    });
  };
  const values = store instanceof KvStore ? store.overlay(everything, rows()) : store.list(everything);
  for (const [key, value] of values.slice(0, rowsMax))
    add({ kind: 'value', key: fromBinaryKey(key) }, showValue(decodeValue(value)));
  const alarm = store.getAlarm();
  if (alarm !== null) add({ kind: 'alarm', key: 'alarm' }, new Date(alarm).toISOString());
  if (store instanceof KvStore) return contents;
  const run = (sql: string): unknown[][] => store.exec(sql, []).raw().toArray();
  for (const { name, columns, key } of listTables(run)) {
    add({ kind: 'table', key: name }, columns.join(', '));
    const wanted = [...key, ...columns.map(quoteName)].join(', ');
    for (const row of run(`SELECT ${wanted} FROM ${quoteName(name)} LIMIT ${rowsMax}`)) {
      const keyText = row.slice(0, key.length).join(' ');
      add({ kind: 'row', table: name, key: keyText }, showRow(columns, row.slice(key.length)));
    }
  }
  return contents;
}
