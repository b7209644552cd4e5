/** Queues with their backlog, their consumers, and buttons that pause or empty them. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { read, readAll } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { formatBytes } from '../../parts/format-bytes.ts';
import { useWrite } from '../../parts/forms/use-write.ts';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';
import { countThings } from '../../parts/reading/count-things.ts';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { CreateStore, DeleteStore } from './create-store.tsx';

type Queue = Result<'queues.list'>[number];

const path = '/accounts/{account_id}/queues';

/** How often the backlog is read again. */
const backlogMs = 3_000;

export function Queues({ account_id }: { readonly account_id: string }) {
  const queues = useQuery(readAll(path, { account_id }));
  return (
    <Card
      title="Queues"
      actions={
        <CreateStore
          what="queue"
          create={(queue_name) => client.post(path, { account_id, body: { queue_name } })}
        />
      }
    >
      <Resource
        of={queues}
        rows={2}
        empty={
          <Empty title="There is no queue" command="npx wrangler queues create mail">
            Create one here, or with Wrangler.
          </Empty>
        }
      >
        {(all) => (
          <DataTable
            label="Queues"
            rows={all}
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
        )}
      </Resource>
    </Card>
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
  const pausing = useWrite({
    write: (delivery_paused: boolean) =>
      client.patch(`${path}/{queue_id}`, { ...names, body: { settings: { delivery_paused } } }),
    failed: 'The queue was not changed',
  });
  return (
    <span className="row row-end">
      <Button isBusy={pausing.isPending} onClick={() => pausing.mutate(!isPaused(queue))}>
        {isPaused(queue) ? 'Resume' : 'Pause'}
      </Button>
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
