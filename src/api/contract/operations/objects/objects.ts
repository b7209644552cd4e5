/** Inspecting stateful objects: their content, their earlier content, and restoring it. Ours. */
import { objectCodes } from '../../codes/objects.ts';
import { operationsOf } from '../../operation.ts';
import type { Permission } from '../../permissions.ts';
import {
  annotate,
  choice,
  countParameter,
  either,
  flag,
  integer,
  listOf,
  momentParameter,
  named,
  nothing,
  number,
  object,
  optional,
  pageParameters,
  record,
  string,
  text,
  textParameter,
  timestamp,
  whole,
} from '#shapes';

const read: readonly Permission[] = ['objectsRead', 'objectsWrite'];
/** Objects are named as on the command line: by name, or by the 64 hexadecimal digits of the id. */
const segments = { class_name: /^[A-Za-z_$][\w$]{0,99}$/, object: /^\w[\w-]{0,127}$/ };
const operation = operationsOf({
  api: 'objects',
  answeredBy: 'several objects',
  isOurs: true,
  segments,
  read,
  write: ['objectsWrite'],
});
const notFound = [objectCodes.objectNotFound];
const pastCodes = [...notFound, objectCodes.objectHasNoHistory, objectCodes.objectMomentInvalid];
const copyCodes = [...pastCodes, objectCodes.objectQueryTooLong, objectCodes.objectsBusy];

const changeCodes = [
  objectCodes.objectNotFound,
  objectCodes.objectNotChangeable,
  objectCodes.objectChangeFailed,
];
const confirmText = text({ min: 1, max: 253 });

const bookmarkText = text({
  pattern: /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/,
  what: 'a bookmark of the history of the object',
});
const at = textParameter('A bookmark of its history; without it, the current state.');

const storage = choice(['kv', 'sql']);
const objectFields = {
  class: string,
  id: string,
  name: optional(string),
  zone_name: optional(
    annotate(string, { description: 'The name of the zone, for the object of a zone that exists.' }),
  ),
  bytes: annotate(whole, { description: 'Of its database, or of its keys and values.' }),
  alarm_on: optional(timestamp),
};

const alarmChangeFields = {
  can_run_alarm: annotate(flag(), { description: 'Whether its alarm can be run early.' }),
  can_cancel_alarm: flag(),
} as const;

const classSchema = named(
  'ObjectClass',
  record({
    name: string,
    storage,
    objects: annotate(whole, { description: 'Those that have stored something.' }),
  }),
);
const listedSchema = named('ListedObject', record(objectFields));
const objectSchema = named(
  'StatefulObject',
  record({
    ...objectFields,
    storage,
    bookmark: optional(annotate(string, { description: 'Of now.' })),
    confirm: annotate(string, {
      description: 'The value of `confirm` for requests that change the object.',
    }),
    is_restorable: flag(),
    is_writable: annotate(flag(), { description: 'Whether its values and rows can be changed here.' }),
    write_refusal: optional(annotate(string, { description: 'Why not.' })),
    ...alarmChangeFields,
  }),
);
const tableSchema = named('ObjectTable', record({ name: string, rows: whole, columns: listOf(string) }));
const valueFields = {
  key: string,
  type: annotate(string, { description: 'Such as number, string, Object, Map, Date.' }),
  bytes: annotate(whole, { description: 'As stored.' }),
  shown: annotate(string, { description: 'The value, decoded; its beginning if it is long.' }),
} as const;
const valueSchema = named('ObjectValue', record(valueFields));
const wholeValueSchema = named(
  'ObjectWholeValue',
  record({
    ...valueFields,
    version: annotate(string, { description: 'Changes with each write.' }),
    json: optional(
      annotate(string, {
        description:
          'The value as JSON that can be changed and sent back. Absent for large values, and values that this JSON cannot represent.',
      }),
    ),
  }),
);
const changedUndo = optional(
  annotate(string, { description: 'The bookmark that undoes it, of an object with history.' }),
);
const changedSchema = named(
  'ObjectValueChanged',
  record({
    key: string,
    undo: changedUndo,
  }),
);
const alarmSchema = named(
  'ObjectAlarm',
  record({
    class: string,
    id: string,
    name: optional(string),
    zone_name: optional(string),
    alarm_on: timestamp,
    ...alarmChangeFields,
  }),
);
const pointSchema = named(
  'ObjectHistoryPoint',
  record({
    bookmark: string,
    time: timestamp,
    kind: choice(['write', 'restore', 'import', 'delete-all', 'restore-requested']),
    bytes: whole,
  }),
);
export const differenceSchema = named(
  'ObjectDifference',
  record({
    kind: choice(['value', 'row', 'table', 'alarm']),
    table: optional(annotate(string, { description: 'Of a row.' })),
    key: annotate(string, {
      description: 'Of a value; the rowid or the primary key of a row; the name of a table.',
    }),
    before: optional(annotate(string, { description: 'As text. Absent if there was nothing.' })),
    after: optional(annotate(string, { description: 'As text. Absent if there is nothing.' })),
  }),
);
const rowsFields = {
  columns: listOf(string),
  rows: listOf(listOf(either(string, number, nothing))),
  has_more: flag(),
} as const;
const rowsSchema = named('ObjectRows', record(rowsFields));
const executedSchema = named(
  'ObjectExecuted',
  record({
    ...rowsFields,
    rows_written: whole,
    undo: annotate(string, { description: 'The bookmark that undoes it.' }),
  }),
);

