/** What can be asked of a copy of an object's database, and what comes back. */
export type CopyQuestion =
  | { readonly kind: 'tables' }
  | { readonly kind: 'values'; readonly prefix: string; readonly limit: number }
  | { readonly kind: 'query'; readonly sql: string; readonly limit: number }
  /** Only to hide the secrets in the file. */
  | { readonly kind: 'export' };

export interface CopyTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly string[];
}

export interface CopyValue {
  readonly key: string;
  readonly shown: string;
}

export interface CopyRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly has_more: boolean;
}

export interface CopyAnswers {
  readonly tables: readonly CopyTable[];
  readonly values: readonly CopyValue[];
  readonly query: CopyRows;
  readonly export: true;
}
