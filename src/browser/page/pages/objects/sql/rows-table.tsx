/**
 * Rows of a table or of a query. All of it is shown as text, whatever its source. Of many rows, only the visible ones
 * are in the document.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { LongText } from '../long-text.tsx';
import type { ObjectRows } from '../object-queries.ts';
import { TableHead, toCardTitle } from '../../../parts/data-table.tsx';
import { joinClasses } from '../../../parts/join-classes.ts';
import { useIsNarrow } from '../../../parts/use-width.ts';

interface RowsTableProps {
  readonly label: string;
  readonly rows: ObjectRows;
  /** Rows that the other side lacks. */
  readonly marked?: ReadonlySet<string> | undefined;
  readonly mark?: string | undefined;
}

const rowHeight = 31;

export function RowsTable({
  label,
  rows: { columns, rows, has_more: hasMore },
  marked,
  mark,
}: RowsTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  const hasCards = useIsNarrow();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 30,
  });
  if (rows.length === 0) return <p className="soft">No rows.</p>;
  const visible = virtualizer.getVirtualItems();
  const above = visible[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (visible.at(-1)?.end ?? 0);
  return (
    <>
      <div
        ref={frame}
        className={joinClasses('table-frame scrolling objects-rows', hasCards && 'table-cards')}
        role="region"
        aria-label={label}
        tabIndex={0}
      >
        <table className="table" role="table" aria-rowcount={rows.length + 1}>
          <TableHead columns={columns.map((title) => ({ title }))} />
          <tbody role="rowgroup">
            <Gap height={above} />
            {visible.map(({ index }) => {
              const row = rows[index]!;
              const isMarked = marked?.has(JSON.stringify(row)) ?? false;
              return (
                <tr
                  key={index}
                  role="row"
                  ref={virtualizer.measureElement}
                  data-index={index}
                  aria-rowindex={index + 2}
                  className={isMarked ? 'marked' : undefined}
                >
                  {row.map((cell, column) => (
                    <td
                      key={column}
                      role="cell"
                      className="mono"
                      data-title={toCardTitle({ title: columns[column] })}
                    >
                      {isMarked && column === 0 && <span className="visually-hidden">{mark}: </span>}
                      {cell === null ? <span className="soft">NULL</span> : <LongText text={String(cell)} />}
                    </td>
                  ))}
                </tr>
              );
            })}
            <Gap height={below} />
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

/** Takes the space of the rows outside of the document. */
function Gap({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return <tr aria-hidden="true" style={{ height }} />;
}

/** The rows of `one` that `other` lacks, as JSON. */
export function findMissing(one: ObjectRows, other: ObjectRows): Set<string> {
  const there = new Set(other.rows.map((row) => JSON.stringify(row)));
  return new Set(one.rows.map((row) => JSON.stringify(row)).filter((row) => !there.has(row)));
}
