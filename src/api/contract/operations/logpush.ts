/**
 * Logpush: records of a zone that are delivered to other systems as they occur. Syslog and file destinations are ours.
 */
import { logpushCodes as codes } from '../codes/logpush.ts';
import { operationsOf } from '../operation.ts';
import {
  array,
  choice,
  decimal,
  flag,
  ignored,
  integer,
  listOf,
  map,
  mapOf,
  named,
  nullable,
  number,
  object,
  optional,
  record,
  string,
  text,
  timestamp,
  unread,
  whole,
} from '#shapes';

const api = 'logpush';
const operation = operationsOf({ api, read: ['logsRead', 'logsWrite'], write: ['logsWrite'] });
const common = {
  api,
  answeredBy: 'account',
  segments: { job_id: /^[1-9]\d{0,8}$/, dataset_id: /^[a-z_]{1,40}$/ },
} as const;

const datasets = ['firewall_events', 'http_requests'] as const;
const timestampFormats = ['unixnano', 'unix', 'rfc3339', 'rfc3339ms', 'rfc3339ns'] as const;
const destination = text({ min: 1, max: 4_096 });

const outputOptions = named(
  'LogpushOutput',
  object({
    field_names: optional(array(text({ min: 1, max: 100 }), { max: 100 })),
    output_type: optional(choice(['ndjson', 'csv'])),
    timestamp_format: optional(choice(timestampFormats)),
    sample_rate: optional(decimal({ min: 0, max: 1 })),
    'CVE-2021-44228': optional(flag()),
    batch_prefix: optional(text({ max: 100 })),
    batch_suffix: optional(text({ max: 100 })),
    field_delimiter: optional(text({ max: 100 })),
    record_delimiter: optional(text({ max: 100 })),
    record_prefix: optional(text({ max: 100 })),
    record_suffix: optional(text({ max: 100 })),
    record_template: optional(text({ max: 1_000 })),
    merge_subrequests: optional(flag()),
  }),
);

const content = {
  enabled: optional(flag()),
  name: optional(nullable(text({ max: 512 }))),
  filter: optional(nullable(text({ max: 4_096 }))),
  logpull_options: optional(nullable(text({ max: 4_096 }))),
  output_options: optional(nullable(outputOptions)),
  max_upload_bytes: optional(nullable(integer({ min: 0, max: 1_000_000_000 }))),
  max_upload_records: optional(nullable(integer({ min: 0, max: 1_000_000 }))),
  max_upload_interval_seconds: optional(nullable(integer({ min: 0, max: 300 }))),
  frequency: optional(nullable(text({ max: 10 }))),
  kind: optional(nullable(text({ max: 20 }))),
  ownership_challenge: optional(text({ max: 4_096 })),
  id: ignored(),
  last_complete: ignored(),
  last_error: ignored(),
  error_message: ignored(),
  delivery: ignored(),
};

const job = named(
  'LogpushJob',
  record({
    id: whole,
    dataset: choice(datasets),
    name: string,
    enabled: flag(),
    destination_conf: string,
    filter: string,
    logpull_options: nullable(string),
    output_options: named(
      'ShownLogpushOutput',
      record({
        field_names: listOf(string),
        output_type: choice(['ndjson']),
        timestamp_format: choice(timestampFormats),
        sample_rate: number,
        field_delimiter: optional(string),
        record_prefix: optional(string),
        record_suffix: optional(string),
      }),
    ),
    max_upload_bytes: whole,
    max_upload_records: whole,
    max_upload_interval_seconds: whole,
    frequency: string,
    kind: string,
    last_complete: nullable(timestamp),
    last_error: nullable(timestamp),
    error_message: nullable(string),
    /** Ours: the last state of delivery that the hosts reported. */
    delivery: named(
      'LogpushDelivery',
      record({
        sent_records: whole,
        dropped_records: whole,
        buffered_records: whole,
        buffered_bytes: whole,
        failures: whole,
      }),
    ),
  }),
);

