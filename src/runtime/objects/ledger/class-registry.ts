import { type Log, noPosition } from '#journal';
import { blankEntry, changesOf, classNumberMax, reserved } from './catalogue.ts';
import type { ObjectTables } from './object-tables.ts';
import { type Commit, encodeCommit, encodeOwner } from './records.ts';

/** The classes of a directory: a record of the journal assigns each its number. */
export class DirectoryClasses implements ClassRegistry {
  readonly #journal: Log;
  readonly #tables: ObjectTables;

  constructor({ journal, tables }: { readonly journal: Log; readonly tables: ObjectTables }) {
    this.#journal = journal;
    this.#tables = tables;
  }

  async recorded(): Promise<Map<string, RecordedClass>> {
    const recorded = new Map<string, RecordedClass>();
    for await (const [key, value] of this.#tables.iterate(reserved.classes)) {
      const bytes = Buffer.from(value);
      recorded.set(Buffer.from(key, 'latin1').toString(), {
        number: bytes.readUInt16LE(),
        name: bytes.toString('utf8', 2),
      });
    }
    return recorded;
  }

  async record(key: string, name: string): Promise<number> {
    const recorded = await this.recorded();
    const number = recorded.get(key)?.number ?? recorded.size + 1;
    if (number >= classNumberMax)
      throw new RangeError(`a directory holds at most ${classNumberMax - 1} classes`);
    const owner = encodeOwner(number, '00'.repeat(32));
    const commit: Commit = { owner, chained: false, previous: noPosition, declares: { key, name } };
    const { end, durable } = this.#journal.append(encodeCommit(commit), () =>
      this.#tables.apply(changesOf(commit, blankEntry, blankEntry), end),
    );
    await durable;
    return number;
  }
}

/** The permanent number of a class, under which its objects are stored. */
export interface RecordedClass {
  readonly number: number;
  readonly name: string;
}

export interface ClassRegistry {
  /** By key: the kind of storage, a colon and the unique key of the class. */
  recorded(): Promise<Map<string, RecordedClass>>;
  /** Records a class under its key, or another name for it; returns its number. */
  record(key: string, name: string): Promise<number>;
}
