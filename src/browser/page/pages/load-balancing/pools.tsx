/** The pools of the account, with the health of their origins. */
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { Check, SelectField, TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { DeleteButton, WriteButton } from '../../parts/forms/write-button.tsx';
import { Pill, type Tone } from '../../parts/pill.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import {
  describeOrigin,
  formatOrigins,
  type Monitor,
  type OriginState,
  parseOrigins,
  type Pool,
  poolsPath as path,
} from './balancing.ts';

const tones: Readonly<Record<OriginState['text'], Tone>> = {
  healthy: 'good',
  unhealthy: 'bad',
  disabled: 'neutral',
  unknown: 'info',
};

interface PoolsProps {
  readonly pools: readonly Pool[];
  readonly monitors: readonly Monitor[];
}

export function Pools({ pools, monitors }: PoolsProps) {
  const account_id = useAccountId();
  return (
    <TableCard
      title="Pools"
      of={pools}
      actions={
        <DialogButton label="Create pool">
          {(close) => <PoolForm pool={undefined} monitors={monitors} onClose={close} />}
        </DialogButton>
      }
      empty={
        <Empty
          title="There is no pool"
          command={`gatehouse load-balancers create-pool --name primary --origins '[{"name":"one","address":"192.0.2.1","enabled":true}]'`}
        >
          Create one with interchangeable origins.
        </Empty>
      }
      columns={[
        {
          title: 'Pool',
          cell: (pool) => (
            <DialogButton label={pool.name} look="link">
              {(close) => <PoolForm pool={pool} monitors={monitors} onClose={close} />}
            </DialogButton>
          ),
        },
        { title: 'Origins', cell: (pool) => <Origins pool={pool} /> },
        {
          title: 'Monitor',
          cell: ({ monitor }) =>
            monitor === undefined ? 'none: passive checks only' : describeMonitor(monitors, monitor),
        },
        {
          title: 'Actions',
          kind: 'actions',
          cell: ({ id, name }) => (
            <DeleteButton
              what="pool"
              which={`the pool ${name}`}
              write={() => client.delete(`${path}/{pool_id}`, { account_id, pool_id: id })}
            >
              <p>A pool that a load balancer uses cannot be deleted.</p>
            </DeleteButton>
          ),
        },
      ]}
    />
  );
}

function describeMonitor(monitors: readonly Monitor[], id: string): string {
  const found = monitors.find((monitor) => monitor.id === id);
  return found === undefined ? id : nameMonitor(found);
}

export function nameMonitor({ description, type, path: asked, port, interval }: Monitor): string {
  const what = type === 'tcp' ? `port ${port}` : asked;
  return `${description === '' ? '' : `${description}: `}${type} ${what} every ${interval} s`;
}

function Origins({ pool }: { readonly pool: Pool }) {
  return (
    <ul className="plain">
      {pool.origins.map((origin) => {
        const { text, reasons } = describeOrigin(pool, origin);
        return (
          <li key={origin.name}>
            <Pill tone={tones[text]}>{text}</Pill> {origin.name} <code>{origin.address}</code>
            {origin.port !== undefined && `:${origin.port}`}
            {origin.weight !== 1 && `, weight ${origin.weight}`}
            {reasons.length > 0 && ` (${reasons.join('; ')})`} <Switching pool={pool} name={origin.name} />
          </li>
        );
      })}
    </ul>
  );
}

/** Takes an origin out for maintenance, or back in. Its sessions continue while the load balancer drains them. */
function Switching({ pool, name }: { readonly pool: Pool; readonly name: string }) {
  const account_id = useAccountId();
  const isEnabled = pool.origins.some((origin) => origin.name === name && origin.enabled);
  const origins = pool.origins.map((origin) =>
    origin.name === name ? { ...origin, enabled: !isEnabled } : origin,
  );
  const verb = isEnabled ? 'Disable' : 'Enable';
  return (
    <WriteButton
      size="small"
      aria-label={`${verb} ${name} of ${pool.name}`}
      write={() => client.patch(`${path}/{pool_id}`, { account_id, pool_id: pool.id, body: { origins } })}
      done={isEnabled ? `${name} gets no new visitors` : `${name} gets requests again`}
      failed="The pool was not changed"
    >
      {verb}
    </WriteButton>
  );
}

function toFields(pool: Pool | undefined) {
  return {
    name: pool?.name ?? '',
    origins: pool === undefined ? '' : formatOrigins(pool.origins),
    monitor: pool?.monitor ?? '',
    minimum: String(pool?.minimum_origins ?? 1),
    slowStart: String(pool?.slow_start ?? 0),
    enabled: pool?.enabled ?? true,
  };
}

function toBody({ origins, minimum, slowStart, ...same }: ReturnType<typeof toFields>, pool?: Pool) {
  const before = new Map(pool?.origins.map((origin) => [origin.name, origin]));
  return {
    ...same,
    // Properties that the lines do not contain are kept.
    origins: parseOrigins(origins).map((origin) => {
      const { port: _port, weight: _weight, ...known } = before.get(origin.name) ?? {};
      return { ...known, ...origin };
    }),
    minimum_origins: Number(minimum),
    slow_start: Number(slowStart),
  };
}

interface PoolFormProps extends Pick<PoolsProps, 'monitors'> {
  readonly pool: Pool | undefined;
  readonly onClose: () => void;
}

function PoolForm({ pool, monitors, onClose }: PoolFormProps) {
  const account_id = useAccountId();
  const monitorNames = monitors.map((monitor) => [monitor.id, nameMonitor(monitor)]);
  return (
    <WriteDialog
      title={pool === undefined ? 'Create a pool' : 'Change a pool'}
      action="Save pool"
      initial={() => toFields(pool)}
      write={(fields) => {
        const input = { account_id, body: toBody(fields, pool) };
        return pool === undefined
          ? client.post(path, input)
          : client.patch(`${path}/{pool_id}`, { ...input, pool_id: pool.id });
      }}
      done="The pool is saved"
      isIncomplete={({ name, origins }) => name === '' || origins.trim() === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField label="Name" hint="Letters, digits, - and _." {...bind('name')} />
          <TextField
            label="Origins"
            hint="One per line: a name, an address with its port, and a weight from 0 to 1."
            isCode
            rows={4}
            placeholder={'first 192.0.2.1:8080\nsecond app.example:443 0.5'}
            {...bind('origins')}
          />
          <SelectField
            label="Monitor"
            options={{ '': 'none', ...Object.fromEntries(monitorNames) }}
            {...bind('monitor')}
          />
          <TextField label="Minimum healthy origins" type="number" min={0} max={50} {...bind('minimum')} />
          <TextField
            label="Slow start"
            hint="Seconds in which a recovered origin gets a growing share of requests."
            type="number"
            min={0}
            max={3600}
            {...bind('slowStart')}
          />
          <Check {...bind('enabled')}>Enabled</Check>
        </>
      )}
    </WriteDialog>
  );
}
