/**
 * A table: its columns define how a row is shown. On a phone, and wherever its columns do not fit, each row is a card:
 * nothing is cut off. The style sheet does that, and browsers then drop the table semantics: so the roles restore them.
 */
import { Fragment, type ReactNode, useRef, useState } from 'react';
import { joinClasses } from './join-classes.ts';
import { useIsNarrow, useOverflows } from './use-width.ts';

export interface Column<Row> {
  readonly title: ReactNode;
  readonly cell: (row: Row, index: number) => ReactNode;
  /** Numbers are right-aligned. Only screen readers need the title of a column of buttons. */
  readonly kind?: 'number' | 'mono' | 'actions' | undefined;
  /** The label of the button that opens and closes the details of a row; it is placed before the cell. */
  readonly opens?: (row: Row) => ReactNode;
}

export interface DataTableProps<Row> {
  /** The content of the table, for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** What identifies a row: by default its id, or its place if it has none. */
  readonly keyOf?: (row: Row, index: number) => string | number;
  /** An additional class of the frame. */
  readonly className?: string;
  readonly rowClass?: (row: Row) => string | undefined;
  /** Shown below an open row. */
  readonly details?: (row: Row) => ReactNode;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, className, columns, rows, keyOf = getId, ...others } = props;
  const frame = useRef<HTMLDivElement>(null);
  const hasCards = [useIsNarrow(), useOverflows(frame)].includes(true);
  return (
    <div
      ref={frame}
      className={joinClasses('table-frame', hasCards && 'table-cards', className)}
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className="table" role="table">
        <TableHead columns={columns} />
        <tbody role="rowgroup">
          {rows.map((row, index) => (
            <TableRow key={keyOf(row, index)} {...{ columns, row, index }} {...others} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function getId(row: unknown, index: number): string | number {
  return (row as { readonly id?: string | number }).id ?? index;
}

type Head = Pick<Column<never>, 'title' | 'kind'>;

export function TableHead({ columns }: { readonly columns: readonly Head[] }) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {columns.map(({ title, kind }, index) => (
          <th key={index} role="columnheader" scope="col" className={kind === 'number' ? kind : undefined}>
            {kind === 'actions' ? <span className="visually-hidden">{title}</span> : title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The title beside a value where columns do not fit. Buttons have labels of their own. */
export function toCardTitle({ title, kind }: Head): string | undefined {
  return typeof title === 'string' && title !== '' && kind !== 'actions' ? title : undefined;
}

interface TableRowProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'rowClass' | 'details'> {
  readonly row: Row;
  readonly index: number;
}

function TableRow<Row>({ row, index, columns, rowClass, details }: TableRowProps<Row>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <tr role="row" className={rowClass?.(row)}>
        {columns.map(({ title, kind, cell, opens }, column) => (
          <td
            key={column}
            role="cell"
            className={kind}
            data-title={column === 0 ? undefined : toCardTitle({ title, kind })}
          >
            {opens !== undefined && (
              <button
                type="button"
                className="opener"
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                {opens(row)}
              </button>
            )}
            <Fragment>{cell(row, index)}</Fragment>
          </td>
        ))}
      </tr>
      {isOpen && (
        <tr role="row" className="table-details">
          <td role="cell" colSpan={columns.length}>
            {details?.(row)}
          </td>
        </tr>
      )}
    </>
  );
}
