/** All databases of a data directory and of those inside it, row by row; no program has it open. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasObjects, openRecorded } from '#hosts';

export type Databases = Readonly<Record<string, unknown>>;

export async function readDatabases(data: string): Promise<Databases> {
  const found: Record<string, unknown> = {};
  for (const path of ['', 'stores', ...listFolders(data, 'workers')]) {
    const directory = join(data, path);
    if (!existsSync(directory) || !hasObjects(directory)) continue;
    await using runtime = await openRecorded({ directory });
    for (const className of runtime.classNames)
      for await (const { id, name } of runtime.objects(className)) {
        const place = `${path} ${className} ${name ?? id.toString()}`;
        found[place] =
          runtime.storageOf(className) === 'kv'
            ? (await Array.fromAsync(runtime.storedValues(id))).map(([key, value]) => [key, hex(value)])
            : await readTables(runtime.history(id));
      }
    found[`${path} alarms`] = (await Array.fromAsync(runtime.alarms()))
      .map(({ className, id, time }) => `${className} ${id.toString()} ${time}`)
      .toSorted();
  }
  return found;
}

type History = ReturnType<Awaited<ReturnType<typeof openRecorded>>['history']>;

async function readTables(history: History): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-everything-'));
  try {
    const file = join(folder, 'object.sqlite');
    await history.exportTo(file);
    using database = new DatabaseSync(file, { readOnly: true });
    const all = database.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY name').all();
    const tables = all.map(({ type, name, sql }) => [
      name,
      { sql, rows: type === 'table' ? readRows(database, String(name)) : [] },
    ]);
    return Object.fromEntries(tables) as Record<string, unknown>;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readRows(database: DatabaseSync, table: string): unknown[] {
  const statement = database.prepare(`SELECT * FROM "${table}"`);
  statement.setReadBigInts(true);
  return statement.all().map(show);
}

function show(row: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(row).map(([key, value]) => [key, value instanceof Uint8Array ? hex(value) : value]);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function listFolders(data: string, folder: string): string[] {
  const place = join(data, folder);
  return existsSync(place) ? readdirSync(place).map((name) => `${folder}/${name}`) : [];
}