const path = '/zones/{zone_id}/logpush';
const one = `${path}/jobs/{job_id}` as const;
const askedDestination = named('LogpushDestination', object({ destination_conf: destination }));
const requestRecord = map(unread({}), { max: 100 });

export const logpushOperations = {
  'logpush.list': operation(`GET ${path}/jobs`, {
    ...common,
    summary: 'List the Logpush jobs of a zone',
    result: listOf(job),
  }),
  'logpush.create': operation(`POST ${path}/jobs`, {
    ...common,
    summary: 'Create a Logpush job; without `enabled` it waits',
    body: named(
      'NewLogpushJob',
      object({ ...content, dataset: choice(datasets), destination_conf: destination }),
    ),
    result: job,
    codes: [codes.logpushInvalid, codes.logpushQuota],
  }),
  'logpush.get': operation(`GET ${one}`, {
    ...common,
    summary: 'Get a Logpush job',
    result: job,
    codes: [codes.logpushNotFound],
  }),
  'logpush.update': operation(`PUT ${one}`, {
    ...common,
    summary: 'Change a Logpush job; what is not sent stays as it is',
    body: named(
      'LogpushJobUpdate',
      object({ ...content, dataset: optional(choice(datasets)), destination_conf: optional(destination) }),
    ),
    result: job,
    codes: [codes.logpushNotFound, codes.logpushInvalid],
  }),
  'logpush.delete': operation(`DELETE ${one}`, {
    ...common,
    summary: 'Delete a Logpush job and its unsent records',
    result: named('DeletedLogpushJob', record({ id: whole })),
    codes: [codes.logpushNotFound],
  }),
  'logpush.fields': operation(`GET ${path}/datasets/{dataset_id}/fields`, {
    ...common,
    summary: 'List the fields of a dataset',
    result: named('LogpushFields', mapOf(string)),
    codes: [codes.logpushInvalid],
  }),
  'logpush.listOfDataset': operation(`GET ${path}/datasets/{dataset_id}/jobs`, {
    ...common,
    summary: 'List the Logpush jobs of a dataset',
    result: listOf(job),
  }),
  'logpush.validateDestination': operation(`POST ${path}/validate/destination`, {
    ...common,
    summary: 'Check a destination, without connecting to it',
    body: askedDestination,
    result: named('CheckedLogpushDestination', record({ valid: flag(), message: string })),
  }),
  'logpush.destinationExists': operation(`POST ${path}/validate/destination/exists`, {
    ...common,
    summary: 'Check whether a job of the zone has the destination',
    body: askedDestination,
    result: named('FoundLogpushDestination', record({ exists: flag() })),
  }),
  'logpush.ownership': operation(`POST ${path}/ownership`, {
    ...common,
    summary: 'Request a proof of ownership; no destination needs one here',
    body: askedDestination,
    result: named('LogpushOwnership', record({ filename: string, message: string, valid: flag() })),
  }),
  'logpush.validateOwnership': operation(`POST ${path}/ownership/validate`, {
    ...common,
    summary: 'Check a proof of ownership; every one is valid, since none is needed',
    body: named(
      'LogpushOwnershipProof',
      object({ destination_conf: destination, ownership_challenge: text({ max: 4_096 }) }),
    ),
    result: named('LogpushOwnershipResult', record({ valid: flag() })),
  }),
  'logpushRequests.record': operation('POST /accounts/{account_id}/edge/requests', {
    answeredBy: 'several objects',
    isOurs: true,
    summary: 'Add requests that an edge has served, for the Logpush jobs of their zones',
    permissions: ['accountEdgeWrite'],
    bodyBytesMax: 16 * 1024 * 1024,
    body: named(
      'ServedRequests',
      object({
        zones: map(array(requestRecord, { max: 10_000 }), { max: 1_000 }),
      }),
    ),
    result: named('TakenRequests', record({ records: whole })),
  }),
};
