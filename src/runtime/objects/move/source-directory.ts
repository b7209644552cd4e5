/** A directory whose objects are moved elsewhere; it is only read. */
import { assert, realClock } from '#base';
import type { FileSystem } from '#files';
import { Journal } from '#journal';
import { Tables } from '#tables';
import { Images } from '../history/images.ts';
import { reserved } from '../ledger/catalogue.ts';
import { replay } from '../ledger/replay.ts';
import { type Owner, decodeOwner, encodeOwner } from '../ledger/records.ts';

interface SourceParts {
  readonly journal: Journal;
  readonly tables: Tables;
  readonly images: Images;
}

/** A class as recorded in a directory. */
interface RecordedClass {
  /** The kind of storage and the unique key. */
  readonly key: string;
  readonly name: string;
  readonly number: number;
}

export class SourceDirectory implements AsyncDisposable {
  readonly journal: Journal;
  readonly tables: Tables;
  readonly images: Images;
  readonly classes: readonly RecordedClass[];
  /** The numbers of its classes in the targets. */
  readonly #numbers = new Map<number, number>();

  private constructor({ journal, tables, images }: SourceParts, classes: readonly RecordedClass[]) {
    this.journal = journal;
    this.tables = tables;
    this.images = images;
    this.classes = classes;
  }

  static async open(fs: FileSystem, directory: string): Promise<SourceDirectory> {
    await using opened = new AsyncDisposableStack();
    const log = { directory: `${directory}/journal`, fs, clock: realClock };
    const journal = opened.adopt(await Journal.open(log), (each) => each.close());
    const tables = opened.adopt(Tables.open({ directory: `${directory}/tables`, fs }), (each) =>
      each.close(),
    );
    await replay(journal, tables);
    const classes: RecordedClass[] = [];
    for await (const [key, value] of tables.iterate(reserved.classes)) {
      const bytes = Buffer.from(value);
      classes.push({ key, number: bytes.readUInt16LE(), name: bytes.toString('utf8', 2) });
    }
    const images = new Images(fs, `${directory}/images`);
    opened.move();
    return new SourceDirectory({ journal, tables, images }, classes);
  }

  /** Sets the numbers of the classes in the targets: each directory has counted on its own. */
  renumber(numbers: ReadonlyMap<string, number>): void {
    for (const { key, number } of this.classes) this.#numbers.set(number, numbers.get(key)!);
  }

  /** The object's identity in its target. */
  translate(owner: Owner): { readonly owner: Owner; readonly idHex: string } {
    const { classNumber, idHex } = decodeOwner(owner);
    const number = this.#numbers.get(classNumber);
    assert(number !== undefined, 'every object belongs to a class that was recorded');
    return { owner: encodeOwner(number, idHex), idHex };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.tables.close();
    await this.journal.close();
  }
}
