/**
 * The stored data of an instance of a workflow: its own, its steps and the events that no step has received yet. A step
 * has one row, from its first attempt on.
 */
import type { DurableObjectState } from '#objects';
import { decodeValue, encodeValue } from '#values';
import type { ErrorRecord } from './workflow-errors.ts';

export type WorkflowStatus =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'waitingForPause'
  | 'paused'
  | 'rollingBack'
  | 'complete'
  | 'errored'
  | 'terminated';

/** `rollback`: what undoes a step of the same name and count. */
export type StepKind = 'do' | 'sleep' | 'waitForEvent' | 'rollback';

export interface StepRecord {
  readonly number: number;
  /**
   * `running`: an attempt has begun; `waiting`: for the next attempt, the end of a sleep, or an event; the others are
   * final.
   */
  state: 'running' | 'waiting' | 'done' | 'failed';
  attempts: number;
  /** When it continues, or its wait times out. */
  due: number | null;
}

export interface InstanceRecord {
  readonly status: WorkflowStatus;
  readonly created: number;
  readonly pausedSince: number | null;
  readonly ended: number | null;
}

export interface WorkflowEventRecord {
  readonly type: string;
  readonly payload: unknown;
  readonly timestamp: Date;
}

const schema = `
  CREATE TABLE instance (
    status TEXT NOT NULL, created INTEGER NOT NULL, payload BLOB NOT NULL, paused_since INTEGER, ended INTEGER,
    output BLOB, error TEXT);
  CREATE TABLE steps (
    number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
    state TEXT NOT NULL, attempts INTEGER NOT NULL, began INTEGER NOT NULL, ended INTEGER, due INTEGER, event TEXT,
    output BLOB, error TEXT);
  CREATE TABLE events (
    number INTEGER PRIMARY KEY, type TEXT NOT NULL, timestamp INTEGER NOT NULL, payload BLOB NOT NULL);
`;

type WorkflowStorage = DurableObjectState['storage'];

export class WorkflowRecords {
  readonly #sql: WorkflowStorage['sql'];
  #exists: boolean;

  constructor(storage: WorkflowStorage) {
    this.#sql = storage.sql;
    // Looking up an id stores nothing on disk.
    this.#exists = this.#one("SELECT 1 FROM sqlite_schema WHERE name = 'instance'") !== undefined;
  }

  get exists(): boolean {
    return this.#exists;
  }

