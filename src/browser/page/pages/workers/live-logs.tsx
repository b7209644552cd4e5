/** Live logs of a Worker: each call with its logs, errors and answer. */
import './workers.css';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { useSettled } from '../../parts/forms/use-settled.ts';
import { Pill } from '../../parts/pill.tsx';
import { ClockTime } from '../../parts/time.tsx';
import { type TailEvent, type TailState, useTail } from './tail.ts';
import type { WorkerNames } from './worker-queries.ts';

const outcomes = { all: 'All calls', ok: 'Without errors', exception: 'With errors' } as const;

const columns: readonly Column<TailEvent>[] = [
  {
    title: 'Time',
    cell: ({ eventTimestamp }) => <ClockTime at={new Date(eventTimestamp).toISOString()} />,
  },
  {
    title: 'Call',
    cell: (call) => (
      <div className="stack-tight">
        <span className="mono">{describeCall(call)}</span>
        {call.exceptions.map(({ name, message }, index) => (
          <span key={index} className="worker-log worker-log-error mono">
            {name}: {message}
          </span>
        ))}
        {call.logs.map(({ level, message }, index) => (
          <span key={index} className={`worker-log worker-log-${level} mono`}>
            {message.map(formatValue).join(' ')}
          </span>
        ))}
      </div>
    ),
  },
  {
    title: 'Outcome',
    cell: ({ outcome, event: { response } }) => (
      <span className="row">
        <Pill tone={outcome === 'ok' ? 'good' : 'bad'}>{outcome}</Pill>
        {response?.status}
      </span>
    ),
  },
  { title: 'Version', kind: 'mono', cell: ({ scriptVersion }) => scriptVersion.id.slice(0, 8) },
  { title: 'CPU', kind: 'number', cell: ({ cpuTime }) => `${cpuTime.toLocaleString()} ms` },
  { title: 'Time taken', kind: 'number', cell: ({ wallTime }) => `${wallTime.toLocaleString()} ms` },
];

export function LiveLogs({ names }: { readonly names: WorkerNames }) {
  const [isOn, setOn] = useState(false);
  const [outcome, setOutcome] = useState<keyof typeof outcomes>('all');
  const [query, setQuery] = useState('');
  const searched = useSettled(query);
  const { events, state, clear } = useTail(names, isOn, [
    ...(outcome === 'all' ? [] : [{ outcome: [outcome] }]),
    ...(searched === '' ? [] : [{ query: searched }]),
  ]);
  return (
    <Card
      title="Live logs"
      actions={
        <div className="row">
          {events.length > 0 && (
            <Button size="small" onClick={clear}>
              Clear
            </Button>
          )}
          <Button size="small" look={isOn ? 'plain' : 'primary'} onClick={() => setOn(!isOn)}>
            {isOn ? 'Stop' : 'Follow'}
          </Button>
        </div>
      }
    >
      <div className="stack-close">
        <div className="row fields">
          <SelectField label="Show" options={outcomes} value={outcome} onChange={setOutcome} />
          <TextField label="With the text" value={query} onChange={setQuery} />
        </div>
        <p className="soft" role="status">
          {describeState(state, events.length)}
        </p>
        {events.length > 0 && (
          <DataTable label="Calls" columns={columns} rows={events} keyOf={({ key }) => key} />
        )}
      </div>
    </Card>
  );
}

function describeState(state: TailState, count: number): string {
  switch (state.kind) {
    case 'off':
      return 'Calls are recorded only while you follow. Secrets and credentials are masked.';
    case 'connecting':
      return 'Connecting.';
    case 'open':
      return count === 0 ? 'Waiting for calls.' : `Following; the last ${count.toLocaleString()} are shown.`;
    case 'ended':
      return `Following has ended: ${state.reason}. Stop and follow again.`;
  }
}

function describeCall({ event: { request, cron, queue, batchSize } }: TailEvent): string {
  if (request !== undefined) return `${request.method} ${request.url}`;
  if (cron !== undefined) return `cron ${cron}`;
  return queue === undefined ? 'a call' : `${batchSize} messages of ${queue}`;
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
