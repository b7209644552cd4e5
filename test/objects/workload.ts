/** Random lives of an SQL object, and its complete contents, to compare one moment with another. */
import type { Random } from '../faults/random.ts';
import type { Probe, Storage } from './harness.ts';

export interface Dump {
  readonly alarm: number | null;
  readonly entries: ReadonlyMap<string, unknown>;
  readonly tables: Readonly<Record<string, readonly unknown[]>>;
}

export async function dumpOf({ storage }: { readonly storage: Storage }): Promise<Dump> {
  return { alarm: await storage.getAlarm(), entries: await storage.list(), tables: tablesOf(storage.sql) };
}

/** Every row of every table that the object created itself. */
export function tablesOf(sql: { exec(query: string): { toArray(): unknown[] } }): Dump['tables'] {
  const names = sql
    .exec(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '!_cf%' ESCAPE '!' ORDER BY name",
    )
    .toArray() as Array<{ name: string }>;
  return Object.fromEntries(
    names.map(({ name }) => [name, sql.exec(`SELECT rowid, * FROM ${name}`).toArray()]),
  );
}

const keys = Array.from('abcdefgh');
const tableNames = ['t0', 't1', 't2'];

/** So far in the future that it never fires. */
const alarmTimeMin = Date.UTC(2100, 0, 1);

/** One random change, as the body of an event. Each leaves a unique trace. */
export function randomChange(random: Random, step: number): (object: Probe) => Promise<void> {
  const change = random.pick(changes);
  return async ({ storage }) => void (await change(storage, random, step));
}

type Change = (storage: Storage, random: Random, step: number) => unknown;

const putSome: Change = async (storage, random, step) => {
  for (let count = 1 + random.below(4); count > 0; count--) {
    await storage.put(random.pick(keys), { step, text: 'x'.repeat(random.below(300)) });
  }
};

const insertSome: Change = ({ sql }, random, step) => {
  const table = random.pick(tableNames);
  sql.exec(`CREATE TABLE IF NOT EXISTS ${table} (step INTEGER, body TEXT)`);
  for (let count = 1 + random.below(10); count > 0; count--) {
    sql.exec(`INSERT INTO ${table} VALUES (?, ?)`, step, 'y'.repeat(random.below(4_000)));
  }
};

/** Pages that are allocated and freed within a commit are never written: holes in the file. */
const insertAndDelete: Change = ({ sql }, random, step) => {
  sql.exec('CREATE TABLE IF NOT EXISTS t0 (step INTEGER, body TEXT)');
  sql.exec('INSERT INTO t0 VALUES (?, ?)', -step, 'z'.repeat(20_000 + random.below(60_000)));
  sql.exec('DELETE FROM t0 WHERE step = ?', -step);
};

const forTables = (query: string): Change => {
  return ({ sql }, random, step) => {
    const table = random.pick(tableNames);
    const exists = sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', table).toArray().length > 0;
    if (exists) sql.exec(query.replaceAll('TABLE_NAME', table).replaceAll('STEP', String(step)));
  };
};

const changes: readonly Change[] = [
  putSome,
  putSome,
  putSome,
  (storage, random) => storage.delete([random.pick(keys), random.pick(keys)]),
  insertSome,
  insertSome,
  insertSome,
  insertAndDelete,
  insertAndDelete,
  forTables("UPDATE TABLE_NAME SET body = 'STEP' || substr(body, 1, 500) WHERE rowid % 3 = STEP % 3"),
  forTables('DELETE FROM TABLE_NAME WHERE rowid % 5 = STEP % 5'),
  forTables('CREATE INDEX IF NOT EXISTS TABLE_NAME_step ON TABLE_NAME (step, body)'),
  (storage, _random, step) =>
    step % 4 === 0 ? forTables('DROP TABLE TABLE_NAME')(storage, _random, step) : undefined,
  (storage, random, step) => storage.setAlarm(alarmTimeMin + step + random.below(2)),
  (storage) => storage.deleteAlarm(),
  async (storage, random, step) => {
    if (step % 5 !== 0) return;
    await storage.deleteAll();
    if (random.chance(0.5)) await putSome(storage, random, step);
  },
  (storage, random, step) =>
    storage.transaction(async (txn) => {
      await txn.put('transaction', step);
      await insertSome(storage, random, step);
      if (random.chance(0.3)) txn.rollback();
    }),
];
