/** Events stored by field (columns.ts). Each section is decoded on first use. */
import type { SecurityEvent } from '../../event.ts';
import type { Judged } from '../../judged/judged.ts';
import { packedFields } from '../../packed-event.ts';
import {
  type DecodedColumn,
  judgedSection,
  placeOf,
  readColumn,
  readJudgedColumn,
  sectionOf,
  timesSection,
} from './columns.ts';

const missing: DecodedColumn = { values: [''], places: undefined };

export class ColumnReader {
  readonly #readSection: (section: number) => string | undefined;
  readonly #firstMs: number;
  readonly #columns = new Map<keyof SecurityEvent, DecodedColumn>();
  #times: readonly number[] | undefined;
  #judged: DecodedColumn | undefined;

  /** A missing section is undefined. `firstMs`: the time that the stored times are relative to. */
  constructor(readSection: (section: number) => string | undefined, firstMs: number) {
    this.#readSection = readSection;
    this.#firstMs = firstMs;
  }

  /** The times of the events. */
  get times(): readonly number[] {
    this.#times ??= (JSON.parse(this.#readSection(timesSection)!) as number[]).map(
      (ms) => ms + this.#firstMs,
    );
    return this.#times;
  }

  column(field: keyof SecurityEvent): DecodedColumn {
    let column = this.#columns.get(field);
    if (column === undefined) {
      const text = this.#readSection(sectionOf(field));
      column = text === undefined ? missing : readColumn(text);
      this.#columns.set(field, column);
    }
    return column;
  }

  value(field: keyof SecurityEvent, row: number): unknown {
    const column = this.column(field);
    const value = column.values[placeOf(column, row)];
    if (field === 'datetime') return value ?? new Date(this.times[row]!).toISOString();
    if (field === 'originatorRayName') return value ?? this.value('rayName', row);
    if (field === 'id' && typeof value === 'number') return `${String(this.value('rayName', row))}-${value}`;
    return value;
  }

  /** An event, or only some of its fields. */
  event(row: number, fields: readonly (keyof SecurityEvent)[] = packedFields): SecurityEvent {
    const event: Record<string, unknown> = {};
    for (const field of fields) event[field] = this.value(field, row);
    return event as unknown as SecurityEvent;
  }

  /** The explanation of each event that has one. */
  judged(row: number): Judged | null {
    this.#judged ??= readJudgedColumn(this.#readSection(judgedSection)!);
    return this.#judged.values[placeOf(this.#judged, row)] as Judged | null;
  }
}
