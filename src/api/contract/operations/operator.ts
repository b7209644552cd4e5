/**
 * The operations that operators call through the socket in a data directory. A client that can open the socket owns the
 * directory, so no row needs a permission. Calls of objects use the rows of the public door, without the account in
 * their paths.
 */
import { objectCodes } from '../codes/objects.ts';
import { operatorCodes } from '../codes/operator.ts';
import { operation } from '../operation.ts';
import {
  annotate,
  array,
  choice,
  countParameter,
  flag,
  integer,
  listOf,
  named,
  nullable,
  number,
  object,
  optional,
  record,
  string,
  text,
  textParameter,
  timestamp,
  whole,
} from '#shapes';
import { objectOperations } from './objects/objects.ts';

const account = '/accounts/{account_id}';

/** Any name of an object or a class, percent-encoded where necessary. */
const segments = { class_name: /^[^/]{1,400}$/, object: /^[^/]{1,12000}$/ };
const common = {
  api: 'operator',
  door: 'operator',
  answeredBy: 'several objects',
  permissions: [],
  isOurs: true,
  segments,
} as const;
const lines = { ...common, media: ['application/x-ndjson'] } as const;

type WithoutAccount<Path extends string> = Path extends `${typeof account}${infer Rest}` ? Rest : Path;

type ForOperators<Rows extends Readonly<Record<string, { readonly path: string }>>> = {
  readonly [Id in keyof Rows]: Omit<Rows[Id], 'path'> & {
    readonly path: WithoutAccount<Rows[Id]['path']>;
  };
};

function forOperators<Rows extends Readonly<Record<string, { readonly path: string }>>>(
  rows: Rows,
): ForOperators<Rows> {
  const changed = Object.entries(rows).map(([id, row]) => {
    const path = row.path.slice(account.length);
    return [id, { ...row, path, door: 'operator', scope: 'none', permissions: [], segments }];
  });
  return Object.fromEntries(changed) as ForOperators<Rows>;
}

const nameFields = { class: string, id: string, name: optional(string) } as const;

const versionsFields = {
  current: optional(
    annotate(whole, { description: 'The number of the version that is running, or that ran last.' }),
  ),
  versions: listOf(
    record({
      number: whole,
      created_on: timestamp,
      path: string,
      environment: optional(string),
      workers: listOf(string),
    }),
  ),
} as const;
const clockSchema = named('Clock', record({ now: timestamp, alarm_ran: optional(flag()) }));
const coreRulesSchema = named(
  'CoreRules',
  record({ version: string, source: string, installed_on: timestamp, digest: string, is_current: flag() }),
);
const deployedSchema = named(
  'Deployed',
  record({
    ...versionsFields,
    is_changed: annotate(flag(), { description: 'False if it was already running.' }),
  }),
);

