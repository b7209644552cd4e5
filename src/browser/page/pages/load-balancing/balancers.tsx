/** The load balancers of a site. */
import { useState } from 'react';
import type { Sent } from '#client';
import { client } from '../../api/client.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton, DialogButton } from '../../parts/forms/dialog.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { Check, Checks, SelectField, TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { SaveProblem, useSave } from '../../parts/forms/save.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { Pill } from '../../parts/pill.tsx';
import { Empty } from '../../parts/reading/states.tsx';
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
  const zone = useZone();
  const [editedId, setEditedId] = useState<string>();
  const edited = balancers.find(({ id }) => id === editedId);
  const nameOf = (id: string): string => pools.find((pool) => pool.id === id)?.name ?? id;
  return (
    <Card
      title="Load balancers"
      actions={
        pools.length > 0 && (
          <DialogButton label="Create load balancer">
            {(close) => <BalancerForm balancer={undefined} pools={pools} onClose={close} />}
          </DialogButton>
        )
      }
    >
      {balancers.length === 0 ? (
        <Empty
          title="No load balancers yet"
          command={`gatehouse load-balancers create ${zone.name} --name www.${zone.name} --default-pools POOL --fallback-pool POOL`}
        >
          {pools.length === 0 ? 'Create a pool of origins first.' : 'Create a load balancer for a name.'}
        </Empty>
      ) : (
        <DataTable
          label="Load balancers"
          rows={balancers}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Name',
              kind: 'mono',
              cell: ({ id, name }) => (
                <Button look="link" onClick={() => setEditedId(id)}>
                  {name}
                </Button>
              ),
            },
            { title: 'Pools', cell: ({ default_pools }) => default_pools.map(nameOf).join(', ') },
            { title: 'Fallback pool', cell: ({ fallback_pool }) => nameOf(fallback_pool) },
            { title: 'Affinity', cell: ({ session_affinity }) => session_affinity.replaceAll('_', ' ') },
            {
              title: 'Status',
              cell: ({ enabled }) => (
                <Pill tone={enabled ? 'good' : 'neutral'}>{enabled ? 'enabled' : 'disabled'}</Pill>
              ),
            },
            { title: 'Actions', kind: 'actions', cell: (balancer) => <Deletion balancer={balancer} /> },
          ]}
        />
      )}
      {edited !== undefined && (
        <BalancerForm balancer={edited} pools={pools} onClose={() => setEditedId(undefined)} />
      )}
    </Card>
  );
}

function Deletion({ balancer: { id, name } }: { readonly balancer: Balancer }) {
  const names = { zone_id: useZoneId(), load_balancer_id: id };
  const deletion = useWrite({
    write: () => client.delete(`${path}/{load_balancer_id}`, names),
    done: 'The load balancer is deleted',
    failed: 'The load balancer was not deleted',
  });
  return (
    <ConfirmButton
      label="Delete"
      size="small"
      aria-label={`Delete the load balancer ${name}`}
      title="Delete this load balancer?"
      action="Delete load balancer"
      work={deletion}
    >
      <p>
        Requests for <code>{name}</code> go to the origin of the site from then on.
      </p>
    </ConfirmButton>
  );
}

interface Content {
  readonly name: string;
  readonly pools: readonly string[];
  readonly fallback: string;
  readonly steering: string;
  readonly affinity: string;
  readonly enabled: boolean;
}

function BalancerForm({
  balancer,
  pools,
  onClose,
}: {
  readonly balancer: Balancer | undefined;
  readonly pools: readonly Pool[];
  readonly onClose: () => void;
}) {
  const zone = useZone();
  const draft = useDraft(balancer, {
    read: (saved): Content => ({
      name: saved?.name ?? zone.name,
      pools: saved?.default_pools ?? [],
      fallback: saved?.fallback_pool ?? pools[0]!.id,
      steering: saved?.steering_policy || 'off',
      affinity: saved?.session_affinity ?? 'none',
      enabled: saved?.enabled ?? true,
    }),
  });
  const { value, bind } = draft;
  const saving = useSave(draft, {
    read:
      balancer &&
      (() => client.get(`${path}/{load_balancer_id}`, { zone_id: zone.id, load_balancer_id: balancer.id })),
    async write(content, base, version) {
      const body = {
        name: content.name,
        default_pools: content.pools,
        fallback_pool: content.fallback,
        steering_policy: content.steering,
        session_affinity: content.affinity,
        enabled: content.enabled,
        proxied: true,
      } as Sent<'loadBalancers.create'>;
      return base === undefined
        ? client.post(path, { zone_id: zone.id, body })
        : client.patch(`${path}/{load_balancer_id}`, {
            zone_id: zone.id,
            load_balancer_id: base.id,
            body,
            version,
          });
    },
    done: 'The load balancer is saved',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={balancer === undefined ? 'Create a load balancer' : 'Change a load balancer'}
      action="Save load balancer"
      work={saving}
      problem={<SaveProblem saving={saving} />}
      isIncomplete={value.name === '' || value.pools.length === 0}
      onSubmit={saving.save}
      onClose={onClose}
    >
      <BalancerFields bind={bind} pools={pools} />
    </FormDialog>
  );
}

function BalancerFields({
  bind,
  pools,
}: {
  readonly bind: ReturnType<typeof useDraft<Content, Balancer>>['bind'];
  readonly pools: readonly Pool[];
}) {
  return (
    <>
      <TextField
        label="Name"
        hint="A host name of the site; *.example.com matches all its subdomains."
        isCode
        {...bind('name')}
      />
      <fieldset>
        <legend>Pools, in the order in which you choose them</legend>
        <Checks options={pools.map(({ id, name }) => [id, name])} {...bind('pools')} />
      </fieldset>
      <SelectField
        label="Fallback pool"
        options={Object.fromEntries(pools.map(({ id, name }) => [id, name]))}
        {...bind('fallback')}
      />
      <SelectField label="Requests go to" options={steerings} {...bind('steering')} />
      <SelectField label="Session affinity" options={affinities} {...bind('affinity')} />
      <Check {...bind('enabled')}>Enabled</Check>
    </>
  );
}
