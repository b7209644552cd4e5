/** The open database of an object in this process. A parked one has no open handle; its file is complete. */
import type { SqlDatabase } from '#sqlite';
import type { ControlStatements } from './control-statements.ts';
import type { HiddenTables } from './hidden-tables.ts';

export interface OpenHandle {
  readonly state: 'open';
  readonly database: SqlDatabase;
  readonly control: ControlStatements;
  /** Set on their first use. */
  hidden?: HiddenTables;
}

export type SqlHandle =
  | {
      readonly state: 'parked';
      /** The settings of the handle that was parked last. */
      readonly settings: readonly string[];
    }
  | OpenHandle
  | { readonly state: 'closed' };
