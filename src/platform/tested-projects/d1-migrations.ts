/** Migrations of D1 databases: SQL files, read where there is a file system and applied where the database is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrongType } from '#base';
import { splitStatements } from '#sqlite';

export interface D1Migration {
  readonly name: string;
  readonly queries: readonly string[];
}

/** Reads the `.sql` files of a folder, ordered by the numbers at the start of their names. */
export async function readD1Migrations(path: string): Promise<D1Migration[]> {
  if (typeof path !== 'string') throw wrongType({ method: 'readD1Migrations' }, 1, 'string');
  const names = readdirSync(path).filter((name) => name.endsWith('.sql'));
  const numberOf = (name: string): number => Number.parseInt(name, 10);
  return names
    .toSorted((a, b) => numberOf(a) - numberOf(b) || (a < b ? -1 : 1))
    .map((name) => ({
      name,
      queries: splitStatements(readFileSync(join(path, name), 'utf8')).map(({ sql }) => sql.trim()),
    }));
}

interface Database {
  prepare(sql: string): Statement;
  batch(statements: readonly Statement[]): Promise<unknown>;
}

interface Statement {
  bind(...values: readonly unknown[]): Statement;
  all(): Promise<{ readonly results: ReadonlyArray<Readonly<Record<string, unknown>>> }>;
  run(): Promise<unknown>;
}

/**
 * Applies the migrations that are not applied yet, and records them in a table; each is applied completely or not at
 * all.
 */
export async function applyD1Migrations(
  database: Database,
  migrations: readonly D1Migration[],
  tableName = 'd1_migrations',
): Promise<void> {
  if (typeof database?.prepare !== 'function' || typeof database.batch !== 'function')
    throw wrongType({ method: 'applyD1Migrations' }, 1, 'D1Database');
  if (!isMigrations(migrations)) throw wrongType({ method: 'applyD1Migrations' }, 2, 'D1Migration[]');
  if (typeof tableName !== 'string') throw wrongType({ method: 'applyD1Migrations' }, 3, 'string');
  const table = `"${tableName.replaceAll('"', '""')}"`;
  await database
    .prepare(
      `CREATE TABLE IF NOT EXISTS ${table} (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, ` +
        'applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
    )
    .run();
  const { results } = await database.prepare(`SELECT name FROM ${table}`).all();
  const applied = new Set(results.map(({ name }) => name));
  const note = database.prepare(`INSERT INTO ${table} (name) VALUES (?)`);
  for (const { name, queries } of migrations) {
    if (applied.has(name)) continue;
    await database.batch([...queries.map((query) => database.prepare(query)), note.bind(name)]);
  }
}

function isMigrations(value: unknown): value is readonly D1Migration[] {
  return (
    Array.isArray(value) &&
    value.every(
      (each: Partial<D1Migration> | null) =>
        typeof each?.name === 'string' &&
        Array.isArray(each.queries) &&
        each.queries.every((query) => typeof query === 'string'),
    )
  );
}
