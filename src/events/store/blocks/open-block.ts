/** The events of one block. Each section is checked and decoded when it is first asked for. */
import type { SecurityEvent } from '../../event.ts';
import type { Judged } from '../../judged/judged.ts';
import { packedFields } from '../../packed-event.ts';
import { type BlockHead, listSections, readSection, type SectionEntry } from './block.ts';
import {
  type Column,
  judgedSection,
  placeOf,
  readColumn,
  readSequences,
  sectionOf,
  sequencesSection,
  timesSection,
} from './columns.ts';

const missing: Column = { values: [''], places: undefined };

export class OpenBlock {
  readonly head: BlockHead;
  readonly #bytes: Buffer;
  readonly #entries: readonly SectionEntry[];
  readonly #file: string;
  readonly #columns = new Map<keyof SecurityEvent, Column>();
  #times: readonly number[] | undefined;
  #sequences: readonly number[] | undefined;

  constructor(bytes: Buffer, head: BlockHead, file: string) {
    this.head = head;
    this.#bytes = bytes;
    this.#entries = listSections(bytes, head);
    this.#file = file;
  }

  /** When the events happened. */
  get times(): readonly number[] {
    const { firstMs } = this.head;
    this.#times ??= (JSON.parse(this.#read(timesSection)) as number[]).map((ms) => ms + firstMs);
    return this.#times;
  }

  get sequences(): readonly number[] {
    this.#sequences ??= readSequences(JSON.parse(this.#read(sequencesSection)) as number[]);
    return this.#sequences;
  }

  column(field: keyof SecurityEvent): Column {
    let column = this.#columns.get(field);
    if (column === undefined) {
      const section = sectionOf(field);
      column = section < this.#entries.length ? readColumn(this.#read(section)) : missing;
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

  /** The explanation of each event that carries one. */
  readJudged(): readonly (Judged | null)[] {
    return JSON.parse(this.#read(judgedSection)) as (Judged | null)[];
  }

  #read(section: number): string {
    return readSection(this.#bytes, this.#entries[section]!, { file: this.#file, offset: this.head.offset });
  }
}
