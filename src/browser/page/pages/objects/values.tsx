/** The values that an object has stored by key, decoded; current ones, and those of another moment. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { together } from '../../parts/reading/together.ts';
import { Empty, Message } from '../../parts/reading/states.tsx';
import { useSettled } from '../../parts/forms/use-settled.ts';
import { formatBytes } from '../../parts/format-bytes.ts';
import { LongText } from './long-text.tsx';
import { type ObjectValue, usePlace, valuesPerPage, valuesQuery } from './object-queries.ts';
import { AddValue, ValueActions } from './value-editor.tsx';
import { type PartProps, WritingBar } from './writing.tsx';

export function ValuesPart({ at, object, writing }: PartProps) {
  const place = usePlace();
  const [typed, setTyped] = useState('');
  const [limit, setLimit] = useState(valuesPerPage);
  const prefix = useSettled(typed);
  const now = useQuery(valuesQuery(place, prefix, undefined, limit));
  const earlier = useQuery(valuesQuery(place, prefix, at, limit));
  const canWrite = writing.isUnlocked && at === undefined;
  const isMore = Math.max(now.data?.length ?? 0, earlier.data?.length ?? 0) >= limit;
  return (
    <>
      {at === undefined && <WritingBar object={object} writing={writing} />}
      <div className="row fields">
        <TextField label="Keys that begin with" type="search" value={typed} onChange={setTyped} />
        {canWrite && <AddValue confirm={object.confirm} />}
      </div>
      <Resource of={together({ now, earlier })} rows={5}>
        {(values) => (
          <ValueTable
            now={values.now}
            earlier={at === undefined ? undefined : values.earlier}
            prefix={prefix}
            confirm={canWrite ? object.confirm : undefined}
          />
        )}
      </Resource>
      {isMore && (
        <div className="row">
          <Button isBusy={now.isFetching} onClick={() => setLimit(limit * 4)}>
            Show more keys
          </Button>
        </div>
      )}
    </>
  );
}

interface ValueTableProps {
  readonly now: readonly ObjectValue[];
  readonly earlier: readonly ObjectValue[] | undefined;
  readonly prefix: string;
  /** The confirmation of a change; undefined if changes are impossible. */
  readonly confirm: string | undefined;
}

interface ValueRow {
  readonly key: string;
  readonly now: ObjectValue | undefined;
  readonly earlier: ObjectValue | undefined;
}

function ValueTable({ now, earlier, prefix, confirm }: ValueTableProps) {
  const { class_name: className, object } = usePlace();
  const rows = [...new Set([...now, ...(earlier ?? [])].map(({ key }) => key))].toSorted().map((key) => ({
    key,
    now: now.find((value) => value.key === key),
    earlier: earlier?.find((value) => value.key === key),
  }));
  if (rows.length === 0) {
    if (prefix !== '') return <Message title="No key has this prefix">Shorten it to see more keys.</Message>;
    return (
      <Empty
        title="No value is stored by key"
        command={`gatehouse objects put ${className} ${object} KEY '"value"'`}
      >
        The data of the object is in its tables.
      </Empty>
    );
  }
  const columns: readonly (Column<ValueRow> | false)[] = [
    { title: 'Key', kind: 'mono', cell: ({ key }) => key },
    earlier !== undefined && { title: 'Then', kind: 'mono', cell: (row) => <Shown value={row.earlier} /> },
    {
      title: earlier === undefined ? 'Value' : 'Now',
      kind: 'mono',
      cell: (row) => <Shown value={row.now} />,
    },
    { title: 'Type', cell: (row) => <span className="soft">{row.now?.type}</span> },
    { title: 'Size', kind: 'number', cell: (row) => row.now && formatBytes(row.now.bytes) },
    confirm !== undefined && {
      title: 'Actions',
      kind: 'actions',
      cell: ({ key }) => <ValueActions valueKey={key} confirm={confirm} />,
    },
  ];
  return (
    <DataTable
      label="Values"
      className="scrolling"
      columns={columns.filter((column) => column !== false)}
      rows={rows}
      keyOf={({ key }) => key}
      rowClass={(row) =>
        earlier !== undefined && row.now?.shown !== row.earlier?.shown ? 'marked' : undefined
      }
    />
  );
}

function Shown({ value }: { readonly value: ObjectValue | undefined }) {
  return value === undefined ? <span className="soft">none</span> : <LongText text={value.shown} />;
}
