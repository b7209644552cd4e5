/** All databases of a data directory and of those inside it, row by row; no program has it open. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
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
  using object = await history.readAt(await history.current());
  const tables: Record<string, unknown> = {};
  for (const { name, sql } of object.exec('SELECT name, sql FROM sqlite_master ORDER BY name').toArray()) {
    const isTable = String(sql).startsWith('CREATE TABLE');
    tables[String(name)] = {
      sql,
      rows: isTable
        ? object
            .exec(`SELECT * FROM "${String(name)}"`)
            .toArray()
            .map(show)
        : [],
    };
  }
  return tables;
}

function show(row: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(row).map(([key, value]) => [
    key,
    value instanceof ArrayBuffer ? hex(new Uint8Array(value)) : value,
  ]);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function listFolders(data: string, folder: string): string[] {
  const place = join(data, folder);
  return existsSync(place) ? readdirSync(place).map((name) => `${folder}/${name}`) : [];
}
