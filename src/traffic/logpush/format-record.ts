/** Formats a record as a line of JSON, with the fields and the time format of its job. */
import { type Dataset, datasetFields, type LogRecord } from './datasets.ts';

export const timestampFormats = ['unixnano', 'unix', 'rfc3339', 'rfc3339ms', 'rfc3339ns'] as const;
export type TimestampFormat = (typeof timestampFormats)[number];

export interface RecordFormat {
  readonly dataset: Dataset;
  /** Empty for all fields. */
  readonly fields: readonly string[];
  readonly timestamps: TimestampFormat;
}

type Format = (record: LogRecord) => string;

/** The line does not end with a line feed. */
export function compileFormat({ dataset, fields, timestamps }: RecordFormat): Format {
  const kinds = datasetFields[dataset];
  const names = fields.length === 0 ? Object.keys(kinds) : fields;
  const writers = names.map((name) => {
    const key = `${JSON.stringify(name)}:`;
    return kinds[name] === 'timestamp'
      ? (record: LogRecord) => key + writeTime(Number(record[name]), timestamps)
      : (record: LogRecord) => key + JSON.stringify(record[name] ?? null);
  });
  return (record) => `{${writers.map((write) => write(record)).join(',')}}`;
}

/** Nanoseconds do not fit into a number. */
export function writeTime(ms: number, format: TimestampFormat): string {
  if (!Number.isFinite(ms)) return 'null';
  switch (format) {
    case 'unixnano':
      return `${Math.trunc(ms)}000000`;
    case 'unix':
      return `${Math.floor(ms / 1_000)}`;
    case 'rfc3339':
      return `"${new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')}"`;
    case 'rfc3339ms':
      return `"${new Date(ms).toISOString()}"`;
    case 'rfc3339ns':
      return `"${new Date(ms).toISOString().replace('Z', '000000Z')}"`;
  }
}
