/** The simulations of this project that failed in their last run. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SimulationStorySummary } from '#client';
import { devClient, resultOf } from '../../../api/client.ts';
import { useAccountId } from '../../../api/queries.ts';
import { keyOf } from '../../../api/read.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Resource } from '../../../parts/reading/resource.tsx';
import { Empty } from '../../../parts/reading/states.tsx';
import { Time } from '../../../parts/time.tsx';

const path = '/accounts/{account_id}/simulation_stories';
/** `gatehouse simulate` may run in another terminal. */
const refetchMs = 5_000;

function storiesQuery(account_id: string) {
  return queryOptions({
    queryKey: keyOf(path, { account_id }),
    queryFn: ({ signal }) => resultOf(devClient.get(path, { account_id, signal })),
    refetchInterval: refetchMs,
  });
}

export function storyQuery(account_id: string, story: string) {
  return queryOptions({
    queryKey: keyOf(`${path}/{story}`, { account_id, story }),
    queryFn: ({ signal }) => resultOf(devClient.get(`${path}/{story}`, { account_id, story, signal })),
  });
}

export function StoriesLink({ isShown }: { readonly isShown: boolean }) {
  const { data: stories = [] } = useQuery(storiesQuery(useAccountId()));
  return (
    <Link
      to="/objects"
      search={{ view: 'stories' }}
      className="box"
      aria-current={isShown ? 'page' : undefined}
    >
      <strong>Simulations</strong>
      <span className="soft">{stories.length === 0 ? 'None has failed' : `${stories.length} failed`}</span>
    </Link>
  );
}

const none = (
  <Empty title="No simulation has failed" command="gatehouse simulate">
    Simulate the objects of this project. Failed simulations are shown here step by step.
  </Empty>
);

const columns: readonly Column<SimulationStorySummary>[] = [
  {
    title: 'Simulation',
    cell: ({ id, simulation }) => (
      <Link to="/objects" search={{ story: id }} className="strong-link wrap">
        {simulation}
      </Link>
    ),
  },
  { title: 'Module', kind: 'mono', cell: ({ file }) => file },
  { title: 'Problem', cell: ({ problem }) => <span className="wrap">{problem.split('\n')[0]}</span> },
  { title: 'Seed', kind: 'number', cell: ({ seed }) => seed },
  { title: 'Found', cell: ({ told_on }) => <Time at={told_on} isRelative /> },
];

export function StoryList() {
  return (
    <Resource of={useQuery(storiesQuery(useAccountId()))} empty={none}>
      {(stories) => <DataTable label="Simulations" columns={columns} rows={stories} />}
    </Resource>
  );
}
