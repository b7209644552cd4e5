/**
 * The tasks that an object has to run later: rows in its database, and its one alarm set to the first of them. A row is
 * written in the transaction that schedules the task and deleted in the one that runs it, so a task runs once and is never
 * lost. A task that fails stays, is retried with increasing delays, and delays no other task.
 */
import type { DurableObjectStorage } from '#objects';
import { taskRetryMsMax, taskRetryMsMin } from '../context/limits.ts';

export const agendaTables = [
  `CREATE TABLE IF NOT EXISTS agenda (
    task TEXT NOT NULL,
    key TEXT NOT NULL,
    due_ms INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (task, key)
  )`,
];

export interface Due {
  readonly task: string;
  readonly key: string;
}

export class Agenda {
  readonly #storage: DurableObjectStorage;
  /** Most operations do not change the agenda. */
  #isChanged = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  add(task: string, key: string, dueMs: number): void {
    this.#isChanged = true;
    this.#storage.sql.exec(
      'INSERT OR REPLACE INTO agenda (task, key, due_ms) VALUES (?, ?, ?)',
      task,
      key,
      dueMs,
    );
  }

  complete({ task, key }: Due): void {
    this.#isChanged = true;
    this.#storage.sql.exec('DELETE FROM agenda WHERE task = ? AND key = ?', task, key);
  }

  /** Called after a task failed. */
  postpone({ task, key }: Due, nowMs: number): void {
    this.#isChanged = true;
    this.#storage.sql.exec(
      `UPDATE agenda SET due_ms = ? + min(? * (1 << min(failures, 30)), ?), failures = failures + 1
        WHERE task = ? AND key = ?`,
      nowMs,
      taskRetryMsMin,
      taskRetryMsMax,
      task,
      key,
    );
  }

  /** The task that has been due for longest. */
  next(nowMs: number): Due | undefined {
    const [due] = this.#storage.sql.exec<{ task: string; key: string }>(
      'SELECT task, key FROM agenda WHERE due_ms <= ? ORDER BY due_ms, task, key LIMIT 1',
      nowMs,
    );
    return due;
  }

  setAlarmIfChanged(): void {
    if (this.#isChanged) this.setAlarm();
  }

  /** To be called after the agenda has changed, outside of a transaction: alarms are committed with the turn. */
  setAlarm(): void {
    this.#isChanged = false;
    const { dueMs } = this.#storage.sql
      .exec<{ dueMs: number | null }>('SELECT min(due_ms) AS dueMs FROM agenda')
      .one();
    if (dueMs !== null) void this.#storage.setAlarm(dueMs);
  }
}
