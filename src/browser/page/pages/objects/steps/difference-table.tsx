/** The stored value of each place before and after; differences are marked. */
import type { Result } from '#client';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { LongText } from '../long-text.tsx';

type Difference = Result<'objects.compare'>['differences'][number];

export interface ShownDifference extends Difference {
  /** The object, if there are several. */
  readonly object?: string;
}

const where: readonly Column<ShownDifference>[] = [
  {
    title: 'Stored',
    cell: ({ kind, table, key }) => (
      <>
        <span className="soft">{kind}</span>{' '}
        {kind !== 'alarm' && (
          <span className="mono wrap">{table === undefined ? key : `${table} ${key}`}</span>
        )}
      </>
    ),
  },
  { title: 'Before', kind: 'mono', cell: ({ before }) => <Shown text={before} /> },
  {
    title: 'After',
    kind: 'mono',
    cell: (row) => <Shown text={row.after} isNew={row.after !== row.before} />,
  },
];

const withObject: readonly Column<ShownDifference>[] = [
  { title: 'Object', cell: ({ object }) => object },
  ...where,
];

export function DifferenceTable({ rows }: { readonly rows: readonly ShownDifference[] }) {
  return (
    <DataTable
      label="Storage before and after"
      className="scrolling"
      columns={rows.some(({ object }) => object !== undefined) ? withObject : where}
      rows={rows}
      keyOf={({ object = '', kind, table = '', key }) => JSON.stringify([object, kind, table, key])}
      rowClass={({ before, after }) => (before === after ? undefined : 'marked')}
    />
  );
}

function Shown({ text, isNew = false }: { readonly text: string | undefined; readonly isNew?: boolean }) {
  if (text === undefined) return <span className="soft">nothing</span>;
  return (
    <>
      {isNew && <span className="visually-hidden">changed: </span>}
      <LongText text={text} />
    </>
  );
}
