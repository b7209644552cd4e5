/** The monitors of the account. */
import type { Sent } from '#client';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton, DialogButton } from '../../parts/forms/dialog.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { Empty } from '../../parts/reading/states.tsx';
import { type Monitor, monitorsPath as path } from './balancing.ts';
import { nameMonitor } from './pools.tsx';

export function Monitors({ monitors }: { readonly monitors: readonly Monitor[] }) {
  return (
    <Card
      title="Monitors"
      actions={
        <DialogButton label="Create monitor">{(close) => <MonitorForm onClose={close} />}</DialogButton>
      }
    >
      {monitors.length === 0 ? (
        <Empty
          title="There is no monitor"
          command="gatehouse load-balancers create-monitor --type http --path /health"
        >
          Create one to detect unhealthy origins before visitors notice.
        </Empty>
      ) : (
        <DataTable
          label="Monitors"
          rows={monitors}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Monitor', cell: nameMonitor },
            { title: 'Expected status', kind: 'mono', cell: ({ expected_codes }) => expected_codes },
            { title: 'Timeout', cell: ({ timeout }) => `${timeout} s` },
            { title: 'Actions', kind: 'actions', cell: (monitor) => <Deletion monitor={monitor} /> },
          ]}
        />
      )}
    </Card>
  );
}

function Deletion({ monitor }: { readonly monitor: Monitor }) {
  const names = { account_id: useAccountId(), monitor_id: monitor.id };
  const deletion = useWrite({
    write: () => client.delete(`${path}/{monitor_id}`, names),
    done: 'The monitor is deleted',
    failed: 'The monitor was not deleted',
  });
  return (
    <ConfirmButton
      label="Delete"
      size="small"
      aria-label={`Delete the monitor ${nameMonitor(monitor)}`}
      title="Delete this monitor?"
      action="Delete monitor"
      work={deletion}
    >
      <p>A monitor that a pool uses cannot be deleted.</p>
    </ConfirmButton>
  );
}

interface Content {
  readonly description: string;
  readonly type: 'http' | 'https' | 'tcp';
  readonly path: string;
  readonly port: string;
  readonly codes: string;
  readonly interval: string;
  readonly timeout: string;
}

const start: Content = {
  description: '',
  type: 'http',
  path: '/',
  port: '',
  codes: '2xx',
  interval: '60',
  timeout: '5',
};

function MonitorForm({ onClose }: { readonly onClose: () => void }) {
  const account_id = useAccountId();
  const { value, bind } = useDraft<Content, undefined>(undefined, { read: () => start });
  const saving = useWrite({
    async write() {
      const { port, codes, interval, timeout, ...same } = value;
      const body: Sent<'monitors.create'> = {
        ...same,
        ...(port === '' ? {} : { port: Number(port) }),
        ...(same.type === 'tcp' ? {} : { expected_codes: codes }),
        interval: Number(interval),
        timeout: Number(timeout),
        retries: Math.max(0, Math.min(2, Math.floor(Number(interval) / Number(timeout)) - 1)),
      };
      return client.post(path, { account_id, body });
    },
    done: 'The monitor is saved',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Create a monitor"
      action="Save monitor"
      work={saving}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <TextField label="Description" {...bind('description')} />
      <SelectField
        label="Protocol"
        options={{ http: 'HTTP', https: 'HTTPS', tcp: 'TCP connection' }}
        {...bind('type')}
      />
      {value.type !== 'tcp' && <TextField label="Path" isCode {...bind('path')} />}
      {value.type !== 'tcp' && <TextField label="Expected status" isCode {...bind('codes')} />}
      <TextField
        label="Port"
        hint="Empty: the port of the origin."
        type="number"
        min={1}
        max={65535}
        {...bind('port')}
      />
      <TextField label="Interval in seconds" type="number" min={1} max={3600} {...bind('interval')} />
      <TextField label="Timeout in seconds" type="number" min={1} max={60} {...bind('timeout')} />
    </FormDialog>
  );
}
