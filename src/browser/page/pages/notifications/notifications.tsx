/** Who is notified of events. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { readAll } from '../../api/read.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { DeleteButton } from '../../parts/forms/write-button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pill, StatePill } from '../../parts/pill.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { Time } from '../../parts/time.tsx';
import { alertNames, policiesPath, PolicyForm, WebhookForm, webhooksPath } from './notification-forms.tsx';

const historyPath = '/accounts/{account_id}/alerting/v3/history';

export function NotificationsPage() {
  const account_id = useAccountId();
  const webhooks = useQuery(readAll(webhooksPath, { account_id }));
  return (
    <>
      <PageHead
        title="Notifications"
        about="Who is notified of a burst of attacks, an origin that is down, an expiring certificate, or a disk that is filling up."
      />
      <Policies account_id={account_id} webhooks={webhooks.data ?? []} />
      <TableCard
        title="Webhooks"
        of={webhooks}
        actions={
          <DialogButton label="Create webhook">{(close) => <WebhookForm onClose={close} />}</DialogButton>
        }
        empty={
          <Empty
            title="There is no webhook"
            command="gatehouse notifications create-webhook --name chat --url https://chat.example/hook"
          >
            Create one with the webhook URL of a chat.
          </Empty>
        }
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Address', kind: 'mono', cell: ({ url }) => url },
          {
            title: 'Last success',
            cell: ({ last_success }) => (last_success === null ? 'never' : <Time at={last_success} />),
          },
          {
            title: 'Actions',
            kind: 'actions',
            cell: ({ id, name }) => (
              <DeleteButton
                what="webhook"
                which={`the webhook ${name}`}
                write={() => client.delete(`${webhooksPath}/{webhook_id}`, { account_id, webhook_id: id })}
              >
                <p>A webhook that a policy uses cannot be deleted.</p>
              </DeleteButton>
            ),
          },
        ]}
      />
      <TableCard
        title="Sent notifications"
        label="Notifications"
        of={useQuery(readAll(historyPath, { account_id }))}
        empty={
          <Empty title="No notifications yet" command="gatehouse notifications history">
            Notifications that policies send appear here.
          </Empty>
        }
        columns={[
          { title: 'Notification', cell: ({ alert_body }) => alert_body },
          { title: 'By', cell: ({ mechanism_type }) => mechanism_type },
          {
            title: 'Sent',
            cell: ({ sent, problem }) =>
              sent === null ? <Pill tone="bad">{problem ?? 'pending'}</Pill> : <Time at={sent} />,
          },
        ]}
      />
    </>
  );
}

interface PoliciesProps {
  readonly account_id: string;
  readonly webhooks: readonly Result<'alerting.listWebhooks'>[number][];
}

function Policies({ account_id, webhooks }: PoliciesProps) {
  const nameOf = (id: string): string => webhooks.find((each) => each.id === id)?.name ?? id;
  return (
    <TableCard
      title="Policies"
      of={useQuery(readAll(policiesPath, { account_id }))}
      actions={
        <DialogButton label="Create policy">
          {(close) => <PolicyForm webhooks={webhooks} onClose={close} />}
        </DialogButton>
      }
      empty={
        <Empty
          title="No notification policies yet"
          command={`gatehouse notifications create --name attacks --alert-type clickhouse_alert_fw_anomaly --mechanisms '{"webhooks":[{"id":"WEBHOOK"}]}'`}
        >
          Create a webhook, then a policy that uses it.
        </Empty>
      }
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'When', cell: ({ alert_type }) => alertNames[alert_type] },
        {
          title: 'Notifies',
          cell: ({ mechanisms: { email = [], webhooks: used = [] } }) =>
            [...used.map(({ id }) => nameOf(id)), ...email.map(({ id }) => id)].join(', '),
        },
        {
          title: 'Status',
          cell: ({ enabled }) => <StatePill isOn={enabled} words={['enabled', 'disabled']} />,
        },
        {
          title: 'Actions',
          kind: 'actions',
          cell: ({ id, name }) => (
            <DeleteButton
              what="policy"
              which={`the policy ${name}`}
              write={() => client.delete(`${policiesPath}/{policy_id}`, { account_id, policy_id: id })}
            >
              <p>It sends no more notifications.</p>
            </DeleteButton>
          ),
        },
      ]}
    />
  );
}
