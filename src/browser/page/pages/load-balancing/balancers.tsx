/** The load balancers of a site. */
import type { Sent } from '#client';
import { client } from '../../api/client.ts';
import { useZone } from '../../api/queries.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { Check, Checks, SelectField, TextField } from '../../parts/forms/field.tsx';
import { SaveDialog } from '../../parts/forms/save-form.tsx';
import { DeleteButton } from '../../parts/forms/write-button.tsx';
import { StatePill } from '../../parts/pill.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { type Balancer, balancersPath as path, type Pool } from './balancing.ts';

const affinities = { none: 'none', cookie: 'by cookie', ip_cookie: 'by address, then cookie' } as const;
const steerings = {
  off: 'the first healthy pool',
  random: 'pools by weight',
  least_outstanding_requests: 'the pool with the fewest open requests',
} as const;

interface BalancersProps {
  readonly balancers: readonly Balancer[];
  readonly pools: readonly Pool[];
}

export function Balancers({ balancers, pools }: BalancersProps) {
  const { id: zone_id, name: zoneName } = useZone();
  const nameOf = (id: string): string => pools.find((pool) => pool.id === id)?.name ?? id;
  return (
    <TableCard
      title="Load balancers"
      of={balancers}
      actions={
        pools.length > 0 && (
          <DialogButton label="Create load balancer">
            {(close) => <BalancerForm balancer={undefined} pools={pools} onClose={close} />}
          </DialogButton>
        )
      }
      empty={
        <Empty
          title="No load balancers yet"
          command={`gatehouse load-balancers create ${zoneName} --name www.${zoneName} --default-pools POOL --fallback-pool POOL`}
        >
          {pools.length === 0 ? 'Create a pool of origins first.' : 'Create a load balancer for a name.'}
        </Empty>
      }
      columns={[
        {
          title: 'Name',
          kind: 'mono',
          cell: (balancer) => (
            <DialogButton label={balancer.name} look="link">
              {(close) => <BalancerForm balancer={balancer} pools={pools} onClose={close} />}
            </DialogButton>
          ),
        },
        { title: 'Pools', cell: ({ default_pools }) => default_pools.map(nameOf).join(', ') },
        { title: 'Fallback pool', cell: ({ fallback_pool }) => nameOf(fallback_pool) },
        { title: 'Affinity', cell: ({ session_affinity }) => session_affinity.replaceAll('_', ' ') },
        {
          title: 'Status',
          cell: ({ enabled }) => <StatePill isOn={enabled} words={['enabled', 'disabled']} />,
        },
        {
          title: 'Actions',
          kind: 'actions',
          cell: ({ id, name }) => (
            <DeleteButton
              what="load balancer"
              which={`the load balancer ${name}`}
              write={() => client.delete(`${path}/{load_balancer_id}`, { zone_id, load_balancer_id: id })}
            >
              <p>
                Requests for <code>{name}</code> go to the origin of the site from then on.
              </p>
            </DeleteButton>
          ),
        },
      ]}
    />
  );
}

interface BalancerFormProps extends Pick<BalancersProps, 'pools'> {
  readonly balancer: Balancer | undefined;
  readonly onClose: () => void;
}

function BalancerForm({ balancer, pools, onClose }: BalancerFormProps) {
  const { id: zone_id, name } = useZone();
  const names = { zone_id, load_balancer_id: balancer?.id ?? '' };
  const poolNames = pools.map((pool) => [pool.id, pool.name] as const);
  return (
    <SaveDialog
      title={balancer === undefined ? 'Create a load balancer' : 'Change a load balancer'}
      action="Save load balancer"
      saved={balancer}
      toFields={(saved) => ({
        name: saved?.name ?? name,
        default_pools: saved?.default_pools ?? [],
        fallback_pool: saved?.fallback_pool ?? pools[0]!.id,
        steering_policy: saved?.steering_policy || 'off',
        session_affinity: saved?.session_affinity ?? 'none',
        enabled: saved?.enabled ?? true,
      })}
      read={balancer && (() => client.get(`${path}/{load_balancer_id}`, names))}
      write={async (fields, base, version) => {
        const body = { ...fields, proxied: true } as Sent<'loadBalancers.create'>;
        return base === undefined
          ? client.post(path, { zone_id, body })
          : client.patch(`${path}/{load_balancer_id}`, { ...names, body, version });
      }}
      done="The load balancer is saved"
      isIncomplete={(fields) => fields.name === '' || fields.default_pools.length === 0}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField
            label="Name"
            hint="A host name of the site; *.example.com matches all its subdomains."
            isCode
            {...bind('name')}
          />
          <fieldset>
            <legend>Pools, in the order in which you choose them</legend>
            <Checks options={poolNames} {...bind('default_pools')} />
          </fieldset>
          <SelectField
            label="Fallback pool"
            options={Object.fromEntries(poolNames)}
            {...bind('fallback_pool')}
          />
          <SelectField label="Requests go to" options={steerings} {...bind('steering_policy')} />
          <SelectField label="Session affinity" options={affinities} {...bind('session_affinity')} />
          <Check {...bind('enabled')}>Enabled</Check>
        </>
      )}
    </SaveDialog>
  );
}
