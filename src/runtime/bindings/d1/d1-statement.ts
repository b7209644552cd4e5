/** The result of `prepare()`: an SQL text, and the values that are bound to it. */
import type { D1Query, D1Rows, D1Value } from './d1-object.ts';

/** Runs queries in one transaction, and throws D1's error if one of them fails. */
export type RunQueries = (queries: readonly D1Query[]) => Promise<readonly D1Rows[]>;

export interface D1Result {
  readonly success: true;
  readonly meta: D1Rows['meta'];
  readonly results: readonly object[];
}

export class D1PreparedStatement {
  readonly statement: string;
  readonly params: readonly D1Value[];
  readonly #run: RunQueries;

  constructor(run: RunQueries, statement: string, params: readonly D1Value[] = []) {
    this.#run = run;
    this.statement = statement;
    this.params = params;
  }

  bind(...values: unknown[]): D1PreparedStatement {
    return new D1PreparedStatement(this.#run, this.statement, values.map(toD1Value));
  }

  async first(column?: string): Promise<unknown> {
    const [row] = toResult(await this.#rows()).results as Record<string, unknown>[];
    if (row === undefined) return null;
    if (column === undefined) return row;
    const value = row[column];
    if (value === undefined)
      throw createD1Error('D1_COLUMN_NOTFOUND', `Column not found (${column})`, 'Column not found');
    return value;
  }

  async run(): Promise<D1Result> {
    return await this.all();
  }

  async all(): Promise<D1Result> {
    return toResult(await this.#rows());
  }

  async raw(options?: { readonly columnNames?: boolean }): Promise<unknown[]> {
    const { columns, rows } = await this.#rows();
    return options?.columnNames === true ? [columns, ...rows] : [...rows];
  }

  async #rows(): Promise<D1Rows> {
    const [rows] = await this.#run([toQuery(this)]);
    return rows!;
  }
}

export function toQuery({ statement, params }: D1PreparedStatement): D1Query {
  return { sql: statement, params };
}

export function toResult({ columns, rows, meta }: D1Rows): D1Result {
  const results = rows.map((row) => Object.fromEntries(row.map((value, at) => [columns[at]!, value])));
  return { success: true, meta, results };
}

function toD1Value(value: unknown): D1Value {
  switch (typeof value) {
    case 'number':
      // As JSON represents it: without NaN and negative zero.
      return Number.isFinite(value) ? value + 0 : null;
    case 'string':
      return value;
    case 'boolean':
      return value ? 1 : 0;
    case 'object': {
      const bytes = toByteList(value);
      if (bytes !== undefined) return bytes;
    }
  }
  throw createD1Error('D1_TYPE_ERROR', `Type '${typeof value}' not supported for value '${String(value)}'`);
}

function toByteList(value: object | null): readonly number[] | null | undefined {
  if (value === null) return null;
  if (Array.isArray(value)) return value.every(isByte) ? [...value] : undefined;
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  if (ArrayBuffer.isView(value) && Symbol.iterator in value) return [...(value as Uint8Array)].map(Number);
  return undefined;
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < 256;
}

/** The errors of D1: a code before the text, and the text alone as the cause. */
type D1ErrorCode = 'D1_ERROR' | 'D1_EXEC_ERROR' | 'D1_DUMP_ERROR' | 'D1_TYPE_ERROR' | 'D1_COLUMN_NOTFOUND';

export function createD1Error(code: D1ErrorCode, text: string, cause: string = text): Error {
  return new Error(`${code}: ${text}`, { cause: new Error(cause) });
}
