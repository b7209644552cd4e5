/** Queues with their backlog, their consumers, and buttons that pause or empty them. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { read, readAll } from '../../api/read.ts';
import { formatBytes } from '../../parts/format-bytes.ts';
import { ConfirmButton, WriteButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';
import { countThings } from '../../parts/reading/count-things.ts';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { Time } from '../../parts/time.tsx';
import { CreateStore, DeleteStore } from './create-store.tsx';

type Queue = Result<'queues.list'>[number];

const path = '/accounts/{account_id}/queues';

/** How often the backlog is read again. */
const backlogMs = 3_000;

export function Queues({ account_id }: { readonly account_id: string }) {
  return (
    <TableCard
      title="Queues"
      of={useQuery(readAll(path, { account_id }))}
      rows={2}
      actions={
        <CreateStore
          what="queue"
          create={(queue_name) => client.post(path, { account_id, body: { queue_name } })}
        />
      }
      empty={
        <Empty title="There is no queue" command="npx wrangler queues create mail">
          Create one here, or with Wrangler.
        </Empty>
      }
      keyOf={({ queue_id }) => queue_id}
      columns={[
        {
          title: 'Name',
          cell: (queue) => (
            <span className="row">
              <strong>{queue.queue_name}</strong>
              {isPaused(queue) && <Pill tone="warn">paused</Pill>}
            </span>
          ),
        },
        { title: 'Waiting', cell: (queue) => <Backlog account_id={account_id} queue={queue} /> },
        {
          title: 'Consumed by',
          cell: ({ consumers }) =>
            consumers.map(({ script = '' }) => script).join(', ') || <span className="soft">none</span>,
        },
        {
          title: 'Written by',
          kind: 'number',
          cell: (queue) => countThings(queue.producers_total_count, 'Worker'),
        },
        {
          title: 'Actions',
          kind: 'actions',
          cell: (queue) => <QueueActions account_id={account_id} queue={queue} />,
        },
      ]}
    />
  );
}

interface QueueProps {
  readonly account_id: string;
  readonly queue: Queue;
}

function Backlog({ account_id, queue: { queue_id } }: QueueProps) {
  const backlog = useQuery({
    ...read(`${path}/{queue_id}/metrics`, { account_id, queue_id }),
    refetchInterval: backlogMs,
  });
  const { data } = backlog;
  if (data === undefined) return <span className="soft">–</span>;
  if (data.backlog_count === 0) return <span className="soft">nothing</span>;
  return (
    <>
      {countThings(data.backlog_count, 'message')}, {formatBytes(data.backlog_bytes)}, the oldest from{' '}
      <Time at={new Date(data.oldest_message_timestamp_ms).toISOString()} isRelative />
    </>
  );
}

function QueueActions({ account_id, queue }: QueueProps) {
  const { queue_id, queue_name } = queue;
  const names = { account_id, queue_id };
  const settings = { delivery_paused: !isPaused(queue) };
  return (
    <span className="row row-end">
      <WriteButton
        write={() => client.patch(`${path}/{queue_id}`, { ...names, body: { settings } })}
        failed="The queue was not changed"
      >
        {isPaused(queue) ? 'Resume' : 'Pause'}
      </WriteButton>
      <ConfirmButton
        label="Empty"
        aria-label={`Empty ${queue_name}`}
        title={`Empty ${queue_name}?`}
        action="Delete all messages"
        write={() =>
          client.post(`${path}/{queue_id}/purge`, { ...names, body: { delete_messages_permanently: true } })
        }
        done={`${queue_name} is empty`}
        failed={`${queue_name} was not emptied`}
      >
        <p>Waiting messages are deleted, and no Worker receives them.</p>
      </ConfirmButton>
      <DeleteStore what="queue" name={queue_name} remove={() => client.delete(`${path}/{queue_id}`, names)} />
    </span>
  );
}

function isPaused({ settings }: Queue): boolean {
  return (settings as { readonly delivery_paused?: boolean } | null)?.delivery_paused === true;
}
