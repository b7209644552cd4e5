/** The tables of an object, currently and at another moment. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Pill } from '../../../parts/pill.tsx';
import { Resource } from '../../../parts/reading/resource.tsx';
import { together } from '../../../parts/reading/together.ts';
import { Empty } from '../../../parts/reading/states.tsx';
import { type ObjectRows, type ObjectTable, rowsQuery, tablesQuery, usePlace } from '../object-queries.ts';
import { findMissing, RowsTable } from './rows-table.tsx';

interface AtProps {
  /** The moment that is compared with the current state. */
  readonly at: string | undefined;
}

export function TablesPart({ at }: AtProps) {
  const place = usePlace();
  const now = useQuery(tablesQuery(place, undefined));
  const earlier = useQuery(tablesQuery(place, at));
  return (
    <Resource of={together({ now, earlier })} rows={6}>
      {(tables) => <Tables {...tables} at={at} />}
    </Resource>
  );
}

interface TablesProps extends AtProps {
  readonly now: readonly ObjectTable[];
  /** The same as the current ones, if there is no other moment. */
  readonly earlier: readonly ObjectTable[];
}

function Tables({ now, earlier, at }: TablesProps) {
  const [chosen, setChosen] = useState<string>();
  const names = [...new Set([...now, ...earlier].map(({ name }) => name))].toSorted();
  const find = (tables: readonly ObjectTable[], name: string): ObjectTable | undefined =>
    tables.find((table) => table.name === name);
  const countRows = (tables: readonly ObjectTable[], name: string): number => find(tables, name)?.rows ?? 0;
  const { class_name: className, object } = usePlace();
  if (names.length === 0) {
    return (
      <Empty title="The object has no tables" command={`gatehouse objects get ${className} ${object}`}>
        Check its values or its history.
      </Empty>
    );
  }
  const table = chosen ?? names.find((name) => countRows(now, name) > 0) ?? names[0]!;
  return (
    <div className="objects-split">
      <ul className="list scrolling" aria-label="Tables">
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              className="objects-table"
              aria-pressed={name === table}
              onClick={() => setChosen(name)}
            >
              <span className="mono">{name}</span>
              <Counts now={countRows(now, name)} earlier={countRows(earlier, name)} />
            </button>
          </li>
        ))}
      </ul>
      <TableRows
        key={table}
        at={at}
        table={table}
        isNow={find(now, table) !== undefined}
        wasThen={find(earlier, table) !== undefined}
      />
    </div>
  );
}

function Counts({ now, earlier }: { readonly now: number; readonly earlier: number }) {
  if (now === earlier) return <span className="soft">{now.toLocaleString()}</span>;
  return (
    <Pill tone="info">
      {earlier.toLocaleString()} → {now.toLocaleString()}
    </Pill>
  );
}

interface TableRowsProps extends AtProps {
  readonly table: string;
  /** Whether the object has the table now, and had it at that moment. */
  readonly isNow: boolean;
  readonly wasThen: boolean;
}

function TableRows({ at, table, isNow, wasThen }: TableRowsProps) {
  const place = usePlace();
  const now = useQuery({ ...rowsQuery(place, table, undefined), enabled: isNow });
  const earlier = useQuery({ ...rowsQuery(place, table, at), enabled: wasThen });
  if (at === undefined) return <Side query={now} title={table} label={table} />;
  return (
    <div className="objects-beside">
      <Side
        query={wasThen ? earlier : undefined}
        other={now}
        title="Then"
        label={`${table} then`}
        mark="Only then"
      />
      <Side
        query={isNow ? now : undefined}
        other={earlier}
        title="Now"
        label={`${table} now`}
        mark="Only now"
      />
    </div>
  );
}

interface SideProps {
  /** Undefined if the table did not exist. */
  readonly query: UseQueryResult<ObjectRows> | undefined;
  /** The other side of the comparison. */
  readonly other?: UseQueryResult<ObjectRows>;
  readonly title: string;
  readonly label: string;
  /** The label of rows that the other side lacks. */
  readonly mark?: string;
}

function Side({ query, other, title, label, mark }: SideProps) {
  return (
    <section className="stack-close" aria-label={label}>
      <h2>{title}</h2>
      {query === undefined ? (
        <p className="soft">The table did not exist.</p>
      ) : (
        <Resource of={query} rows={5}>
          {(rows) => (
            <RowsTable
              label={`Rows of ${label}`}
              rows={rows}
              marked={other?.data && findMissing(rows, other.data)}
              mark={mark}
            />
          )}
        </Resource>
      )}
    </section>
  );
}
