/**
 * The result of `sql.exec`: three interfaces to one run of a statement. They share its position, so rows taken through
 * one are no longer available through the others.
 */
import { Execution } from './run/execution.ts';
import { type SqlRow, type SqlValue, toRawRow } from './rows.ts';

export class Cursor<Row extends SqlRow = SqlRow> implements Iterable<Row> {
  readonly #execution: Execution;

  constructor(execution: Execution) {
    requireExecution(execution);
    this.#execution = execution;
  }

  next(): IteratorResult<Row, undefined> {
    return nextRow(this.#execution);
  }

  /** The remaining rows. */
  toArray(): Row[] {
    const rows: unknown[] = this.#execution.takeAll();
    const { buildRow } = this.#execution.statement;
    // SQLite has just created the array: each row replaces its values.
    for (let at = 0; at < rows.length; at++) rows[at] = buildRow(rows[at] as never);
    return rows as Row[];
  }

  /** The row, if exactly one is left; throws otherwise. */
  one(): Row {
    return this.#execution.statement.buildRow(this.#execution.takeOne()) as Row;
  }

  raw<Values extends SqlValue[] = SqlValue[]>(): RawIterator<Values> {
    return new RawIterator<Values>(this.#execution);
  }

  [Symbol.iterator](): RowIterator<Row> {
    return new RowIterator<Row>(this.#execution);
  }

  get columnNames(): string[] {
    return this.#execution.statement.columnNames;
  }

  get rowsRead(): number {
    return this.#execution.countRows().read;
  }

  get rowsWritten(): number {
    return this.#execution.countRows().written;
  }

  get [Symbol.toStringTag](): string {
    return 'Cursor';
  }
}

/** Rows as objects, with the iterator helpers. */
export class RowIterator<Row extends SqlRow = SqlRow> extends Iterator<Row, undefined> {
  readonly #execution: Execution;

  constructor(execution: Execution) {
    super();
    requireExecution(execution);
    this.#execution = execution;
  }

  override next(): IteratorResult<Row, undefined> {
    return nextRow(this.#execution);
  }

  override get [Symbol.toStringTag](): string {
    return 'RowIterator';
  }
}

/** Rows as arrays of their values, with the iterator helpers. */
export class RawIterator<Values extends SqlValue[] = SqlValue[]> extends Iterator<Values, undefined> {
  readonly #execution: Execution;

  constructor(execution: Execution) {
    super();
    requireExecution(execution);
    this.#execution = execution;
  }

  override next(): IteratorResult<Values, undefined> {
    const values = this.#execution.take();
    if (values === undefined) return { done: true, value: undefined };
    return { done: false, value: toRawRow(values) as Values };
  }

  override toArray(): Values[] {
    return this.#execution.takeAll().map((values) => toRawRow(values) as Values);
  }

  /** The row, if exactly one is left; throws otherwise. */
  one(): Values {
    return toRawRow(this.#execution.takeOne()) as Values;
  }

  override get [Symbol.toStringTag](): string {
    return 'RawIterator';
  }
}

function nextRow<Row extends SqlRow>(execution: Execution): IteratorResult<Row, undefined> {
  const values = execution.take();
  if (values === undefined) return { done: true, value: undefined };
  return { done: false, value: execution.statement.buildRow(values) as Row };
}

/** An object's code can reach these classes through their instances, but must not construct them. */
function requireExecution(execution: unknown): void {
  if (!(execution instanceof Execution)) throw new TypeError('Illegal constructor');
}
