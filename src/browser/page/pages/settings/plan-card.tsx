/** The plan of a site, and whether it is paused. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useZone } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { SelectField } from '../../parts/forms/field.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { ConfirmButton, WriteButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';

export function PlanCard() {
  return (
    <Card title="Plan and status">
      <div className="stack">
        <PlanChoice />
        <PauseSwitch />
      </div>
    </Card>
  );
}

function PlanChoice() {
  const { id: zone_id, plan } = useZone();
  const { data: plans = [plan] } = useQuery(read('/zones/{zone_id}/available_plans', { zone_id }));
  const [chosen, setChosen] = useState<string>();
  const saving = useWrite({
    write: () =>
      client.put('/zones/{zone_id}/subscription', { zone_id, body: { rate_plan: { id: chosen! } } }),
    done: 'The plan is changed',
    failed: 'The plan was not changed',
    onRead: () => setChosen(undefined),
  });
  return (
    <div className="row fields">
      <SelectField
        label="Plan"
        hint="It determines the number of rules and the available managed rules."
        options={Object.fromEntries(plans.map(({ legacy_id, name }) => [legacy_id, name]))}
        value={chosen ?? plan.legacy_id}
        onChange={setChosen}
      />
      <Button
        disabled={(chosen ?? plan.legacy_id) === plan.legacy_id}
        isBusy={saving.isPending}
        onClick={() => saving.mutate()}
      >
        Change plan
      </Button>
    </div>
  );
}

function PauseSwitch() {
  const { id: zone_id, name, paused } = useZone();
  const queries = useQueryClient();
  const change = {
    write: () => client.patch('/zones/{zone_id}', { zone_id, body: { paused: !paused } }),
    done: paused ? `${name} is protected again` : `${name} is paused`,
    failed: 'The status was not changed',
    onDone: () => void queries.invalidateQueries({ queryKey: ['zones'] }),
  };
  return (
    <div className="row">
      <Pill tone={paused ? 'warn' : 'good'}>{paused ? 'paused' : 'active'}</Pill>
      <span>
        {paused ? 'Requests are forwarded and no rule checks them.' : 'Rules are applied to every request.'}
      </span>
      {paused ? (
        <WriteButton {...change}>Resume protection</WriteButton>
      ) : (
        <ConfirmButton {...change} label="Pause" look="plain" title={`Pause ${name}?`} action="Pause">
          <p>Requests still reach the origin, but no rule checks them until you resume.</p>
        </ConfirmButton>
      )}
    </div>
  );
}
