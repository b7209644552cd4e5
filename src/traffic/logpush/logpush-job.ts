/** A job as the program runs it: with its secrets, and with every default filled in. */
import type { RecordFormat } from './format-record.ts';

export interface LogpushJob extends RecordFormat {
  readonly id: number;
  readonly zoneId: string;
  /** Text for `parseDestination`, with the values of its fields. */
  readonly destination: string;
  readonly filter: string;
  /** The share of records that are pushed: 1 for all. */
  readonly sampleRate: number;
  readonly bytesMax: number;
  readonly recordsMax: number;
  readonly intervalMs: number;
}
