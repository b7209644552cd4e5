/**
 * Small state of very many owners in one ordinary directory: sorted, checksummed, immutable run files and a memtable (a
 * log-structured merge tree). It contains the key-value data of objects, their alarms and heads.
 *
 * It is a view of the journal, not a database of its own: `apply` changes memory, `flush` writes memory to disk, and
 * `position` says which part of the journal is on disk. After a crash the caller replays the
 * journal from there on. In return, only `flush` and reads of what is not in memory wait for a disk.
 *
 * What it promises: a batch is visible whole or not at all; a scan sees one moment; damaged bytes are reported
 * (`TablesDamageError`), never returned and never taken for absence. What it does not promise: exclusive access to the
 * directory, and durability of what was applied but not flushed.
 *
 * ```ts
 * const tables = Tables.open({ directory: '/var/lib/gatehouse/tables' });
 * for (const record of journal.readFrom(tables.position + 1)) tables.apply(record.changes, record.position);
 *
 * const owner = 'k:' + '0'.repeat(32);                                  // always 34 bytes
 * tables.apply([{ owner, key: 'color', value: Buffer.from('green') }], 1);
 * await tables.get(owner, 'color');                                     // green
 * await tables.list(owner, { start: 'a', end: 'd', limit: 10 });        // [['color', green]]
 * tables.apply([{ owner, drop: true }, { owner, key: 'size', value: Buffer.from('7') }], 2);
 * for await (const [key, value] of tables.iterate(owner)) use(key, value); // size 7
 *
 * if (tables.needsFlush) await tables.flush();                          // tables.position is 2
 * for await (const { file, offset, problem } of tables.scrub()) report(file, offset, problem);
 * await tables.close();
 * ```
 */
export { type Damage, TablesDamageError } from './tables/damage-error.ts';
export type { KeyedValue, KeyRange } from './tables/scan.ts';
export {
  type TableChange,
  type HeldTables,
  Tables,
  type TablesOptions,
  type TablesStats,
} from './tables/tables.ts';
