/** Who is notified of events. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { readAll } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton, DialogButton } from '../../parts/forms/dialog.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { alertNames, PolicyForm, policiesPath, WebhookForm, webhooksPath } from './notification-forms.tsx';

type Policy = Result<'alerting.listPolicies'>[number];
type Webhook = Result<'alerting.listWebhooks'>[number];

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
      <Card
        title="Policies"
        actions={
          <DialogButton label="Create policy">
            {(close) => <PolicyForm webhooks={webhooks.data ?? []} onClose={close} />}
          </DialogButton>
        }
      >
        <Resource
          of={useQuery(readAll(policiesPath, { account_id }))}
          empty={
            <Empty
              title="No notification policies yet"
              command={`gatehouse notifications create --name attacks --alert-type clickhouse_alert_fw_anomaly --mechanisms '{"webhooks":[{"id":"WEBHOOK"}]}'`}
            >
              Create a webhook, then a policy that uses it.
            </Empty>
          }
        >
          {(policies) => <Policies policies={policies} webhooks={webhooks.data ?? []} />}
        </Resource>
      </Card>
      <Card
        title="Webhooks"
        actions={
          <DialogButton label="Create webhook">{(close) => <WebhookForm onClose={close} />}</DialogButton>
        }
      >
        <Resource
          of={webhooks}
          empty={
            <Empty
              title="There is no webhook"
              command="gatehouse notifications create-webhook --name chat --url https://chat.example/hook"
            >
              Create one with the webhook URL of a chat.
            </Empty>
          }
        >
          {(rows) => <Webhooks webhooks={rows} />}
        </Resource>
      </Card>
      <History />
    </>
  );
}

function History() {
  const account_id = useAccountId();
  return (
    <Card title="Sent notifications">
      <Resource
        of={useQuery(readAll(historyPath, { account_id }))}
        empty={
          <Empty title="No notifications yet" command="gatehouse notifications history">
            Notifications that policies send appear here.
          </Empty>
        }
      >
        {(sent) => (
          <DataTable
            label="Notifications"
            rows={sent}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Notification', cell: ({ alert_body }) => alert_body },
              { title: 'By', cell: ({ mechanism_type }) => mechanism_type },
              {
                title: 'Sent',
                cell: (each) =>
                  each.sent === null ? (
                    <Pill tone="bad">{each.problem ?? 'pending'}</Pill>
                  ) : (
                    <Time at={each.sent} />
                  ),
              },
            ]}
          />
        )}
      </Resource>
    </Card>
  );
}

function Policies({
  policies,
  webhooks,
}: {
  readonly policies: readonly Policy[];
  readonly webhooks: readonly Webhook[];
}) {
  const nameOf = (id: string): string => webhooks.find((each) => each.id === id)?.name ?? id;
  return (
    <DataTable
      label="Policies"
      rows={policies}
      keyOf={({ id }) => id}
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
          cell: ({ enabled }) => (
            <Pill tone={enabled ? 'good' : 'neutral'}>{enabled ? 'enabled' : 'disabled'}</Pill>
          ),
        },
        {
          title: 'Actions',
          kind: 'actions',
          cell: ({ id, name }) => <Deletion what="policy" name={name} id={id} />,
        },
      ]}
    />
  );
}

function Webhooks({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <DataTable
      label="Webhooks"
      rows={webhooks}
      keyOf={({ id }) => id}
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
          cell: ({ id, name }) => <Deletion what="webhook" name={name} id={id} />,
        },
      ]}
    />
  );
}

interface DeletionProps {
  readonly what: 'policy' | 'webhook';
  readonly name: string;
  readonly id: string;
}

function Deletion({ what, name, id }: DeletionProps) {
  const account_id = useAccountId();
  const deletion = useWrite({
    write: () =>
      what === 'policy'
        ? client.delete(`${policiesPath}/{policy_id}`, { account_id, policy_id: id })
        : client.delete(`${webhooksPath}/{webhook_id}`, { account_id, webhook_id: id }),
    done: `The ${what} is deleted`,
    failed: `The ${what} was not deleted`,
  });
  return (
    <ConfirmButton
      label="Delete"
      size="small"
      aria-label={`Delete the ${what} ${name}`}
      title={`Delete this ${what}?`}
      action={`Delete ${what}`}
      work={deletion}
    >
      <p>
        {what === 'policy'
          ? 'It sends no more notifications.'
          : 'A webhook that a policy uses cannot be deleted.'}
      </p>
    </ConfirmButton>
  );
}
