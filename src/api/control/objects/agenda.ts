/**
 * The tasks that an object must run later: rows in its database, with its single alarm set to the first of them. A row
 * is written in the transaction that schedules the task and deleted in the one that runs it, so a task runs once and is
 * never lost. A task that fails stays, is retried with increasing delays, and delays no other task.
 */
import { backOffMs } from '#base';
import type { DurableObjectStorage } from '#objects';
import { taskRetryMsMax, taskRetryMsMin } from '../context/limits.ts';
import { text, whole } from '../context/tables/columns.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

export const agendaTable = new Table('agenda', {
  key: ['task', 'key'],
  columns: { task: text(), key: text(), dueMs: whole(), failures: whole({ fallback: 0 }) },
});

export type Due = Pick<RowOf<typeof agendaTable>, 'task' | 'key'>;

export class Agenda {
  readonly #storage: DurableObjectStorage;
  /** Most operations do not change the agenda. */
  #isChanged = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  add(task: string, key: string, dueMs: number): void {
    this.#isChanged = true;
    agendaTable.put(this.#storage.sql, { task, key, dueMs, failures: 0 });
  }

  complete({ task, key }: Due): void {
    this.#isChanged = true;
    agendaTable.remove(this.#storage.sql, task, key);
  }

  /** Called after a task failed. */
  postpone({ task, key }: Due, nowMs: number): void {
    const row = agendaTable.get(this.#storage.sql, task, key);
    if (row === undefined) return;
    this.#isChanged = true;
    const failures = row.failures + 1;
    const delayMs = backOffMs(failures, { msMin: taskRetryMsMin, msMax: taskRetryMsMax });
    agendaTable.update(this.#storage.sql, { ...row, dueMs: nowMs + delayMs, failures });
  }

  /** The task that has been due for longest. */
  next(nowMs: number): Due | undefined {
    const rest = 'WHERE due_ms <= ? ORDER BY due_ms, task, key LIMIT 1';
    return agendaTable.select(this.#storage.sql, rest, nowMs)[0];
  }

  setAlarmIfChanged(): void {
    if (this.#isChanged) this.setAlarm();
  }

  /** Must be called after the agenda has changed, outside of a transaction: alarms are committed with the turn. */
  setAlarm(): void {
    this.#isChanged = false;
    const [dueMs] = agendaTable.pick(this.#storage.sql, 'dueMs', 'ORDER BY due_ms LIMIT 1');
    if (dueMs !== undefined) void this.#storage.setAlarm(dueMs);
  }
}
