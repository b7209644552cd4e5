/**
 * Logpush jobs, in the database of the account: every host needs the jobs of all zones when it starts. The destination
 * is sealed, because it may contain credentials.
 */
import type { Result } from '#contract';
import type { AccountPart } from '#firewall';
import { batchDefaults, hideSecrets, type JobState, type LogpushJob } from '#logpush';
import type { KeySealer } from '../context/key-sealer.ts';
import { json, nullable, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type RowOf, Table } from '../context/tables/table.ts';
import { toSeconds } from '../context/timestamps.ts';

type Kept = 'id' | 'destination_conf' | 'last_complete' | 'last_error' | 'error_message' | 'delivery';
export type LogpushContent = Omit<Result<'logpush.get'>, Kept>;

export const logpushJobTable = new Table('logpush_jobs', {
  sequence: 'autoincrement',
  columns: {
    id: whole(),
    zoneId: text(),
    content: json<LogpushContent>(),
    sealedDestination: text(),
    shownDestination: text(),
  },
  order: 'sequence',
  attached: [
    `CREATE TRIGGER IF NOT EXISTS zones_have_logpush_jobs AFTER DELETE ON zones BEGIN
      DELETE FROM logpush_jobs WHERE zone_id = OLD.id;
    END`,
  ],
});

/** The last report of each host about a job. */
const stateTable = new Table('logpush_states', {
  key: ['jobId', 'host'],
  columns: {
    jobId: whole(),
    host: text(),
    sent: whole(),
    dropped: whole(),
    failures: whole(),
    bufferedBytes: whole(),
    bufferedRecords: whole(),
    deliveredAtMs: nullable(whole()),
    failedAtMs: nullable(whole()),
    problem: nullable(text()),
  },
  attached: [
    `CREATE TRIGGER IF NOT EXISTS logpush_jobs_have_states AFTER DELETE ON logpush_jobs BEGIN
      DELETE FROM logpush_states WHERE job_id = OLD.id;
    END`,
  ],
});

/** Must be created after the zones. */
export const logpushTables = [logpushJobTable, stateTable];

export type LogpushRow = RowOf<typeof logpushJobTable>;

/** A number that no job has ever had. */
export function createJobId(sql: Sql): number {
  const [row] = sql.exec(`SELECT seq FROM sqlite_sequence WHERE name = 'logpush_jobs'`).toArray();
  return Number(row?.['seq'] ?? 0) + 1;
}

export function findLogpushJob(sql: Sql, zoneId: string, id: number): LogpushRow | undefined {
  return logpushJobTable.select(sql, 'WHERE zone_id = ? AND id = ?', zoneId, id)[0];
}

export function sealDestination(
  keySealer: KeySealer,
  id: number,
  destination: string,
): Pick<LogpushRow, 'sealedDestination' | 'shownDestination'> {
  return {
    sealedDestination: keySealer.seal(destination, aboutOf(id)),
    shownDestination: hideSecrets(destination),
  };
}

export function openDestination(
  keySealer: KeySealer,
  { id, sealedDestination }: Pick<LogpushRow, 'id' | 'sealedDestination'>,
): string {
  return keySealer.open(sealedDestination, aboutOf(id));
}

function aboutOf(id: number): string {
  return `logpush job ${id}`;
}

/** The enabled jobs, with their destinations sealed. */
export function listEnabledJobs(sql: Sql): LogpushRow[] {
  return logpushJobTable.list(sql).filter(({ content }) => content.enabled);
}

/** Zones whose edges must report every request. */
export function readRequestLogs(sql: Sql): Pick<AccountPart, 'requestLogs'> {
  const jobs = listEnabledJobs(sql).filter(({ content }) => content.dataset === 'http_requests');
  const requestLogs = [...new Set(jobs.map(({ zoneId }) => zoneId))].toSorted();
  return requestLogs.length === 0 ? {} : { requestLogs };
}

export function toLogpushJob(row: LogpushRow, keySealer: KeySealer): LogpushJob {
  const { id, zoneId, content } = row;
  const { output_options: output } = content;
  return {
    id,
    zoneId,
    dataset: content.dataset,
    destination: openDestination(keySealer, row),
    filter: content.filter,
    fields: output.field_names,
    timestamps: output.timestamp_format,
    sampleRate: output.sample_rate,
    bytesMax: content.max_upload_bytes || batchDefaults.bytes,
    recordsMax: content.max_upload_records || batchDefaults.records,
    intervalMs: content.max_upload_interval_seconds * 1_000 || batchDefaults.intervalMs,
  };
}

/** The report of a host on its jobs, with the list of other hosts. */
export interface LogpushReport {
  readonly host: string;
  readonly others: readonly string[];
  readonly states: readonly JobState[];
}

/** Reports of departed hosts are deleted: their buffers are lost with them, or are reported again. */
export function noteLogpushStates(sql: Sql, { host, others, states }: LogpushReport): void {
  const present = JSON.stringify([host, ...others]);
  sql.exec('DELETE FROM logpush_states WHERE host NOT IN (SELECT value FROM json_each(?))', present);
  const known = new Set(logpushJobTable.list(sql).map(({ id }) => id));
  for (const { problem, deliveredAtMs, ...state } of states) {
    if (!known.has(state.jobId)) continue;
    stateTable.put(sql, {
      ...state,
      host,
      deliveredAtMs: deliveredAtMs ?? null,
      failedAtMs: problem?.atMs ?? null,
      problem: problem?.reason.slice(0, 500) ?? null,
    });
  }
}

export function readLogpushState(
  sql: Sql,
  id: number,
): Pick<Result<'logpush.get'>, 'last_complete' | 'last_error' | 'error_message' | 'delivery'> {
  const states = stateTable.select(sql, 'WHERE job_id = ?', id);
  const sum = (read: (state: (typeof states)[number]) => number): number =>
    states.reduce((total, state) => total + read(state), 0);
  const deliveredAtMs = Math.max(0, ...states.map((state) => state.deliveredAtMs ?? 0));
  const [failed] = states
    .filter(({ problem }) => problem !== null)
    .toSorted((a, b) => b.failedAtMs! - a.failedAtMs!);
  return {
    last_complete: deliveredAtMs === 0 ? null : toSeconds(deliveredAtMs),
    last_error: failed === undefined ? null : toSeconds(failed.failedAtMs!),
    error_message: failed?.problem ?? null,
    delivery: {
      sent_records: sum(({ sent }) => sent),
      dropped_records: sum(({ dropped }) => dropped),
      buffered_records: sum(({ bufferedRecords }) => bufferedRecords),
      buffered_bytes: sum(({ bufferedBytes }) => bufferedBytes),
      failures: sum(({ failures }) => failures),
    },
  };
}
