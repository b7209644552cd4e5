/** The pools of the account, with the health of their origins. */
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton, DialogButton } from '../../parts/forms/dialog.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { Check, SelectField, TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { Pill, type Tone } from '../../parts/pill.tsx';
import { Empty } from '../../parts/reading/states.tsx';
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
  const [editedId, setEditedId] = useState<string>();
  const edited = pools.find(({ id }) => id === editedId);
  return (
    <Card
      title="Pools"
      actions={
        <DialogButton label="Create pool">
          {(close) => <PoolForm pool={undefined} monitors={monitors} onClose={close} />}
        </DialogButton>
      }
    >
      {pools.length === 0 ? (
        <Empty
          title="There is no pool"
          command={`gatehouse load-balancers create-pool --name primary --origins '[{"name":"one","address":"192.0.2.1","enabled":true}]'`}
        >
          Create one with interchangeable origins.
        </Empty>
      ) : (
        <DataTable
          label="Pools"
          rows={pools}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Pool',
              cell: ({ id, name }) => (
                <Button look="link" onClick={() => setEditedId(id)}>
                  {name}
                </Button>
              ),
            },
            { title: 'Origins', cell: (pool) => <Origins pool={pool} /> },
            {
              title: 'Monitor',
              cell: ({ monitor }) =>
                monitor === undefined ? 'none: passive checks only' : describeMonitor(monitors, monitor),
            },
            { title: 'Actions', kind: 'actions', cell: (pool) => <Deletion pool={pool} /> },
          ]}
        />
      )}
      {edited !== undefined && (
        <PoolForm pool={edited} monitors={monitors} onClose={() => setEditedId(undefined)} />
      )}
    </Card>
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
  const switching = useWrite({
    write: () =>
      client.patch(`${path}/{pool_id}`, {
        account_id,
        pool_id: pool.id,
        body: {
          origins: pool.origins.map((origin) =>
            origin.name === name ? { ...origin, enabled: !isEnabled } : origin,
          ),
        },
      }),
    done: isEnabled ? `${name} gets no new visitors` : `${name} gets requests again`,
    failed: 'The pool was not changed',
  });
  const verb = isEnabled ? 'Disable' : 'Enable';
  return (
    <Button
      size="small"
      aria-label={`${verb} ${name} of ${pool.name}`}
      disabled={switching.isPending}
      onClick={() => switching.mutate()}
    >
      {verb}
    </Button>
  );
}

function Deletion({ pool: { id, name } }: { readonly pool: Pool }) {
  const names = { account_id: useAccountId(), pool_id: id };
  const deletion = useWrite({
    write: () => client.delete(`${path}/{pool_id}`, names),
    done: 'The pool is deleted',
    failed: 'The pool was not deleted',
  });
  return (
    <ConfirmButton
      label="Delete"
      size="small"
      aria-label={`Delete the pool ${name}`}
      title="Delete this pool?"
      action="Delete pool"
      work={deletion}
    >
      <p>A pool that a load balancer uses cannot be deleted.</p>
    </ConfirmButton>
  );
}

interface Content {
  readonly name: string;
  readonly origins: string;
  readonly monitor: string;
  readonly minimum: string;
  readonly slowStart: string;
  readonly enabled: boolean;
}

function toContent(pool: Pool | undefined): Content {
  return {
    name: pool?.name ?? '',
    origins: pool === undefined ? '' : formatOrigins(pool.origins),
    monitor: pool?.monitor ?? '',
    minimum: String(pool?.minimum_origins ?? 1),
    slowStart: String(pool?.slow_start ?? 0),
    enabled: pool?.enabled ?? true,
  };
}

function PoolForm({
  pool,
  monitors,
  onClose,
}: {
  readonly pool: Pool | undefined;
  readonly monitors: readonly Monitor[];
  readonly onClose: () => void;
}) {
  const account_id = useAccountId();
  const draft = useDraft(pool, { read: toContent });
  const { value, bind } = draft;
  const saving = useWrite({
    async write() {
      const before = new Map(pool?.origins.map((origin) => [origin.name, origin]));
      const body = {
        name: value.name,
        // Properties that the lines do not contain are kept.
        origins: parseOrigins(value.origins).map((origin) => {
          const { port: _port, weight: _weight, ...known } = before.get(origin.name) ?? {};
          return { ...known, ...origin };
        }),
        monitor: value.monitor,
        minimum_origins: Number(value.minimum),
        slow_start: Number(value.slowStart),
        enabled: value.enabled,
      };
      return pool === undefined
        ? client.post(path, { account_id, body })
        : client.patch(`${path}/{pool_id}`, { account_id, pool_id: pool.id, body });
    },
    done: 'The pool is saved',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={pool === undefined ? 'Create a pool' : 'Change a pool'}
      action="Save pool"
      work={saving}
      isIncomplete={value.name === '' || value.origins.trim() === ''}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
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
        options={{ '': 'none', ...Object.fromEntries(monitors.map((each) => [each.id, nameMonitor(each)])) }}
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
    </FormDialog>
  );
}
