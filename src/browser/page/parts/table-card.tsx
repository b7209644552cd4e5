/** A card with the rows of a read: its buttons, its table, and its empty state. */
import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { Resource } from './reading/resource.tsx';
import type { Readable } from './reading/together.ts';

interface TableCardProps<Row> extends Omit<DataTableProps<Row>, 'label' | 'rows'> {
  readonly title: string;
  /** The name of the table, if it is not the title. */
  readonly label?: string;
  /** The rows, or the read of them. */
  readonly of: readonly Row[] | Readable<readonly Row[]>;
  /** Its height in rows while it is pending. */
  readonly rows?: number;
  readonly actions?: ReactNode;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
}

export function TableCard<Row>(props: TableCardProps<Row>) {
  const { title, label = title, of, rows, actions, empty, ...table } = props;
  return (
    <Card title={title} actions={actions}>
      <Resource of={'refetch' in of ? of : { data: of, error: null, refetch: () => {} }} {...{ rows, empty }}>
        {(all) => <DataTable {...table} label={label} rows={all} />}
      </Resource>
    </Card>
  );
}
