/** Looking into stateful objects: what they hold, what they held, and going back. Ours. */
import { objectCodes } from '../codes/objects.ts';
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  countParameter,
  enumeration,
  integer,
  listOf,
  momentParameter,
  momentSchema,
  named,
  object,
  optional,
  pageParameters,
  text,
  textParameter,
} from '#shapes';

const api = 'objects';
const read: readonly Permission[] = ['objectsRead', 'objectsWrite'];
/** An object is named as on the command line: by its name, or by the 64 hexadecimal digits of its id. */
const segments = { class_name: /^[A-Za-z_$][\w$]{0,99}$/, object: /^\w[\w-]{0,127}$/ };
const common = { api, answeredBy: 'several objects', isOurs: true, segments } as const;
const notFound = [objectCodes.objectNotFound];
const pastCodes = [...notFound, objectCodes.objectHasNoHistory, objectCodes.objectMomentInvalid];
const copyCodes = [...pastCodes, objectCodes.objectQueryTooLong, objectCodes.objectsBusy];

const bookmarkText = text({
  pattern: /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/,
  what: 'a bookmark of the history of the object',
});
const at = textParameter('A bookmark of its history; without it, the state of now.');

const storage = enumeration(['kv', 'sql']);
const objectFields = {
  class: { type: 'string' },
  id: { type: 'string' },
  name: { type: 'string' },
  zone_name: { type: 'string', description: 'The name of the zone, for the object of a zone that exists.' },
  bytes: { type: 'integer', description: 'Of its database, or of its keys and values.' },
  alarm_on: momentSchema,
} as const;

const classSchema = named('ObjectClass', {
  type: 'object',
  required: ['name', 'storage', 'objects'],
  properties: {
    name: { type: 'string' },
    storage,
    objects: { type: 'integer', description: 'Those that have stored something.' },
  },
});
const listedSchema = named('ListedObject', {
  type: 'object',
  required: ['class', 'id', 'bytes'],
  properties: objectFields,
});
const objectSchema = named('StatefulObject', {
  type: 'object',
  required: ['class', 'id', 'bytes', 'storage', 'is_restorable'],
  properties: {
    ...objectFields,
    storage,
    bookmark: { type: 'string', description: 'Of now.' },
    is_restorable: { type: 'boolean' },
  },
});
const tableSchema = named('ObjectTable', {
  type: 'object',
  required: ['name', 'rows', 'columns'],
  properties: {
    name: { type: 'string' },
    rows: { type: 'integer' },
    columns: listOf({ type: 'string' }),
  },
});
const valueSchema = named('ObjectValue', {
  type: 'object',
  required: ['key', 'shown'],
  properties: { key: { type: 'string' }, shown: { type: 'string', description: 'The value, decoded.' } },
});
const pointSchema = named('ObjectHistoryPoint', {
  type: 'object',
  required: ['bookmark', 'time', 'kind', 'bytes'],
  properties: {
    bookmark: { type: 'string' },
    time: momentSchema,
    kind: enumeration(['write', 'restore', 'import', 'delete-all', 'restore-requested']),
    bytes: { type: 'integer' },
  },
});
const rowsSchema = named('ObjectRows', {
  type: 'object',
  required: ['columns', 'rows', 'has_more'],
  properties: {
    columns: listOf({ type: 'string' }),
    rows: listOf({ type: 'array', items: { type: ['string', 'number', 'null'] } }),
    has_more: { type: 'boolean' },
  },
});

export const objectOperations = {
  'objects.listClasses': operation('GET /accounts/{account_id}/objects', {
    ...common,
    summary: 'List the classes of stateful objects',
    permissions: read,
    result: listOf(classSchema),
  }),
  'objects.list': operation('GET /accounts/{account_id}/objects/{class_name}', {
    ...common,
    summary: 'List the objects of a class that have stored something, with their sizes',
    permissions: read,
    query: {
      search: textParameter('Part of the name, of the id, or of the name of the zone.'),
      ...pageParameters({ fallback: 25, max: 100 }),
    },
    result: listOf(listedSchema),
    codes: notFound,
  }),
  'objects.get': operation('GET /accounts/{account_id}/objects/{class_name}/{object}', {
    ...common,
    summary: 'Get what is known about an object',
    permissions: read,
    result: objectSchema,
    codes: notFound,
  }),
  'objects.listTables': operation('GET /accounts/{account_id}/objects/{class_name}/{object}/tables', {
    ...common,
    summary: 'List the tables of an object, of now or of a moment, with their numbers of rows',
    permissions: read,
    query: { at },
    result: listOf(tableSchema),
    codes: copyCodes,
  }),
  'objects.listValues': operation('GET /accounts/{account_id}/objects/{class_name}/{object}/values', {
    ...common,
    summary: 'List the values that an object has stored by key, decoded, of now or of a moment',
    permissions: read,
    query: {
      at,
      prefix: textParameter('Keys that begin with this.'),
      limit: countParameter({ min: 1, max: 1000, fallback: 100 }),
    },
    result: listOf(valueSchema),
    codes: copyCodes,
  }),
  'objects.query': operation('POST /accounts/{account_id}/objects/{class_name}/{object}/query', {
    ...common,
    summary: 'Read a copy of the database of an object with SQL, of now or of a moment',
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
    ...common,
    summary: 'List the points that an object can be looked at, newest first',
    permissions: read,
    query: {
      at,
      before: momentParameter('Points up to this time, instead of a bookmark.'),
      limit: countParameter({ min: 1, max: 1000, fallback: 100 }),
    },
    result: listOf(pointSchema),
    codes: pastCodes,
  }),
  'objects.export': operation('GET /accounts/{account_id}/objects/{class_name}/{object}/export', {
    ...common,
    summary:
      'Download the database of an object as a SQLite file, of now or of a moment, without its secrets',
    permissions: read,
    query: { at },
    result: { type: 'string' },
    media: ['application/vnd.sqlite3'],
    codes: copyCodes,
  }),
  'objects.restore': operation('POST /accounts/{account_id}/objects/{class_name}/{object}/restore', {
    ...common,
    summary: 'Put the object of a zone back to a moment of its history; answers the bookmark that undoes it',
    permissions: ['objectsWrite'],
    body: named('ObjectRestore', object({ bookmark: bookmarkText, confirm: text({ min: 1, max: 253 }) })),
    result: named('ObjectRestored', {
      type: 'object',
      required: ['undo'],
      properties: { undo: { type: 'string' } },
    }),
    codes: [...pastCodes, objectCodes.objectNotRestorable, objectCodes.objectNotConfirmed],
  }),
};
