/** The access log of the edge: chooses which requests get a line, formats it and queues it. */
import { join } from 'node:path';
import { type Log, StartError } from '#base';
import { diskRefusalOf, RotatedFile } from '#files';
import type { RequestRecord } from '#edge';
import { type AccessFormat, formatLine } from './access-line.ts';
import { type LineCounts, LineQueue } from './line-queue.ts';
import type { LineSink } from './line-sink.ts';
import { StdoutSink } from './stdout-sink.ts';

/** The program's settings that affect it. */
export interface AccessLogSettings {
  readonly data: string;
  readonly edgeAccessLog: string;
  readonly edgeAccessLogBytes: number;
  readonly edgeAccessLogFiles: number;
  readonly edgeAccessLogFormat: AccessFormat;
  readonly edgeAccessLogSample: number;
  readonly edgeAccessLogQuery: boolean;
  readonly edgeAccessLogBody: number;
}

export interface AccessLogOptions {
  readonly queue: LineQueue;
  readonly format: AccessFormat;
  /** The share of ordinary requests that are logged. */
  readonly sample: number;
  readonly withQuery: boolean;
  readonly bodyBytesMax: number;
}

export class AccessLog {
  readonly #options: AccessLogOptions;

  constructor(options: AccessLogOptions) {
    this.#options = options;
  }

  /** Undefined if there is none. */
  static async open(settings: AccessLogSettings, log: Log): Promise<AccessLog | undefined> {
    const sink = await openSink(settings, log);
    return sink && AccessLog.into(sink, settings, log);
  }

  /** Writes its lines into the sink. */
  static into(sink: LineSink, settings: AccessLogSettings, log: Log): AccessLog {
    const queue = new LineQueue({
      sink,
      onDropped: (lines, error) =>
        log.warn('lines of the access log were dropped; requests are not affected', {
          lines,
          to: sink.name,
          setting: 'edge_access_log',
          ...(error === undefined ? { reason: 'the log is too slow' } : { error }),
        }),
    });
    return new AccessLog({
      queue,
      format: settings.edgeAccessLogFormat,
      sample: settings.edgeAccessLogSample,
      withQuery: settings.edgeAccessLogQuery,
      bodyBytesMax: settings.edgeAccessLogBody,
    });
  }

  /** How much of each body is needed for a line. Bodies are as private as queries. */
  get bodyBytesMax(): number {
    const { format, withQuery, bodyBytesMax } = this.#options;
    return format === 'requests' && withQuery ? bodyBytesMax : 0;
  }

  get counts(): LineCounts {
    return this.#options.queue.counts;
  }

  add(record: RequestRecord, traceId: string | undefined): void {
    const { queue, format, sample, withQuery } = this.#options;
    if (sample < 1 && isOrdinary(record) && Math.random() >= sample) return;
    queue.add(formatLine[format](record, { withQuery, traceId }));
  }

  /** Reopens the file under its name, after another program has renamed the old one. */
  reopen(): void {
    this.#options.queue.reopen();
  }

  flush(): Promise<void> {
    return this.#options.queue.flush();
  }

  close(): Promise<void> {
    return this.#options.queue.close();
  }
}

/** A request that an origin answered, without a server error. All others are logged, whatever the sample. */
function isOrdinary({ verdict, outcome, isComplete }: RequestRecord): boolean {
  return verdict === 'forwarded' && isComplete && outcome.refusal === undefined && outcome.edgeStatus < 500;
}

/** The file of the access log; undefined if it is not in a file. */
export function findAccessLogFile({
  edgeAccessLog: to,
  data,
}: Pick<AccessLogSettings, 'edgeAccessLog' | 'data'>): string | undefined {
  if (to === 'off' || to === 'stdout') return undefined;
  return to === 'data' ? join(data, 'logs', 'edge-access.log') : to;
}

/** The sink of the settings; undefined if there is none. */
export async function openSink(settings: AccessLogSettings, log: Log): Promise<LineSink | undefined> {
  const { edgeAccessLog: to, edgeAccessLogBytes: bytesMax, edgeAccessLogFiles: filesKept } = settings;
  if (to === 'stdout') return new StdoutSink();
  const path = findAccessLogFile(settings);
  if (path === undefined) return undefined;
  const file = new RotatedFile({
    path,
    bytesMax,
    filesKept,
    onError: (error) =>
      log.warn('could not rotate the access log; continuing in the same file', { file: path, error }),
  });
  try {
    await file.open();
  } catch (error) {
    // A full disk must not stop the server: each write tries to open the file again.
    if (diskRefusalOf(error) === undefined) {
      throw new StartError(
        `cannot open the access log: ${(error as Error).message}: choose another file with --edge-access-log, or off`,
        { cause: error },
      );
    }
  }
  return file;
}