export const operatorOperations = {
  'operator.get': operation('GET /', {
    ...common,
    summary: 'Get which process serves the directory',
    result: named(
      'Operator',
      record({
        protocol: annotate(whole, { description: 'The version of this interface.' }),
        holder: annotate(string, {
          description: 'The process that has the directory open, according to its lock.',
        }),
      }),
    ),
  }),
  ...forOperators(objectOperations),
  'operator.listObjects': operation('GET /object_names', {
    ...lines,
    summary: 'List every object that has stored something, one line each',
    query: { class: textParameter('Objects of this class only.') },
    result: named('ObjectName', record(nameFields)),
  }),
  'operator.listAlarms': operation('GET /alarms', {
    ...lines,
    summary: 'List every alarm that is set, one line each',
    query: { class: textParameter('Alarms of this class only.') },
    result: named('ObjectAlarmTime', record({ ...nameFields, time: timestamp })),
  }),
  'operator.listStoredValues': operation('GET /objects/{class_name}/{object}/stored_values', {
    ...lines,
    summary: 'List the values of an object with key-value storage as they are stored, one line each',
    result: named('ObjectStoredValue', record({ key: string, base64: string })),
    codes: [objectCodes.objectNotFound],
  }),
  'operator.importObject': operation('PUT /objects/{class_name}/{object}/database', {
    ...common,
    summary: 'Replace the database of an object with a SQLite file; returns the bookmark that undoes it',
    query: {
      bytes: countParameter({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
      wal_bytes: countParameter({ min: 0, max: Number.MAX_SAFE_INTEGER, fallback: 0 }),
      unless_changed_since: textParameter('A bookmark: nothing is done if the object has written since.'),
    },
    upload: ['application/vnd.sqlite3'],
    result: named('ObjectImported', record({ undo: string })),
    codes: [objectCodes.objectChanged, operatorCodes.objectFileInvalid],
  }),
  'operator.scrub': operation('GET /scrub', {
    ...lines,
    summary: 'Read everything on disk; one line for each damaged or missing item',
    result: named('Damage', record({ file: string, offset: whole, problem: string })),
  }),
  'operator.repair': operation('POST /repair', {
    ...lines,
    summary: 'Rebuild damaged or missing files from the log; one line for each',
    body: optional(named('Repair', object({ dry_run: optional(flag()) }))),
    result: named(
      'Repaired',
      record({
        class: optional(string),
        id: optional(string),
        name: optional(string),
        outcome: string,
        file: string,
        problem: string,
        detail: string,
      }),
    ),
  }),
  'operator.backUp': operation('POST /backup', {
    ...common,
    summary: 'Copy the whole directory as of one moment, as a tar archive whose last file lists the others',
    upload: ['application/x-ndjson'],
    media: ['application/x-tar'],
    result: string,
  }),
  'operator.measureDisk': operation('GET /disk', {
    ...lines,
    summary: 'List what uses space in the directory: its parts, each object, the events of each zone',
    result: named(
      'DiskUse',
      record({
        kind: choice(['part', 'object', 'events']),
        class: optional(string),
        name: optional(string),
        zone: optional(string),
        events: optional(whole),
        bytes: optional(whole),
        journal: optional(whole),
        images: optional(whole),
        tables: optional(whole),
      }),
    ),
  }),
  'deployments.list': operation('GET /deployments', {
    ...common,
    summary: 'List the stored versions of a Worker, the oldest first',
    result: named('Deployments', record(versionsFields)),
  }),
  'deployments.create': operation('POST /deployments', {
    ...common,
    summary:
      'Deploy a project as a new version of the running Worker; by default the project of the last version',
    body: optional(
      named(
        'Deployment',
        object({
          path: optional(text({ min: 1, max: 4096 })),
          environment: optional(text({ min: 1, max: 255 })),
          workers: optional(array(text({ min: 1, max: 4096 }), { max: 100 })),
        }),
      ),
    ),
    result: deployedSchema,
    codes: [operatorCodes.deploymentRefused],
  }),
  'deployments.rollBack': operation('POST /deployments/rollback', {
    ...common,
    summary: 'Go back to a version; by default to the one that ran before',
    body: optional(named('Rollback', object({ version: optional(integer({ min: 1, max: 999_999_999 })) }))),
    result: deployedSchema,
    codes: [operatorCodes.deploymentRefused],
  }),
  'workers.moveInObjects': operation('POST /workers/{name}/objects', {
    ...lines,
    summary:
      'Copy the objects in the directory of a standalone Worker into an uploaded Worker; one line for each class',
    segments: { name: /^[a-z0-9_-]{1,255}$/ },
    body: named('ObjectsMoveIn', object({ directory: text({ min: 1, max: 4096 }) })),
    result: named(
      'ClassMovedIn',
      record({
        class: string,
        to: optional(string),
        taken: whole,
        present: whole,
        problem: optional(string),
      }),
    ),
    codes: [operatorCodes.moveInRefused],
  }),
  'clock.get': operation('GET /clock', {
    ...common,
    summary: 'Get the virtual time of a Worker',
    result: clockSchema,
  }),
  'clock.move': operation('POST /clock', {
    ...common,
    summary: 'Move virtual time forward, and run what becomes due',
    body: named(
      'ClockMove',
      object({
        advance_ms: optional(integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
        set: optional(text({ min: 1, max: 100 })),
        next: optional(choice(['alarm'])),
      }),
    ),
    result: clockSchema,
    codes: [operatorCodes.clockRefused],
  }),
  'coreRules.list': operation('GET /core_rules', {
    ...common,
    summary: 'List the installed versions of the OWASP Core Rule Set, the newest first',
    result: listOf(coreRulesSchema),
  }),
  'coreRules.use': operation('PUT /core_rules/current', {
    ...common,
    summary: 'Activate an installed version of the OWASP Core Rule Set, or none',
    body: named('CoreRulesChoice', object({ version: nullable(text({ min: 1, max: 100 })) })),
    result: listOf(coreRulesSchema),
    codes: [operatorCodes.coreRulesRefused],
  }),
  'coreRules.remove': operation('DELETE /core_rules/{version}', {
    ...common,
    summary: 'Remove an installed version of the OWASP Core Rule Set that is not in force',
    segments: { version: /^[\w.+~%-]{1,300}$/ },
    result: listOf(coreRulesSchema),
    codes: [operatorCodes.coreRulesRefused],
  }),
  'cluster.get': operation('GET /cluster', {
    ...common,
    summary: 'Get the hosts of the cluster, their leases, and how many objects each has',
    result: named(
      'ClusterState',
      record({
        name: string,
        format: whole,
        objects: whole,
        unowned: whole,
        hosts: listOf(
          record({
            database: string,
            id: string,
            address: string,
            state: string,
            objects: whole,
            lease_ms: annotate(number, { description: 'Less than 0 if it has expired.' }),
          }),
        ),
        away: listOf(record({ database: string, reason: string })),
      }),
    ),
  }),
};

export type OperatorOperations = typeof operatorOperations;
