/** A table that is scrolled sideways where it is wider than the page, also by keyboard; and its head. */
import type { ReactNode } from 'react';

interface TableProps {
  /** What it is a table of, for screen readers. */
  readonly label: string;
  /** Of the frame, beside its own. */
  readonly className?: string;
  readonly children: ReactNode;
}

export function Table({ label, className, children }: TableProps) {
  return (
    <div className={`table-frame ${className ?? ''}`.trimEnd()} tabIndex={0} role="region" aria-label={label}>
      <table className="table">{children}</table>
    </div>
  );
}

type Column = string | { readonly title: string; readonly kind: 'numbers' | 'actions' };

/** A column of numbers, which are read from the right. */
export function numbers(title: string): Column {
  return { title, kind: 'numbers' };
}

/** The column of the buttons of each row. Only who does not see them needs its title. */
export const actions: Column = { title: 'Actions', kind: 'actions' };

export function TableHead({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column, index) => (
          <ColumnHead key={index} column={column} />
        ))}
      </tr>
    </thead>
  );
}

function ColumnHead({ column }: { readonly column: Column }) {
  if (typeof column === 'string') return <th scope="col">{column}</th>;
  const { title, kind } = column;
  if (kind === 'actions') {
    return (
      <th scope="col">
        <span className="visually-hidden">{title}</span>
      </th>
    );
  }
  return (
    <th scope="col" className="number">
      {title}
    </th>
  );
}
