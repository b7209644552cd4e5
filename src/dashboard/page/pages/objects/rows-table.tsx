/** Rows of a table or of a query. Everything in them is text, whoever wrote it. */
import { LongText } from './long-text.tsx';
import type { Cell, ObjectRows } from './object-queries.ts';

interface RowsTableProps {
  readonly label: string;
  readonly rows: ObjectRows;
  /** Rows that the other side does not have. */
  readonly marked?: ReadonlySet<string>;
  readonly mark?: string;
}

export function RowsTable({
  label,
  rows: { columns, rows, has_more: hasMore },
  marked,
  mark,
}: RowsTableProps) {
  if (rows.length === 0) return <p className="soft">No rows.</p>;
  return (
    <>
      <div className="table-frame objects-rows" role="region" aria-label={label} tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={index} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => {
              const isMarked = marked?.has(JSON.stringify(row)) ?? false;
              return (
                <tr key={index} className={isMarked ? 'objects-marked' : undefined}>
                  {row.map((cell, column) => (
                    <td key={column} className="mono">
                      {isMarked && column === 0 && <span className="visually-hidden">{mark}: </span>}
                      <CellText cell={cell} />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {hasMore && (
        <p className="soft">
          There are more rows. Narrow the query with WHERE, or read on with LIMIT and OFFSET.
        </p>
      )}
    </>
  );
}

function CellText({ cell }: { readonly cell: Cell }) {
  if (cell === null) return <span className="soft">NULL</span>;
  return <LongText text={String(cell)} />;
}

/** The rows of `one` that `other` does not have, as JSON. */
export function findMissing(one: ObjectRows, other: ObjectRows): Set<string> {
  const there = new Set(other.rows.map((row) => JSON.stringify(row)));
  return new Set(one.rows.map((row) => JSON.stringify(row)).filter((row) => !there.has(row)));
}
