/** The plan of a site, and whether it is paused. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, resultOf } from '../../api/client.ts';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { Pill } from '../../parts/pill.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';

export function PlanCard({ zone }: { readonly zone: Zone }) {
  return (
    <Card title="Plan and status">
      <div className="stack">
        <PlanChoice zone={zone} />
        <PauseSwitch zone={zone} />
      </div>
    </Card>
  );
}

function PlanChoice({ zone }: { readonly zone: Zone }) {
  const queries = useQueryClient();
  const plans = useQuery({
    queryKey: ['plans', zone.id],
    queryFn: ({ signal }) =>
      resultOf(client.get('/zones/{zone_id}/available_plans', { zone_id: zone.id, signal })),
  });
  const [chosen, setChosen] = useState<string>();
  const current = zone.plan.legacy_id;
  const saving = useMutation({
    mutationFn: (id: string) =>
      client.put('/zones/{zone_id}/subscription', { zone_id: zone.id, body: { rate_plan: { id } } }),
    onSuccess() {
      tell('The plan is changed');
      setChosen(undefined);
      // What a zone may use depends on its plan.
      void queries.invalidateQueries();
    },
    onError: (error) => tellError('The plan was not changed', error),
  });
  const shown = plans.data ?? [zone.plan];
  return (
    <div className="settings-inline">
      <Field label="Plan" hint="It decides how many rules there can be, and which managed rules.">
        <Select value={chosen ?? current} onChange={(event) => setChosen(event.target.value)}>
          {shown.map((plan) => (
            <option key={plan.legacy_id} value={plan.legacy_id}>
              {plan.name}
            </option>
          ))}
        </Select>
      </Field>
      <Button
        disabled={chosen === undefined || chosen === current}
        isBusy={saving.isPending}
        onClick={() => chosen !== undefined && saving.mutate(chosen)}
      >
        Change plan
      </Button>
    </div>
  );
}

function PauseSwitch({ zone }: { readonly zone: Zone }) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const saving = useMutation({
    mutationFn: (paused: boolean) => client.patch('/zones/{zone_id}', { zone_id: zone.id, body: { paused } }),
    onSuccess(_, paused) {
      tell(paused ? `${zone.name} is paused` : `${zone.name} is protected again`);
      void queries.invalidateQueries({ queryKey: ['zones'] });
    },
    onError: (error) => tellError('The status was not changed', error),
    onSettled: () => setAsking(false),
  });
  return (
    <div className="row">
      <Pill tone={zone.paused ? 'warn' : 'good'}>{zone.paused ? 'paused' : 'active'}</Pill>
      <span>
        {zone.paused
          ? 'Requests are forwarded and no rule looks at them.'
          : 'Rules are applied to every request.'}
      </span>
      <Button
        isBusy={saving.isPending}
        onClick={() => (zone.paused ? saving.mutate(false) : setAsking(true))}
      >
        {zone.paused ? 'Resume protection' : 'Pause'}
      </Button>
      <Confirm
        title={`Pause ${zone.name}?`}
        isOpen={isAsking}
        action="Pause"
        isBusy={saving.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => saving.mutate(true)}
      >
        <p>Requests still reach the origin, but no rule looks at them until you resume.</p>
      </Confirm>
    </div>
  );
}
