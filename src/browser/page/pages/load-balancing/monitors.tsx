/** The monitors of the account. */
import type { Sent } from '#client';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { DeleteButton } from '../../parts/forms/write-button.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { type Monitor, monitorsPath as path } from './balancing.ts';
import { nameMonitor } from './pools.tsx';

export function Monitors({ monitors }: { readonly monitors: readonly Monitor[] }) {
  const account_id = useAccountId();
  return (
    <TableCard
      title="Monitors"
      of={monitors}
      actions={
        <DialogButton label="Create monitor">{(close) => <MonitorForm onClose={close} />}</DialogButton>
      }
      empty={
        <Empty
          title="There is no monitor"
          command="gatehouse load-balancers create-monitor --type http --path /health"
        >
          Create one to detect unhealthy origins before visitors notice.
        </Empty>
      }
      columns={[
        { title: 'Monitor', cell: nameMonitor },
        { title: 'Expected status', kind: 'mono', cell: ({ expected_codes }) => expected_codes },
        { title: 'Timeout', cell: ({ timeout }) => `${timeout} s` },
        {
          title: 'Actions',
          kind: 'actions',
          cell: (monitor) => (
            <DeleteButton
              what="monitor"
              which={`the monitor ${nameMonitor(monitor)}`}
              write={() => client.delete(`${path}/{monitor_id}`, { account_id, monitor_id: monitor.id })}
            >
              <p>A monitor that a pool uses cannot be deleted.</p>
            </DeleteButton>
          ),
        },
      ]}
    />
  );
}

const types = { http: 'HTTP', https: 'HTTPS', tcp: 'TCP connection' } as const;

const start = {
  description: '',
  type: 'http' as keyof typeof types,
  path: '/',
  port: '',
  codes: '2xx',
  interval: '60',
  timeout: '5',
};

function toBody({ port, codes, interval, timeout, ...same }: typeof start): Sent<'monitors.create'> {
  return {
    ...same,
    ...(port === '' ? {} : { port: Number(port) }),
    ...(same.type === 'tcp' ? {} : { expected_codes: codes }),
    interval: Number(interval),
    timeout: Number(timeout),
    retries: Math.max(0, Math.min(2, Math.floor(Number(interval) / Number(timeout)) - 1)),
  };
}

function MonitorForm({ onClose }: { readonly onClose: () => void }) {
  const account_id = useAccountId();
  return (
    <WriteDialog
      title="Create a monitor"
      action="Save monitor"
      initial={start}
      write={(fields) => client.post(path, { account_id, body: toBody(fields) })}
      done="The monitor is saved"
      onClose={onClose}
    >
      {(bind, { type }) => (
        <>
          <TextField label="Description" {...bind('description')} />
          <SelectField label="Protocol" options={types} {...bind('type')} />
          {type !== 'tcp' && <TextField label="Path" isCode {...bind('path')} />}
          {type !== 'tcp' && <TextField label="Expected status" isCode {...bind('codes')} />}
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
        </>
      )}
    </WriteDialog>
  );
}