  create(payload: unknown): void {
    const encoded = encodeValue(payload);
    this.#sql.exec(schema);
    this.#sql.exec(
      "INSERT INTO instance (status, created, payload) VALUES ('queued', ?, ?)",
      Date.now(),
      encoded,
    );
    this.#exists = true;
  }

  /** Its data was deleted. */
  forget(): void {
    this.#exists = false;
  }

  instance(): InstanceRecord {
    return this.#one<{
      status: WorkflowStatus;
      created: number;
      pausedSince: number | null;
      ended: number | null;
    }>('SELECT status, created, paused_since AS pausedSince, ended FROM instance')!;
  }

  payload(): unknown {
    return decode(this.#one<{ payload: ArrayBuffer }>('SELECT payload FROM instance')!.payload);
  }

  outcome(): { readonly output: unknown; readonly error: ErrorRecord | undefined } {
    const { output, error } = this.#one<{ output: ArrayBuffer | null; error: string | null }>(
      'SELECT output, error FROM instance',
    )!;
    return {
      output: output === null ? null : decode(output),
      error: error === null ? undefined : (JSON.parse(error) as ErrorRecord),
    };
  }

  setStatus(status: WorkflowStatus): void {
    const pausedSince = status === 'paused' ? Date.now() : null;
    this.#sql.exec('UPDATE instance SET status = ?, paused_since = ?', status, pausedSince);
  }

  complete(output: unknown): void {
    const encoded = output === undefined ? null : encodeValue(output);
    this.#sql.exec("UPDATE instance SET status = 'complete', ended = ?, output = ?", Date.now(), encoded);
  }

  fail(error: ErrorRecord): void {
    const text = JSON.stringify(error);
    this.#sql.exec("UPDATE instance SET status = 'errored', ended = ?, error = ?", Date.now(), text);
  }

  get canRollBack(): boolean {
    return this.#one("SELECT 1 FROM steps WHERE kind = 'rollback' LIMIT 1") !== undefined;
  }

  /** Its steps are being undone, because it failed with this error; undefined if it was terminated. */
  beginRollback(error: ErrorRecord | undefined): void {
    const text = error === undefined ? null : JSON.stringify(error);
    this.#sql.exec("UPDATE instance SET status = 'rollingBack', paused_since = NULL, error = ?", text);
  }

  terminate(): void {
    this.#sql.exec("UPDATE instance SET status = 'terminated', ended = ?", Date.now());
  }

  /** Resets it to its initial state, with the results of the steps before `number`. */
  rewind(number: number): void {
    this.#sql.exec("DELETE FROM steps WHERE number >= ? OR kind = 'rollback'", number);
    this.#sql.exec('DELETE FROM events');
    this.#sql.exec(
      "UPDATE instance SET status = 'queued', paused_since = NULL, ended = NULL, output = NULL, error = NULL",
    );
  }

  /** Delays everything that waits. */
  postpone(ms: number): void {
    this.#sql.exec("UPDATE steps SET due = due + ? WHERE state = 'waiting'", ms);
  }

  /** The steps by kind, name and count. */
  steps(): Map<string, StepRecord> {
    const rows = this.#sql.exec<{
      number: number;
      kind: StepKind;
      name: string;
      count: number;
      state: StepRecord['state'];
      attempts: number;
      due: number | null;
    }>('SELECT number, kind, name, count, state, attempts, due FROM steps ORDER BY number');
    return new Map(
      Array.from(rows, ({ kind, name, count, ...record }) => [keyOf(kind, name, count), record] as const),
    );
  }

  findStep(kind: StepKind, name: string, count: number): number | undefined {
    return this.#one<{ number: number }>(
      'SELECT number FROM steps WHERE kind = ? AND name = ? AND count = ?',
      kind,
      name,
      count,
    )?.number;
  }

  addStep(
    about: { readonly kind: StepKind; readonly name: string; readonly count: number },
    { state, attempts, due, event = null }: Omit<StepRecord, 'number'> & { readonly event?: string | null },
  ): StepRecord {
    const { number } = this.#one<{ number: number }>(
      `INSERT INTO steps (kind, name, count, state, attempts, began, due, event) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       RETURNING number`,
      about.kind,
      about.name,
      about.count,
      state,
      attempts,
      Date.now(),
      due,
      event,
    )!;
    return { number, state, attempts, due };
  }

  beginAttempt(step: StepRecord): void {
    step.attempts += 1;
    step.state = 'running';
    this.#sql.exec(
      "UPDATE steps SET state = 'running', due = NULL, attempts = ? WHERE number = ?",
      step.attempts,
      step.number,
    );
  }

  /** The attempt has failed; another one follows. */
  awaitAttempt(step: StepRecord, due: number, error: ErrorRecord): void {
    step.state = 'waiting';
    step.due = due;
    this.#sql.exec(
      "UPDATE steps SET state = 'waiting', due = ?, error = ? WHERE number = ?",
      due,
      JSON.stringify(error),
      step.number,
    );
  }

  finishStep(step: StepRecord, output: Uint8Array | null): void {
    step.state = 'done';
    this.#sql.exec(
      "UPDATE steps SET state = 'done', ended = ?, due = NULL, error = NULL, output = ? WHERE number = ?",
      Date.now(),
      output,
      step.number,
    );
  }

  failStep(step: StepRecord, error: ErrorRecord): void {
    step.state = 'failed';
    this.#sql.exec(
      "UPDATE steps SET state = 'failed', ended = ?, due = NULL, error = ? WHERE number = ?",
      Date.now(),
      JSON.stringify(error),
      step.number,
    );
  }

  outputOf({ number }: StepRecord): unknown {
    const { output } = this.#one<{ output: ArrayBuffer | null }>(
      'SELECT output FROM steps WHERE number = ?',
      number,
    )!;
    return output === null ? undefined : decode(output);
  }

  errorOf({ number }: StepRecord): ErrorRecord {
    const { error } = this.#one<{ error: string }>('SELECT error FROM steps WHERE number = ?', number)!;
    return JSON.parse(error) as ErrorRecord;
  }

  addEvent({ type, payload, timestamp }: WorkflowEventRecord): void {
    this.#sql.exec(
      'INSERT INTO events (type, timestamp, payload) VALUES (?, ?, ?)',
      type,
      timestamp.getTime(),
      encodeValue(payload),
    );
  }

  /** Passes the oldest event of the type to the step. */
  takeEvent(step: StepRecord, type: string): WorkflowEventRecord | undefined {
    const found = this.#one<{ number: number; timestamp: number; payload: ArrayBuffer }>(
      'SELECT number, timestamp, payload FROM events WHERE type = ? ORDER BY number LIMIT 1',
      type,
    );
    if (found === undefined) return undefined;
    const event = { payload: decode(found.payload), timestamp: new Date(found.timestamp), type };
    this.#sql.exec('DELETE FROM events WHERE number = ?', found.number);
    this.finishStep(step, encodeValue(event));
    return event;
  }

  /** When the next of the waiting steps continues; null if there is none. */
  nextDue(): number | null {
    return this.#one<{ due: number | null }>("SELECT min(due) AS due FROM steps WHERE state = 'waiting'")!
      .due;
  }

  #one<Row extends Record<string, string | number | ArrayBuffer | null>>(
    query: string,
    ...bindings: unknown[]
  ): Row | undefined {
    return this.#sql.exec<Row>(query, ...bindings).toArray()[0];
  }
}

export function keyOf(kind: StepKind, name: string, count: number): string {
  return `${kind} ${count} ${name}`;
}

function decode(bytes: ArrayBuffer): unknown {
  return decodeValue(new Uint8Array(bytes));
}
