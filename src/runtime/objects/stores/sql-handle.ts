/** What this process has of the database of an object. A parked one has no open handle; its file is complete. */
import type { SqlDatabase } from '#sqlite';
import type { ControlStatements } from './control-statements.ts';
import type { HiddenTables } from './hidden-tables.ts';

export interface OpenHandle {
  readonly state: 'open';
  readonly database: SqlDatabase;
  readonly control: ControlStatements;
  /** From their first use on. */
  hidden?: HiddenTables;
}

export type SqlHandle =
  | {
      readonly state: 'parked';
      /** What the handle that was parked last had set. */
      readonly settings: readonly string[];
    }
  | OpenHandle
  | { readonly state: 'closed' };
