/**
 * Operations on the Logpush jobs of a zone. They are in the object of the account, which every host reads when it
 * starts.
 */
import { fault, type InputOf, logpushCodes as codes, ok, type Result } from '#contract';
import { type Dataset, datasetFields, parseDestination, parseRecordFilter, restoreSecrets } from '#logpush';
import type { AccountContext, Handlers } from '../../context/handler.ts';
import { logpushJobsMax } from '../../context/limits.ts';
import { describeObstacle, endpointOf } from '../named-server.ts';
import {
  createJobId,
  findLogpushJob,
  type LogpushContent,
  logpushJobTable,
  type LogpushRow,
  openDestination,
  readLogpushState,
  sealDestination,
} from '../../stores/logpush.ts';

type Path = Readonly<Record<string, string>>;
type Body = Omit<InputOf<'logpush.create'>['body'], 'destination_conf'>;

export const logpushHandlers: Handlers<AccountContext, 'logpush'> = {
  'logpush.list': (context, { path }) => ok(listJobs(context, path)),

  'logpush.listOfDataset': (context, { path }) =>
    ok(listJobs(context, path).filter(({ dataset }) => dataset === path['dataset_id'])),

  'logpush.create'(context, { path, body }) {
    const { sql, keySealer } = context;
    if (logpushJobTable.hasAtLeast(sql, logpushJobsMax))
      throw fault(codes.logpushQuota, { fill: { max: logpushJobsMax } });
    const destination = checkDestination(context, body.destination_conf, undefined);
    const id = createJobId(sql);
    const row: LogpushRow = {
      id,
      zoneId: path['zone_id']!,
      content: checkContent(body),
      ...sealDestination(keySealer, id, destination),
    };
    logpushJobTable.insert(sql, row);
    const json = toJson(context, row);
    context.audit({ resource: 'logpush_job', id: String(id), before: undefined, after: json });
    return ok(json);
  },

  'logpush.get': (context, { path }) => ok(toJson(context, requireJob(context, path))),

  'logpush.update'(context, { path, body: { destination_conf: given, ...body } }) {
    const { sql, keySealer } = context;
    const before = requireJob(context, path);
    const { id } = before;
    const stored = openDestination(keySealer, before);
    const destination = given === undefined ? stored : checkDestination(context, given, stored);
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const row: LogpushRow = {
      ...before,
      content: checkContent({ ...before.content, ...sent }),
      ...(destination === stored ? {} : sealDestination(keySealer, id, destination)),
    };
    logpushJobTable.update(sql, row);
    const [old, now] = [toJson(context, before), toJson(context, row)];
    context.audit({ resource: 'logpush_job', id: String(id), before: old, after: now });
    return ok(now);
  },

  'logpush.delete'(context, { path }) {
    const before = requireJob(context, path);
    const id = String(before.id);
    logpushJobTable.remove(context.sql, before.id);
    context.audit({ resource: 'logpush_job', id, before: toJson(context, before), after: undefined });
    return ok({ id: before.id });
  },

  'logpush.fields'(_context, { path }) {
    const dataset = path['dataset_id']!;
    if (!Object.hasOwn(datasetFields, dataset))
      return refuse('', `dataset: ${dataset} is not pushed from here; use firewall_events or http_requests`);
    return ok(datasetFields[dataset as Dataset]);
  },

  'logpush.validateDestination'(context, { body }) {
    const reason = findObstacle(context, body.destination_conf);
    return ok({ valid: reason === undefined, message: reason ?? '' });
  },

  'logpush.destinationExists'({ sql, keySealer }, { path, body }) {
    const rows = logpushJobTable.select(sql, 'WHERE zone_id = ?', path['zone_id']!);
    const { destination_conf: asked } = body;
    return ok({ exists: rows.some((row) => openDestination(keySealer, row) === asked) });
  },

  'logpush.ownership': (context, { body }) => {
    const reason = findObstacle(context, body.destination_conf);
    return ok({
      filename: '',
      message: reason ?? 'no proof is needed: create the job without a challenge, or with any',
      valid: reason === undefined,
    });
  },

  'logpush.validateOwnership': (context, { body }) =>
    ok({ valid: findObstacle(context, body.destination_conf) === undefined }),
};

