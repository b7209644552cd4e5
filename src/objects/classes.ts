/** The classes of a runtime: what the user declared, and the number each has on disk for good. */
import { type Journal, noPosition } from '#journal';
import type { Tables } from '#tables';
import { blankEntry, changesOf, classNumberMax, reserved } from './catalogue.ts';
import type { DurableObjectClass } from './durable-object.ts';
import { IdFactory } from './ids.ts';
import { type Commit, encodeCommit, encodeOwner } from './records.ts';

export interface ClassOptions {
  readonly class: DurableObjectClass;
  /** `kv` (default): very many small objects. `sql`: a private database each, with recovery. */
  readonly storage?: 'kv' | 'sql';
  /** What ids are derived from and data is kept under; the class's name by default. */
  readonly uniqueKey?: string;
}

export interface ClassEntry {
  readonly name: string;
  readonly class: DurableObjectClass;
  readonly storage: 'kv' | 'sql';
  readonly number: number;
  readonly ids: IdFactory;
}

export async function registerClasses(
  classes: Readonly<Record<string, ClassOptions>>,
  { journal, tables }: { journal: Journal; tables: Tables },
): Promise<ReadonlyMap<string, ClassEntry>> {
  const entries = new Map<string, ClassEntry>();
  const numbers = new Map<string, number>();
  for await (const [key, bytes] of tables.iterate(reserved.classes)) {
    numbers.set(Buffer.from(key, 'latin1').toString(), Buffer.from(bytes).readUInt16LE());
  }
  for (const [name, options] of Object.entries(classes)) {
    const { storage = 'kv', uniqueKey = name } = options;
    check(name, options);
    // The kind is part of what is kept: data of one kind cannot be read as the other.
    const key = `${storage}:${uniqueKey}`;
    const other = `${storage === 'kv' ? 'sql' : 'kv'}:${uniqueKey}`;
    if (numbers.has(other)) {
      throw new TypeError(
        `cannot open the class ${name} with storage '${storage}': its objects in this directory were written with '${other.split(':')[0]}'`,
      );
    }
    const number = numbers.get(key) ?? (await assignNumber(key, numbers.size + 1, journal, tables));
    numbers.set(key, number);
    entries.set(name, { name, class: options.class, storage, number, ids: new IdFactory(name, uniqueKey) });
  }
  return entries;
}

function check(name: string, { class: constructor, storage }: ClassOptions): void {
  if (typeof constructor !== 'function') {
    throw new TypeError(`classes.${name}.class must be a class: ${String(constructor)}`);
  }
  if (storage !== undefined && storage !== 'kv' && storage !== 'sql') {
    throw new TypeError(`classes.${name}.storage must be 'kv' or 'sql': ${String(storage)}`);
  }
}

/** Gives a class its number, durably. */
async function assignNumber(key: string, number: number, journal: Journal, tables: Tables): Promise<number> {
  if (number >= classNumberMax) throw new RangeError(`a directory holds at most ${classNumberMax - 1} classes`);
  const owner = encodeOwner(number, '00'.repeat(32));
  const commit: Commit = { owner, chained: false, previous: noPosition, className: key };
  const { end, durable } = journal.append(encodeCommit(commit), () =>
    tables.apply(changesOf(commit, blankEntry, blankEntry), end),
  );
  await durable;
  return number;
}
