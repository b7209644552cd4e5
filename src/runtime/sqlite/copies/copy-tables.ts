/** Copies tables from one database file into another, replacing those of the same name. */
import { DatabaseSync } from 'node:sqlite';
import { touchPrivateFile } from '#files';
import { nextTurn } from '#work';
import { openFile } from '../database-files.ts';

/** Rows between which the event loop runs: few, because a row can have megabytes. */
const rowsPerTurn = 256;

export interface CopyTablesOptions {
  /** An existing database file. */
  readonly from: string;
  /** Created if it is missing. */
  readonly to: string;
  /** A table of `from` whose only column has the names of the tables to copy. It is copied as well. */
  readonly listedIn: string;
}

/**
 * Copies the tables with their indexes and triggers; resolves to whether there was anything to copy. No foreign key may
 * lead to or from them.
 */
export async function copyTables({ from, to, listedIn }: CopyTablesOptions): Promise<boolean> {
  const names = readNames(from, listedIn);
  if (names.length === 0) return false;
  touchPrivateFile(to);
  const database = openFile(to, { enableForeignKeyConstraints: false });
  try {
    database.exec('PRAGMA synchronous = OFF');
    database.prepare('ATTACH ? AS source').run(from);
    database.exec('BEGIN');
    for (const name of [...names, listedIn]) await copyTable(database, name);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
  return true;
}

function readNames(from: string, listedIn: string): string[] {
  const database = openFile(from, { readOnly: true });
  try {
    const hasList = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    if (hasList.get(listedIn) === undefined) return [];
    const listed = database.prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN (SELECT name FROM "${listedIn}")`,
    );
    return listed.all().map(({ name }) => String(name));
  } finally {
    database.close();
  }
}

async function copyTable(database: DatabaseSync, name: string): Promise<void> {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  database.exec(`DROP TABLE IF EXISTS main.${quoted}`);
  const parts = database
    .prepare('SELECT type, sql FROM source.sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL')
    .all(name) as unknown as { readonly type: string; readonly sql: string }[];
  for (const { type, sql } of parts) if (type === 'table') database.exec(sql);
  await copyRows(database, quoted);
  // A trigger must not fire for the copied rows.
  for (const { type, sql } of parts) if (type !== 'table') database.exec(sql);
}

async function copyRows(database: DatabaseSync, quoted: string): Promise<void> {
  if (!hasRowids(database, quoted)) {
    database.exec(`INSERT INTO main.${quoted} SELECT * FROM source.${quoted}`);
    return;
  }
  const copy = database.prepare(
    `INSERT INTO main.${quoted} SELECT * FROM source.${quoted} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
  );
  const findLast = database.prepare(
    `SELECT max(rowid) AS last FROM
      (SELECT rowid FROM source.${quoted} WHERE rowid > ? ORDER BY rowid LIMIT ?)`,
  );
  // Rowids may be larger than a number can represent exactly.
  copy.setReadBigInts(true);
  findLast.setReadBigInts(true);
  for (let after = -(2n ** 63n); ;) {
    const { last } = findLast.get(after, rowsPerTurn) as { readonly last: bigint | null };
    if (last === null) return;
    copy.run(after, rowsPerTurn);
    after = last;
    await nextTurn();
  }
}

function hasRowids(database: DatabaseSync, quoted: string): boolean {
  try {
    database.prepare(`SELECT rowid FROM source.${quoted} LIMIT 1`);
    return true;
  } catch {
    return false;
  }
}