export const objectOperations = {
  'objects.listClasses': operation('GET /accounts/{account_id}/objects', {
    summary: 'List the classes of stateful objects',
    result: listOf(classSchema),
  }),
  'objects.list': operation('GET /accounts/{account_id}/objects/{class_name}', {
    summary: 'List the objects of a class that have stored something, with their sizes',
    query: {
      search: textParameter('Part of the name, of the id, or of the name of the zone.'),
      ...pageParameters({ fallback: 25, max: 100 }),
    },
    result: listOf(listedSchema),
    codes: notFound,
  }),
  'objects.get': operation('GET /accounts/{account_id}/objects/{class_name}/{object}', {
    summary: 'Get an object',
    result: objectSchema,
    codes: notFound,
  }),
  'objects.listTables': operation('GET /accounts/{account_id}/objects/{class_name}/{object}/tables', {
    summary: 'List the tables of an object, now or at a moment, with their numbers of rows',
    query: { at },
    result: listOf(tableSchema),
    codes: copyCodes,
  }),
  'objects.listValues': operation('GET /accounts/{account_id}/objects/{class_name}/{object}/values', {
    summary: 'List the values that an object has stored by key, decoded, now or at a moment',
    query: {
      at,
      prefix: textParameter('Keys that begin with this.'),
      after: textParameter('Keys after this one: the last key of the previous page.'),
      limit: countParameter({ min: 1, max: 1000, fallback: 100 }),
    },
    result: listOf(valueSchema),
    codes: copyCodes,
  }),
  'objects.query': operation('POST /accounts/{account_id}/objects/{class_name}/{object}/query', {
    summary: 'Query a copy of the database of an object with SQL, now or at a moment',
    permissions: read,
    isWrite: false,
    body: named(
      'ObjectQuery',
      object({
        sql: text({ min: 1, max: 100_000 }),
        at: optional(bookmarkText),
        limit: optional(integer({ min: 1, max: 1000 })),
      }),
    ),
    result: rowsSchema,
    codes: [...copyCodes, objectCodes.objectQueryFailed],
  }),
  'objects.listHistory': operation('GET /accounts/{account_id}/objects/{class_name}/{object}/history', {
    summary: 'List the points in the history of an object, newest first',
    query: {
      at,
      before: momentParameter('Points up to this time, instead of a bookmark.'),
      limit: countParameter({ min: 1, max: 1000, fallback: 100 }),
    },
    result: listOf(pointSchema),
    codes: pastCodes,
  }),
  'objects.compare': operation('GET /accounts/{account_id}/objects/{class_name}/{object}/differences', {
    summary: 'Compare the storage of an object between two moments of its history',
    query: {
      from: textParameter('A bookmark of its history; without it, an empty object.'),
      to: textParameter('A bookmark of its history; without it, the current state.'),
      limit: countParameter({ min: 1, max: 1000, fallback: 200 }),
    },
    result: named('ObjectDifferences', record({ differences: listOf(differenceSchema), has_more: flag() })),
    codes: [...copyCodes, objectCodes.objectQueryFailed],
  }),
  'objects.export': operation('GET /accounts/{account_id}/objects/{class_name}/{object}/export', {
    summary: 'Download the database of an object as a SQLite file, now or at a moment, without its secrets',
    query: { at },
    result: string,
    media: ['application/vnd.sqlite3'],
    codes: copyCodes,
  }),
  'objects.restore': operation('POST /accounts/{account_id}/objects/{class_name}/{object}/restore', {
    summary: 'Restore an object to a moment of its history; returns the bookmark that undoes it',
    body: named('ObjectRestore', object({ bookmark: bookmarkText, confirm: confirmText })),
    result: named('ObjectRestored', record({ undo: string })),
    codes: [...pastCodes, objectCodes.objectNotRestorable, objectCodes.objectNotConfirmed],
  }),
  'objects.getValue': operation('GET /accounts/{account_id}/objects/{class_name}/{object}/value', {
    summary: 'Get one value of an object, with its version and as JSON that can be changed',
    query: { key: textParameter('The key.'), at },
    result: wholeValueSchema,
    codes: [...copyCodes, objectCodes.objectValueNotFound],
  }),
  'objects.putValue': operation('PUT /accounts/{account_id}/objects/{class_name}/{object}/value', {
    summary: 'Store a value in an object, through the object itself; the object is reset',
    body: named(
      'ObjectValueChange',
      object({
        key: text({ min: 1, max: 2048 }),
        value: text({ min: 1, max: 1_000_000 }),
        version: optional(text({ max: 64 })),
        confirm: confirmText,
      }),
    ),
    result: changedSchema,
    codes: [
      ...changeCodes,
      objectCodes.objectNotConfirmed,
      objectCodes.objectChanged,
      objectCodes.objectValueInvalid,
    ],
  }),
  'objects.deleteValue': operation('DELETE /accounts/{account_id}/objects/{class_name}/{object}/value', {
    summary: 'Delete a value of an object, through the object itself; the object is reset',
    query: {
      key: textParameter('The key.'),
      version: textParameter('Of the value; if it has changed since, nothing is deleted.'),
      confirm: textParameter('The value of `confirm` of the object.'),
    },
    result: changedSchema,
    codes: [
      ...changeCodes,
      objectCodes.objectNotConfirmed,
      objectCodes.objectChanged,
      objectCodes.objectValueNotFound,
    ],
  }),
  'objects.execute': operation('POST /accounts/{account_id}/objects/{class_name}/{object}/execute', {
    summary: 'Run SQL that may write, in the object itself and as one transaction; the object is reset',
    body: named(
      'ObjectStatement',
      object({
        sql: text({ min: 1, max: 100_000 }),
        confirm: confirmText,
        limit: optional(integer({ min: 1, max: 1000 })),
      }),
    ),
    result: executedSchema,
    codes: [
      ...copyCodes,
      ...changeCodes.slice(1),
      objectCodes.objectNotConfirmed,
      objectCodes.objectQueryFailed,
    ],
  }),
  'objects.listAlarms': operation('GET /accounts/{account_id}/object_alarms', {
    summary: 'List the alarms that are set, the next one first',
    query: {
      class: textParameter('Alarms of this class only.'),
      limit: countParameter({ min: 1, max: 1000, fallback: 100 }),
    },
    result: listOf(alarmSchema),
  }),
  'objects.runAlarm': operation('POST /accounts/{account_id}/objects/{class_name}/{object}/alarm', {
    summary: 'Run the alarm of an object now',
    result: named(
      'ObjectAlarmRun',
      record({
        outcome: annotate(choice(['completed', 'failed', 'skipped']), {
          description: 'Failed: it is retried as usual. Skipped: the object has since moved or deleted it.',
        }),
        error: optional(string),
      }),
    ),
    codes: [...changeCodes.slice(0, 2), objectCodes.objectAlarmNotSet, objectCodes.objectAlarmRunning],
  }),
  'objects.cancelAlarm': operation('DELETE /accounts/{account_id}/objects/{class_name}/{object}/alarm', {
    summary: 'Delete the alarm of an object, through the object itself',
    result: named('ObjectAlarmCancelled', record({ id: string, undo: changedUndo })),
    codes: [...changeCodes, objectCodes.objectAlarmNotSet],
  }),
};

/** The operations that change an object, each of which adds an entry to the account's audit log. */
export type ObjectChangeId =
  | 'objects.restore'
  | 'objects.execute'
  | 'objects.putValue'
  | 'objects.deleteValue'
  | 'objects.runAlarm'
  | 'objects.cancelAlarm';
