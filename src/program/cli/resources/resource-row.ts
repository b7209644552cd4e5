/** A row of the table of commands that call one operation of the API. Everything else follows from the operation. */
import type { OperationId } from '#contract';

export interface ResourceRow {
  /** The group and the verb, as the user types them. */
  readonly name: `${string} ${string}`;
  readonly operation: OperationId;
  /**
   * The same for the account: for a zone's operation, if `account` is typed instead of a zone; otherwise with
   * `--account`.
   */
  readonly accountOperation?: OperationId;
  /** Fields of an item in the table, with dots for nested ones. */
  readonly columns?: readonly string[];
  /** Lists in a single result that are shown as tables below it. */
  readonly tables?: Readonly<Record<string, readonly string[]>>;
  /** Options for nested fields of the body, by option name: `{ expression: 'filter.expression' }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /**
   * The operation replaces a resource as a whole: fields without an option are sent back as this operation returns
   * them. If `within` names a list, the resource is the item whose id is the last part of the path.
   */
  readonly current?: { readonly operation: OperationId; readonly within?: string };
  /** A complete document: as a body it is only read from `--file`, as a result it is printed as JSON. */
  readonly isDocument?: boolean;
  /** The default of `--limit`. If absent, all items. */
  readonly limit?: number;
  /** The consequence, if it is so drastic that the command requires `--yes`. */
  readonly danger?: string;
}

/** A group of commands that the overview shows as one line. */
export interface ResourceFamily {
  readonly summary: string;
  readonly rows: readonly ResourceRow[];
}

type WrittenRow = Omit<ResourceRow, 'name' | 'accountOperation' | 'columns' | 'tables'> & {
  /** Separated by spaces. */
  readonly columns?: string;
  readonly tables?: Readonly<Record<string, string>>;
};

/**
 * The commands of a group, by verb: an operation, or a row. `account` is the first word of the account's operations, if
 * they are the same.
 */
export function family(
  group: string,
  summary: string,
  written: Readonly<Record<string, OperationId | WrittenRow>>,
  { account }: { readonly account?: string } = {},
): ResourceFamily {
  const rows = Object.entries(written).map(([verb, row]): ResourceRow => {
    const { columns, tables, ...rest } = typeof row === 'string' ? { operation: row } : row;
    const accountOperation = `${account}.${rest.operation.split('.')[1]}` as OperationId;
    return {
      name: `${group} ${verb}`,
      ...rest,
      ...(account === undefined ? {} : { accountOperation }),
      ...(columns === undefined ? {} : { columns: columns.split(' ') }),
      ...(tables === undefined
        ? {}
        : {
            tables: Object.fromEntries(
              Object.entries(tables).map(([name, shown]) => [name, shown.split(' ')]),
            ),
          }),
    };
  });
  return { summary, rows };
}
