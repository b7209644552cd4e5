import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { isNativeError, toSqlError } from './errors.ts';
import type { StatementSync } from './run/native-statement.ts';

/** How the rows of a trusted statement are returned. */
export interface TrustedOptions {
  readonly arrays?: boolean;
  readonly bigInts?: boolean;
}

export type TrustedRow = Record<string, SQLOutputValue>;

interface TrustedHooks {
  readonly before: (() => void) | undefined;
  readonly after: (() => void) | undefined;
  readonly onFailure: (error: unknown) => void;
  /** Called before a read; returns a function to call when the read has ended. */
  readonly keepState: (() => (() => void) | undefined) | undefined;
}

/**
 * A trusted statement, compiled without the guard: on the reserved tables, or to begin and end transactions. It is used
 * in place of a `StatementSync` so that runs of the object's SQL that still wait for their first row are settled before
 * the database changes.
 */
export class TrustedStatement {
  readonly #handle: StatementSync;
  readonly #before: TrustedHooks['before'];
  readonly #after: TrustedHooks['after'];
  readonly #onFailure: TrustedHooks['onFailure'];
  readonly #keepState: TrustedHooks['keepState'];

  constructor(handle: StatementSync, { before, after, onFailure, keepState }: TrustedHooks) {
    this.#keepState = keepState;
    this.#handle = handle;
    this.#before = before;
    this.#after = after;
    this.#onFailure = onFailure;
  }

  /** The number of changes is not returned: no caller needs it. */
  run(...values: SQLInputValue[]): void {
    this.#before?.();
    try {
      this.#handle.run(...values);
    } catch (error) {
      throw this.#report(error);
    } finally {
      this.#after?.();
    }
  }

  /**
   * Like `run` for a statement without rows whose number of changes does not matter: returning it is half the cost of a
   * small one.
   */
  execute(): void {
    this.#before?.();
    try {
      this.#handle.get();
    } catch (error) {
      throw this.#report(error);
    } finally {
      this.#after?.();
    }
  }

  get<Row = TrustedRow>(...values: SQLInputValue[]): Row | undefined {
    this.#before?.();
    const restore = this.#keepState?.();
    const row = this.#handle.get(...values) as Row | undefined;
    restore?.();
    return row;
  }

  all<Row = TrustedRow>(...values: SQLInputValue[]): Row[] {
    this.#before?.();
    const restore = this.#keepState?.();
    const rows = this.#handle.all(...values) as Row[];
    restore?.();
    return rows;
  }

  iterate<Row = TrustedRow>(...values: SQLInputValue[]): IterableIterator<Row> {
    this.#before?.();
    return this.#handle.iterate(...values) as unknown as IterableIterator<Row>;
  }

  [Symbol.dispose](): void {
    this.#handle.close();
  }

  #report(error: unknown): unknown {
    const reported = isNativeError(error) ? toSqlError(error) : error;
    this.#onFailure(reported);
    return reported;
  }
}
