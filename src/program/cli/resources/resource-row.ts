/** A row of the table of commands that call one operation of the API. Everything else follows from the operation. */
import type { OperationId } from '#contract';

export interface ResourceRow {
  /** The group and the verb, as they are typed. */
  readonly name: `${string} ${string}`;
  readonly operation: OperationId;
  /** The same for the account: of a zone's operation, if `account` is typed instead of a zone; else with `--account`. */
  readonly accountOperation?: OperationId;
  /** Fields of an item that the table shows, with dots for inner ones. */
  readonly columns?: readonly string[];
  /** Lists in a single result that are shown as tables below it. */
  readonly tables?: Readonly<Record<string, readonly string[]>>;
  /** Options for inner fields of the body, by their name: `{ expression: 'filter.expression' }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /**
   * The operation replaces a thing as a whole: what the options do not name is sent back as this operation reads it. Of a
   * list named `within`, it is the item whose id is the last part of the path.
   */
  readonly current?: { readonly operation: OperationId; readonly within?: string };
  /** A whole document: as a body it comes from `--file` only, as a result it is printed as JSON. */
  readonly isDocument?: boolean;
  /** So many items unless `--limit` says otherwise. All of them if not given. */
  readonly limit?: number;
  /** What happens, if it is so drastic that the command line has to say `--yes`. */
  readonly danger?: string;
}

/** A group of commands, which the overview shows as one line. */
export interface ResourceFamily {
  readonly summary: string;
  readonly rows: readonly ResourceRow[];
}
