/**
 * Performs an operation on an object of some megabytes and prints the maximum growth of the process: `node this WORK
 * MEGABYTES`. The object is in a cluster if the URL of a database follows.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createRuntime, DurableObject } from '#objects';

class Store extends DurableObject {
  /** In several turns, so that the log has several records. */
  async fill(megabytes: number): Promise<void> {
    const { sql } = this.ctx.storage;
    sql.exec('CREATE TABLE IF NOT EXISTS pieces (id INTEGER PRIMARY KEY, bytes BLOB)');
    for (let done = 0; done < megabytes; done++) {
      for (let piece = 0; piece < 4; piece++)
        sql.exec('INSERT INTO pieces (bytes) VALUES (randomblob(250000))');
      await this.ctx.storage.sync();
    }
  }

  count(): number {
    return Number(this.ctx.storage.sql.exec('SELECT count(*) AS n FROM pieces').one()['n']);
  }
}

const [work, size, url] = process.argv.slice(2) as [string, string, string?];
const megabytes = Number(size);
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-large-'));
const open = async () =>
  createRuntime({
    ...(url === undefined ? {} : { cluster: await (await import('#cluster')).joinCluster({ url }) }),
    directory,
    classes: { Store: { class: Store, storage: 'sql' } },
    durability: 'os',
  });
try {
  const runtime = await open();
  const stub = runtime.namespace<Store>('Store').getByName('large');
  const file = join(directory, 'plain.sqlite');
  if (work === 'import') createPlainFile(file);
  else await stub.fill(megabytes);
  await runtime.close();
  const again = await open();
  const object = again.namespace<Store>('Store').getByName('large');
  const history = again.history(object.id);
  // Memory that earlier work has not returned to the system would hide the use of this work.
  const before = readStatus('VmRSS');
  resetPeak();
  if (work === 'wake') await object.count();
  if (work === 'export') await history.exportTo(file);
  if (work === 'import') await history.importFrom(file);
  if (work === 'scrub') for await (const damage of again.scrub()) throw new Error(JSON.stringify(damage));
  process.stdout.write(`${JSON.stringify({ growth: readStatus('VmHWM') - before })}\n`);
  await again.close();
} finally {
  rmSync(directory, { recursive: true });
}

function createPlainFile(path: string): void {
  using database = new DatabaseSync(path);
  database.exec('CREATE TABLE pieces (id INTEGER PRIMARY KEY, bytes BLOB)');
  for (let done = 0; done < megabytes; done++)
    database.exec('INSERT INTO pieces (bytes) VALUES (randomblob(1000000))');
}

/** Bytes, from the kernel: VmRSS is now, VmHWM the most since `resetPeak`. */
function readStatus(name: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync('/proc/self/status', 'utf8'),
  )!;
  return Number(kilobytes) * 1024;
}

function resetPeak(): void {
  writeFileSync('/proc/self/clear_refs', '5');
}
