/** D1 databases of the account. As with every object, earlier states can be read and restored. */
import { genericCodes } from '../../codes/generic.ts';
import { storeCodes as codes } from '../../codes/stores.ts';
import { operationsOf } from '../../operation.ts';
import { account, created, served, several } from './store-rows.ts';
import {
  array,
  choice,
  flag,
  ignored,
  json,
  listOf,
  mapOf,
  named,
  nothing,
  nullable,
  number,
  object,
  optional,
  pageParameters,
  record,
  string,
  text,
  textParameter,
  timestamp,
  unread,
  whole,
} from '#shapes';

/** The id of a database, or its name. */
const read = ['d1Read', 'd1Write'] as const;
const operation = operationsOf({
  ...several,
  api: 'd1',
  segments: { database_id: /^[A-Za-z0-9][\w-]{0,63}$/ },
  read,
  write: ['d1Write'],
});
const databases = `${account}/d1/database` as const;
const one = `${databases}/{database_id}` as const;
const reaching = [...served, codes.d1NotFound] as const;

const listed = { uuid: string, name: string, created_at: timestamp, version: string, read_replication: json };
/** The content of a database is only described for a single database: describing all of them would wake them all. */
const listedDatabase = named('D1ListedDatabase', record(listed));
const database = named('D1Database', record({ ...listed, num_tables: whole, file_size: whole }));
const meta = named('D1Meta', mapOf(json));
const queryResult = named('D1Result', record({ results: listOf(json), success: flag(), meta }));
const transfer = named(
  'D1Transfer',
  record({
    success: flag(),
    type: optional(string),
    at_bookmark: optional(string),
    status: optional(string),
    messages: optional(listOf(string)),
    errors: optional(listOf(string)),
    error: optional(string),
    filename: optional(string),
    upload_url: optional(string),
    result: optional(json),
  }),
);
const replication = optional(named('D1Replication', object({ mode: choice(['auto', 'disabled']) })));
const statement = {
  sql: text({ min: 1, max: 1_000_000 }),
  params: optional(array(unread({}), { max: 100 })),
};
const statements = {
  sql: optional(statement.sql),
  params: statement.params,
  batch: optional(array(named('D1Statement', object(statement)), { min: 1, max: 1_000 })),
};
const name = text({ min: 1, max: 64, pattern: /^[A-Za-z0-9][\w-]*$/ });

export const d1Operations = {
  'd1.list': operation(`GET ${databases}`, {
    summary: 'List the D1 databases of the account',
    query: { name: textParameter('The whole name.'), ...pageParameters({ fallback: 100, max: 10_000 }) },
    result: listOf(listedDatabase),
  }),
  'd1.create': operation(`POST ${databases}`, {
    summary: 'Create a D1 database',
    body: named(
      'D1DatabaseContent',
      object({
        name,
        primary_location_hint: optional(unread({ type: 'string' })),
        jurisdiction: optional(unread({ type: 'string' })),
        read_replication: replication,
      }),
    ),
    result: database,
    codes: [...created, codes.d1NameTaken],
  }),
  'd1.get': operation(`GET ${one}`, {
    summary: 'Get a D1 database, by its id or its name',
    query: { fields: textParameter('Ignored: all are returned.') },
    result: database,
    codes: reaching,
  }),
  'd1.edit': operation(`PUT ${one}`, {
    summary: 'Set the replication of a database: the value is stored and returned, but there is one copy',
    // Terraform sends the name again; it cannot change.
    body: named(
      'D1DatabaseChange',
      object({
        name: ignored(),
        jurisdiction: ignored(),
        primary_location_hint: ignored(),
        read_replication: replication,
      }),
    ),
    result: database,
    codes: reaching,
  }),
  'd1.delete': operation(`DELETE ${one}`, {
    summary: 'Delete a D1 database with everything in it',
    result: nothing,
    codes: [...reaching, codes.storeInUse],
  }),
  'd1.query': operation(`POST ${one}/query`, {
    summary: 'Run SQL, or a batch of statements with their own parameters: each call is one transaction',
    body: named('D1Query', object(statements)),
    result: listOf(queryResult),
    codes: [...reaching, codes.d1Failed],
  }),
  'd1.raw': operation(`POST ${one}/raw`, {
    summary: 'Run SQL, or a batch of statements with their own parameters, and return rows as lists',
    body: named('D1RawQuery', object(statements)),
    bodyBytesMax: 32 * 1024 * 1024,
    result: listOf(
      named(
        'D1RawResult',
        record({
          results: named('D1RawRows', record({ columns: listOf(string), rows: listOf(json) })),
          success: flag(),
          meta,
        }),
      ),
    ),
    codes: [...reaching, codes.d1Failed, genericCodes.bodyTooLarge],
  }),
  'd1.import': operation(`POST ${one}/import`, {
    needsHost: true,
    summary: 'Run an SQL file, completely or not at all: init, then the upload, ingest and poll',
    body: named(
      'D1Import',
      object({
        action: choice(['init', 'ingest', 'poll']),
        etag: optional(text({ max: 64 })),
        filename: optional(text({ max: 200 })),
        current_bookmark: optional(text({ max: 200 })),
      }),
    ),
    result: transfer,
    codes: [...reaching, codes.d1Failed, codes.d1ImportRefused],
  }),
  'd1.export': operation(`POST ${one}/export`, {
    needsHost: true,
    summary: 'Write a database as SQL, and return the URL of the file',
    permissions: read,
    isWrite: false,
    body: named(
      'D1Export',
      object({
        output_format: choice(['polling']),
        dump_options: optional(
          named(
            'D1DumpOptions',
            object({
              no_schema: optional(flag()),
              no_data: optional(flag()),
              tables: optional(array(text({ max: 200 }), { max: 1_000 })),
            }),
          ),
        ),
        current_bookmark: optional(nullable(text({ max: 200 }))),
      }),
    ),
    result: transfer,
    codes: [...reaching, codes.d1Failed],
  }),
  'd1.getBookmark': operation(`GET ${one}/time_travel/bookmark`, {
    summary: 'Find the bookmark of a moment, now by default',
    query: { timestamp: textParameter('An ISO date with its time.') },
    result: named('D1Bookmark', record({ bookmark: string })),
    codes: [...reaching, codes.d1BookmarkUnknown],
  }),
  'd1.restore': operation(`POST ${one}/time_travel/restore`, {
    summary: 'Restore a database to a bookmark or a moment',
    query: {
      bookmark: textParameter('As `time_travel/bookmark` returns it.'),
      timestamp: textParameter('An ISO date with its time, instead of a bookmark.'),
    },
    result: named(
      'D1Restored',
      record({ bookmark: string, previous_bookmark: string, message: string, duration: optional(number) }),
    ),
    codes: [...reaching, codes.d1BookmarkUnknown],
  }),
};
