/** The steps of an instance of a workflow. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { keyOf } from '../../api/read.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { formatBytes } from '../../parts/format-bytes.ts';
import { Pill, type Tone } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Message } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { askSql, objectPath, type ShownObjectPlace, usePlace } from './object-queries.ts';

/** The class of the instances of workflows. */
export const workflowClass = 'workflows';

interface WorkflowStep {
  readonly kind: string;
  readonly name: string;
  readonly count: number;
  readonly state: string;
  readonly attempts: number;
  readonly began: number;
  readonly ended: number | null;
  readonly due: number | null;
  /** The size of its result. */
  readonly bytes: number | null;
  readonly error: string | null;
}

const sql = `SELECT json_object('kind', kind, 'name', name, 'count', count, 'state', state, 'attempts', attempts,
    'began', began, 'ended', ended, 'due', due, 'bytes', length(output), 'error', json_extract(error, '$.message'))
  FROM steps ORDER BY number`;

function stepsQuery(place: ShownObjectPlace, at: string | undefined) {
  return queryOptions({
    queryKey: [...keyOf(objectPath, place), 'steps', at],
    async queryFn(): Promise<WorkflowStep[]> {
      const { rows } = await askSql(place, sql, at);
      return rows.map(([step]) => JSON.parse(String(step)) as WorkflowStep);
    },
  });
}

const tones: Readonly<Record<string, Tone>> = { done: 'good', failed: 'bad' };

const columns: readonly Column<WorkflowStep>[] = [
  { title: 'Step', cell: ({ name, count }) => (count === 1 ? name : `${name} (${count})`) },
  { title: 'Kind', cell: ({ kind }) => kind, kind: 'mono' },
  { title: 'State', cell: ({ state }) => <Pill tone={tones[state] ?? 'neutral'}>{state}</Pill> },
  {
    title: 'Attempts',
    cell: ({ attempts, kind }) => (kind === 'do' || kind === 'rollback' ? attempts : ''),
    kind: 'number',
  },
  { title: 'Started', cell: ({ began }) => showTime(began) },
  { title: 'Ended or due', cell: ({ ended, due }) => showTime(ended ?? due) },
  { title: 'Result', cell: ({ bytes }) => (bytes === null ? '' : formatBytes(bytes)), kind: 'number' },
  { title: 'Error', cell: ({ error }) => error },
];

const none = <Message title="No step has started">Steps appear here when the instance runs.</Message>;

export function WorkflowSteps({ at }: { readonly at: string | undefined }) {
  const steps = useQuery(stepsQuery(usePlace(), at));
  return (
    <Resource of={steps} empty={none}>
      {(rows) => <DataTable label="Steps" rows={rows} columns={columns} />}
    </Resource>
  );
}

function showTime(ms: number | null) {
  return ms === null ? '' : <Time at={new Date(ms).toISOString()} />;
}
