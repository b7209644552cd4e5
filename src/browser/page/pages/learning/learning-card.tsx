/** What the site has learned about the values of its requests: the mode, the learned values, and deleting them. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { ConfirmButton, WriteButton } from '../../parts/forms/write-button.tsx';
import { StatePill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';

const path = '/zones/{zone_id}/learning';

/** A search finds the others. */
const shownMax = 100;

type Learning = Result<'learning.get'>;
type Learned = Result<'learning.list'>[number];

export function LearningCard() {
  const learning = useQuery(read(path, { zone_id: useZoneId() }));
  return (
    <Card title="Learned values">
      <Resource of={learning} rows={2}>
        {(state) => <Learning state={state} />}
      </Resource>
    </Card>
  );
}

function Learning({ state }: { readonly state: Learning }) {
  const zone_id = useZoneId();
  const saving = useWrite({
    write: (learning: Learning['mode']) =>
      client.put('/zones/{zone_id}/edge', { zone_id, body: { learning } }),
    done: (_, mode) => `Learning is ${mode}`,
    failed: 'The mode was not changed',
  });
  return (
    <div className="stack">
      <p className="soft">
        Learns from passed requests what the values of each path and name usually look like. With enough data,
        a likely attack in an unusual value counts as confirmed, and one in a usual value is not reported.
        Confirmed attacks are never downgraded.
      </p>
      <SelectField
        label="Learning"
        hint="Watch first: events then show what acting would have done. Values take effect after 200 requests from 20 networks and one day."
        options={{
          off: 'Off',
          watching: 'Watching: learns, and events show what it would do',
          acting: 'Acting',
        }}
        value={state.mode}
        onChange={(mode) => saving.mutate(mode)}
      />
      {state.since !== null && <LearnedValues state={state} />}
    </div>
  );
}

function LearnedValues({ state }: { readonly state: Learning }) {
  const zone_id = useZoneId();
  const [search, setSearch] = useState('');
  const values = useQuery(read(`${path}/values`, { zone_id, query: { path: search, per_page: shownMax } }));
  const said = { done: 'Forgotten', failed: 'Nothing was forgotten' };
  const columns: readonly Column<Learned>[] = [
    { title: 'Path', kind: 'mono', cell: (each) => each.path },
    { title: 'Name', kind: 'mono', cell: ({ name }) => name },
    { title: 'Where', cell: ({ place }) => place },
    { title: 'Usual', cell: ({ usual }) => usual },
    { title: 'Requests', kind: 'number', cell: ({ requests }) => requests.toLocaleString() },
    { title: 'Networks', kind: 'number', cell: ({ networks }) => networks.toLocaleString() },
    {
      title: 'State',
      cell: ({ known }) => <StatePill isOn={known} words={['known', 'learning']} />,
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (each) => (
        <WriteButton
          {...said}
          aria-label={`Forget ${each.name} on ${each.path}`}
          write={() => client.delete(path, { zone_id, query: { path: each.path, name: each.name } })}
        >
          Forget
        </WriteButton>
      ),
    },
  ];
  return (
    <>
      <p>
        {state.requests.toLocaleString()} requests, {state.values.toLocaleString()} values,{' '}
        {state.known.toLocaleString()} of them known well enough to count.
      </p>
      <TextField label="Search for a path" value={search} onChange={setSearch} />
      <Resource of={values} rows={4}>
        {(rows) => (
          <DataTable
            label="Learned values"
            className="scrolling"
            columns={columns}
            rows={rows}
            keyOf={(each) => `${each.place} ${each.path} ${each.name}`}
          />
        )}
      </Resource>
      <ConfirmButton
        label="Forget everything"
        disabled={state.values === 0}
        title="Forget what was learned?"
        action="Forget"
        {...said}
        write={() => client.delete(path, { zone_id })}
      >
        <p>Learning starts again. It has no effect until it has enough data, which takes at least a day.</p>
      </ConfirmButton>
    </>
  );
}
