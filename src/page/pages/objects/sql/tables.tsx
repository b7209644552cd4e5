/** The tables of an object, of now, and of a moment beside it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Pill } from '../../../parts/pill.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { type ObjectTable, type Place, rowsQuery, tablesQuery } from '../object-queries.ts';
import { findMissing, RowsTable } from './rows-table.tsx';

interface TablesProps {
  readonly place: Place;
  readonly at: string | undefined;
}

export function TablesPart({ place, at }: TablesProps) {
  const now = useQuery(tablesQuery(place, undefined));
  const then = useQuery({ ...tablesQuery(place, at), enabled: at !== undefined });
  const [chosen, setChosen] = useState<string>();
  if (now.isPending || (at !== undefined && then.isPending)) return <Loading rows={6} />;
  const failed = [now, then].find(({ isError }) => isError);
  if (failed !== undefined) return <Failed error={failed.error} onRetry={() => void failed.refetch()} />;
  const before = at === undefined ? undefined : then.data;
  const names = [...new Set([...(now.data ?? []), ...(before ?? [])].map(({ name }) => name))].toSorted();
  if (names.length === 0) {
    return (
      <Empty title="The object has no tables">
        <p>Look at its values, or at its history.</p>
      </Empty>
    );
  }
  const table = chosen ?? names.find((name) => findTable(now.data, name)?.rows) ?? names[0]!;
  return (
    <div className="objects-split">
      <ul className="objects-tables" aria-label="Tables">
        {names.map((name) => (
          <li key={name}>
            <button type="button" aria-pressed={name === table} onClick={() => setChosen(name)}>
              <span className="mono">{name}</span>
              <Counts now={findTable(now.data, name)} then={before && findTable(before, name)} at={at} />
            </button>
          </li>
        ))}
      </ul>
      <TableRows key={table} place={place} at={at} table={table} />
    </div>
  );
}

function findTable(tables: readonly ObjectTable[] | undefined, name: string): ObjectTable | undefined {
  return tables?.find((table) => table.name === name);
}

interface CountsProps {
  readonly now: ObjectTable | undefined;
  readonly then: ObjectTable | undefined;
  readonly at: string | undefined;
}

function Counts({ now, then, at }: CountsProps) {
  const count = now?.rows ?? 0;
  if (at === undefined || then?.rows === count) return <span className="soft">{count.toLocaleString()}</span>;
  return (
    <Pill tone="info">
      {(then?.rows ?? 0).toLocaleString()} → {count.toLocaleString()}
    </Pill>
  );
}

function TableRows({ place, at, table }: TablesProps & { readonly table: string }) {
  const now = useQuery({ ...rowsQuery(place, table, undefined), retry: false });
  const then = useQuery({ ...rowsQuery(place, table, at), enabled: at !== undefined, retry: false });
  if (at === undefined) {
    return (
      <section className="objects-side" aria-label={table}>
        <h2 className="mono">{table}</h2>
        <Side query={now} label={`Rows of ${table}`} />
      </section>
    );
  }
  const isBoth = now.data !== undefined && then.data !== undefined;
  return (
    <div className="objects-beside">
      <section className="objects-side" aria-label={`${table} then`}>
        <h2>Then</h2>
        <Side
          query={then}
          label={`Rows of ${table} then`}
          marked={isBoth ? findMissing(then.data, now.data) : undefined}
          mark="Only then"
        />
      </section>
      <section className="objects-side" aria-label={`${table} now`}>
        <h2>Now</h2>
        <Side
          query={now}
          label={`Rows of ${table} now`}
          marked={isBoth ? findMissing(now.data, then.data) : undefined}
          mark="Only now"
        />
      </section>
    </div>
  );
}

interface SideProps {
  readonly query: ReturnType<typeof useQuery<Parameters<typeof RowsTable>[0]['rows']>>;
  readonly label: string;
  readonly marked?: ReadonlySet<string> | undefined;
  readonly mark?: string;
}

function Side({ query, label, marked, mark }: SideProps) {
  if (query.isError) {
    const isAbsent = query.error.message.includes('no such table');
    return isAbsent ? (
      <p className="soft">The table did not exist.</p>
    ) : (
      <Failed error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (query.data === undefined) return <Loading rows={5} />;
  return (
    <RowsTable
      label={label}
      rows={query.data}
      {...(marked === undefined ? {} : { marked })}
      {...(mark === undefined ? {} : { mark })}
    />
  );
}
