/**
 * All jobs of this host. Each host of a cluster pushes the records of its own edges, so each record is pushed once; its
 * buffer is on the disk of that host.
 */
import { rm } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock, Log } from '#base';
import { RotatedFile } from '#files';
import type { OriginRules } from '#outbound';
import type { SecurityEvent } from '#events';
import { type Dataset, type LogRecord, toEventRecord } from './datasets.ts';
import { type Destination, parseDestination } from './destination.ts';
import { writeTime } from './format-record.ts';
import { JobPusher, type JobState } from './job-pusher.ts';
import type { LogpushJob } from './logpush-job.ts';
import { FileSink } from './sinks/file-sink.ts';
import { HttpSink } from './sinks/http-sink.ts';
import type { Sink } from './sinks/sink.ts';
import { SyslogSink } from './sinks/syslog-sink.ts';
import { Spool, type SpoolOptions } from './spool.ts';

export interface LogpushOptions {
  /** The data directory: buffers are in `logpush`, files in `logpush-files`. */
  readonly directory: string;
  readonly rules: OriginRules;
  readonly clock: Clock;
  readonly log: Log;
  /** Called after each delivery attempt. */
  readonly onAttempt: () => void;
  /** Smaller in tests. */
  readonly buffer?: Pick<SpoolOptions, 'bytesMax' | 'segmentBytesMax'>;
}

interface Running {
  readonly job: LogpushJob;
  readonly pusher: JobPusher;
}

export class Logpush {
  readonly #options: LogpushOptions;
  readonly #running = new Map<number, Running>();
  #updating: Promise<void> = Promise.resolve();

  constructor(options: LogpushOptions) {
    this.#options = options;
  }

  get states(): readonly JobState[] {
    return Array.from(this.#running.values(), ({ pusher }) => pusher.state);
  }

  /**
   * Replaces the jobs. Unchanged jobs continue; the buffers of removed jobs are deleted. `unreadable` are jobs that
   * exist and cannot run now: their buffers stay.
   */
  update(jobs: readonly LogpushJob[], unreadable: readonly number[] = []): Promise<void> {
    this.#updating = this.#updating.then(() => this.#update(jobs, unreadable));
    return this.#updating;
  }

  pushEvents(zoneId: string, events: readonly SecurityEvent[]): void {
    const pushers = this.#find(zoneId, 'firewall_events');
    if (pushers.length > 0) pushTo(pushers, events.map(toEventRecord));
  }

  pushRequests(zoneId: string, records: readonly LogRecord[]): void {
    pushTo(this.#find(zoneId, 'http_requests'), records);
  }

  async close(): Promise<void> {
    await this.#updating;
    await Promise.all(Array.from(this.#running.values(), ({ pusher }) => pusher.close()));
    this.#running.clear();
  }

  #find(zoneId: string, dataset: Dataset): JobPusher[] {
    const found: JobPusher[] = [];
    for (const { job, pusher } of this.#running.values())
      if (job.zoneId === zoneId && job.dataset === dataset) found.push(pusher);
    return found;
  }

  async #update(jobs: readonly LogpushJob[], unreadable: readonly number[]): Promise<void> {
    const { log } = this.#options;
    const wanted = new Map(jobs.map((job) => [job.id, job]));
    for (const [id, running] of this.#running) {
      if (JSON.stringify(wanted.get(id)) === JSON.stringify(running.job)) continue;
      this.#running.delete(id);
      await running.pusher.close();
    }
    const opened = jobs.filter(({ id }) => !this.#running.has(id));
    for (const job of opened) {
      try {
        this.#running.set(job.id, await this.#open(job));
      } catch (error) {
        log.error('could not open the buffer of a Logpush job; its records are not pushed', {
          job: job.id,
          error,
        });
      }
    }
    await this.#removeOthers(jobs, unreadable);
  }

  async #open(job: LogpushJob): Promise<Running> {
    const parsed = parseDestination(job.destination);
    if (!parsed.ok) throw new TypeError(`destination_conf: ${parsed.reason}`);
    const destination = parsed.value;
    const folder = folderOf(job, destination);
    const { clock, buffer } = this.#options;
    const spool = await Spool.open({ directory: join(this.#buffers, folder), ...buffer });
    const pusher = new JobPusher({
      job,
      spool,
      sink: this.#createSink(job, destination),
      clock,
      writePrefix: destination.kind === 'syslog' ? createSyslogPrefix(job.dataset) : () => '',
      onAttempt: this.#options.onAttempt,
    });
    return { job, pusher };
  }

  #createSink(job: LogpushJob, destination: Destination): Sink {
    const { directory, rules, log } = this.#options;
    if (destination.kind === 'http') return new HttpSink(destination, rules);
    if (destination.kind === 'syslog') return new SyslogSink(destination, rules);
    const { name, bytesMax, filesKept } = destination;
    return new FileSink(
      new RotatedFile({
        path: join(directory, 'logpush-files', name),
        bytesMax,
        filesKept,
        onError: (error) => log.warn('could not rotate the file of a Logpush job', { job: job.id, error }),
      }),
    );
  }

  get #buffers(): string {
    return join(this.#options.directory, 'logpush');
  }

  /** A buffer that could not be opened stays: its records must still be sent. */
  async #removeOthers(jobs: readonly LogpushJob[], unreadable: readonly number[]): Promise<void> {
    const kept = new Set(
      jobs.flatMap((job) => {
        const parsed = parseDestination(job.destination);
        return parsed.ok ? folderOf(job, parsed.value) : [];
      }),
    );
    const found = existsSync(this.#buffers) ? readdirSync(this.#buffers) : [];
    for (const folder of found)
      if (!kept.has(folder) && !unreadable.includes(Number.parseInt(folder, 10)))
        await rm(join(this.#buffers, folder), { recursive: true, force: true });
  }
}

/** Lines are stored as they are sent, so this destination cannot use those of another kind. */
function folderOf({ id }: LogpushJob, { kind }: Destination): string {
  return `${id}-${kind}`;
}

function pushTo(pushers: readonly JobPusher[], records: readonly LogRecord[]): void {
  for (const pusher of pushers) pusher.add(records);
}

/** Facility local0; events are notices, requests are information. */
function createSyslogPrefix(dataset: Dataset): (atMs: number) => string {
  const priority = 16 * 8 + (dataset === 'firewall_events' ? 5 : 6);
  const host = hostname().replaceAll(/[^\x21-\x7e]/g, '') || '-';
  return (atMs) => {
    const time = Number.isFinite(atMs) ? writeTime(atMs, 'rfc3339ms').slice(1, -1) : '-';
    return `<${priority}>1 ${time} ${host} gatehouse ${process.pid} ${dataset} - `;
  };
}
