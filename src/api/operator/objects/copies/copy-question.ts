/** The queries of a copy of an object's database, and their results. */
export type CopyQuestion =
  | { readonly kind: 'tables' }
  | { readonly kind: 'values'; readonly prefix: string; readonly after: string; readonly limit: number }
  | { readonly kind: 'value'; readonly key: string }
  | { readonly kind: 'query'; readonly sql: string; readonly limit: number }
  /** The differences since `from`, the file of an earlier copy of the same object; undefined for an empty one. */
  | { readonly kind: 'differences'; readonly from: string | undefined; readonly limit: number }
  /** Writes to the copy, to see whether the object would accept the write, and how long it takes. */
  | { readonly kind: 'rehearsal'; readonly sql: string; readonly limit: number }
  /** Only hides the secrets in the file. */
  | { readonly kind: 'export' };

export interface CopyTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly string[];
}

export interface CopyRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly has_more: boolean;
}

export interface Difference {
  readonly kind: 'value' | 'row' | 'table' | 'alarm';
  readonly table?: string;
  readonly key: string;
  readonly before?: string;
  readonly after?: string;
}

export interface CopyDifferences {
  readonly differences: readonly Difference[];
  readonly has_more: boolean;
}

export interface ListedValue {
  readonly key: string;
  readonly type: string;
  readonly bytes: number;
  readonly shown: string;
}

/** A value that can be edited: with the version that shows whether it has changed, and as JSON if possible. */
export interface WholeValue extends ListedValue {
  readonly version: string;
  readonly json?: string;
}

export interface CopyAnswers {
  readonly tables: readonly CopyTable[];
  readonly values: readonly ListedValue[];
  readonly value: WholeValue | null;
  readonly query: CopyRows;
  readonly differences: CopyDifferences;
  readonly rehearsal: CopyRows;
  readonly export: true;
}
