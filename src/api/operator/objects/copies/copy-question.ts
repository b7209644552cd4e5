/** What can be asked of a copy of an object's database, and what comes back. */
export type CopyQuestion =
  | { readonly kind: 'tables' }
  | { readonly kind: 'values'; readonly prefix: string; readonly after: string; readonly limit: number }
  | { readonly kind: 'value'; readonly key: string }
  | { readonly kind: 'query'; readonly sql: string; readonly limit: number }
  /** What is different since `from`, the file of an earlier copy of the same object; undefined for one without anything. */
  | { readonly kind: 'differences'; readonly from: string | undefined; readonly limit: number }
  /** Writes into the copy, to see whether the object could be written to like this, and how long it takes. */
  | { readonly kind: 'rehearsal'; readonly sql: string; readonly limit: number }
  /** Only to hide the secrets in the file. */
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

/** A value that can be changed: with the version that says whether it still is the same, and as JSON if it has one. */
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