function listJobs(context: AccountContext, path: Path): Result<'logpush.get'>[] {
  const rows = logpushJobTable.select(context.sql, 'WHERE zone_id = ? ORDER BY sequence', path['zone_id']!);
  return rows.map((row) => toJson(context, row));
}

function requireJob({ sql }: AccountContext, path: Path): LogpushRow {
  const id = path['job_id']!;
  const row = findLogpushJob(sql, path['zone_id']!, Number(id));
  if (row === undefined) throw fault(codes.logpushNotFound, { fill: { id } });
  return row;
}

function refuse(pointer: string, reason: string): never {
  throw fault(codes.logpushInvalid, { pointer, fill: { reason } });
}

/** Why a destination cannot be used; undefined if it can, as far as that is known without connecting. */
function findObstacle({ checkOrigin }: AccountContext, text: string): string | undefined {
  const parsed = parseDestination(text);
  if (!parsed.ok) return parsed.reason;
  if (parsed.value.kind === 'file') return undefined;
  const endpoint = parsed.value.kind === 'syslog' ? parsed.value : endpointOf(new URL(parsed.value.url));
  return describeObstacle(checkOrigin, endpoint);
}

function checkDestination(context: AccountContext, given: string, stored: string | undefined): string {
  const restored = restoreSecrets(given, stored);
  if (!restored.ok) return refuse('/destination_conf', `destination_conf: ${restored.reason}`);
  const obstacle = findObstacle(context, restored.value);
  if (obstacle !== undefined) refuse('/destination_conf', `destination_conf: ${obstacle}`);
  return restored.value;
}

/** Options of Cloudflare's jobs that are not implemented here; only their defaults are accepted. */
const fixedOutput: Readonly<Record<string, readonly unknown[]>> = {
  output_type: ['ndjson'],
  'CVE-2021-44228': [false],
  batch_prefix: [''],
  batch_suffix: [''],
  field_delimiter: ['', ','],
  record_delimiter: ['', '\n'],
  record_prefix: ['', '{'],
  record_suffix: ['', '}\n'],
  record_template: [''],
  merge_subrequests: [false],
};

/** Shown if they were sent: some clients compare them with their own defaults, others expect them to be absent. */
const shownOutput = ['field_delimiter', 'record_prefix', 'record_suffix'] as const;

function checkContent(body: Body): LogpushContent {
  const { dataset } = body;
  const filter = body.filter ?? '';
  const parsed = parseRecordFilter(filter, dataset);
  if (!parsed.ok) refuse('/filter', `filter: ${parsed.reason}`);
  const options = body.output_options ?? {};
  for (const [name, allowed] of Object.entries(fixedOutput)) {
    const value = (options as Record<string, unknown>)[name];
    if (value !== undefined && !allowed.includes(value))
      refuse(`/output_options/${name}`, `output_options: ${name} cannot be set: records are lines of JSON`);
  }
  for (const [index, name] of (options.field_names ?? []).entries())
    if (!Object.hasOwn(datasetFields[dataset], name))
      refuse(
        `/output_options/field_names/${index}`,
        `field_names: ${name} is not a field of ${dataset} here`,
      );
  if ((body.kind ?? '') !== '') refuse('/kind', 'kind: must be empty; jobs of kind edge are not made here');
  return {
    dataset,
    name: body.name ?? '',
    enabled: body.enabled ?? false,
    filter,
    logpull_options: body.logpull_options ?? null,
    output_options: {
      field_names: [...new Set(options.field_names)],
      output_type: 'ndjson',
      timestamp_format: options.timestamp_format ?? 'unixnano',
      sample_rate: options.sample_rate ?? 1,
      ...Object.fromEntries(
        shownOutput.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
      ),
    },
    max_upload_bytes: body.max_upload_bytes ?? 0,
    max_upload_records: body.max_upload_records ?? 0,
    max_upload_interval_seconds: body.max_upload_interval_seconds ?? 0,
    frequency: body.frequency ?? 'high',
    kind: '',
  };
}

function toJson(
  { sql }: AccountContext,
  { id, content, shownDestination }: LogpushRow,
): Result<'logpush.get'> {
  return { id, ...content, destination_conf: shownDestination, ...readLogpushState(sql, id) };
}
