/** Plain SQLite, run like an object's turns: each is one transaction that its first write opens. */
import { DatabaseSync } from 'node:sqlite';
import type { Rebuild, RebuildStep } from '../../conformance/modules/rebuilds.js';

/** The result of a statement: its rows, or the error. */
export type StepEnd = readonly unknown[] | string;

export interface RebuildEnd {
  readonly ends: readonly StepEnd[];
  /** Whether the turn could not be committed, so that the object was reset. */
  readonly reset: boolean;
  readonly left: readonly StepEnd[];
}

export function predict(rebuild: Rebuild, turns: ReadonlyArray<readonly RebuildStep[]>): RebuildEnd {
  using database = new DatabaseSync(':memory:');
  const run = (sql: string): StepEnd => endOf(() => database.prepare(sql).all());
  for (const sql of rebuild.setup) database.exec(sql);
  const ends: StepEnd[] = [];
  let reset = false;
  for (const turn of turns) {
    for (const { sql, writes } of turn) {
      if (writes && !database.isTransaction) database.exec('BEGIN');
      ends.push(run(sql));
    }
    if (!database.isTransaction || typeof run('COMMIT') !== 'string') continue;
    reset = true;
    database.exec('ROLLBACK; PRAGMA foreign_keys = ON; PRAGMA legacy_alter_table = OFF');
    break;
  }
  return { ends, reset, left: rebuild.check.map(run) };
}

export function endOf(run: () => readonly unknown[]): StepEnd {
  try {
    return run().map((row) => ({ ...(row as object) }));
  } catch (error) {
    return (error as Error).message.replace(/: SQLITE_.*/s, '');
  }
}
