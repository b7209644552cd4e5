/** "Protect this site": origin, plan and managed rules, one after the other. Nothing is changed before the last step. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { Result } from '#client';
import { describeError } from '../../api/api-error.ts';
import { client, resultOf } from '../../api/client.ts';
import type { Plan, Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Loading } from '../../parts/states.tsx';
import { tell } from '../../parts/toasts.tsx';
import { originPattern, toOrigin, writeOrigin } from '../origins.ts';
import { readDone, writeDone } from './done-steps.ts';

interface Wish {
  readonly originUrl: string;
  readonly plan: Plan;
}

interface ProtectDialogProps {
  readonly zone: Zone;
  readonly protection: Result<'protection.get'>;
  readonly onClose: () => void;
}

const plans: readonly (readonly [Plan, string])[] = [
  ['pro', 'Pro: managed rules; events are kept for 24 hours'],
  ['business', 'Business: more rules of your own; events are kept for 72 hours'],
  ['enterprise', 'Enterprise: everything; events are kept for 30 days'],
];

export function ProtectDialog({ zone, protection, onClose }: ProtectDialogProps) {
  const queries = useQueryClient();
  const [step, setStep] = useState(1);
  const [wish, setWish] = useState<Wish>({
    originUrl: protection.origin === null ? '' : writeOrigin(protection.origin),
    plan: zone.plan.legacy_id === 'free' ? 'pro' : zone.plan.legacy_id,
  });
  const protecting = useMutation({
    mutationFn: () => protect(zone.id, wish),
    // Not waited for: what is asked again while the server is away is asked until it is back.
    onSettled: () => void queries.invalidateQueries({ queryKey: ['zones'] }),
    onSuccess({ steps }) {
      writeDone(zone.id, [...readDone(zone.id), ...steps.flatMap(({ undo }) => undo ?? [])]);
      tell('The site is protected', 'You can undo it in the overview.');
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (step < 3) setStep(step + 1);
    else protecting.mutate();
  };
  return (
    <Dialog title={`Protect ${zone.name}`} isOpen onClose={onClose}>
      <form onSubmit={submit} className="stack">
        <p className="soft" role="status">
          Step {step} of 3
        </p>
        {step === 1 && <OriginStep wish={wish} onChange={setWish} />}
        {step === 2 && <PlanStep wish={wish} onChange={setWish} current={zone.plan.legacy_id} />}
        {step === 3 && <LastStep wish={wish} zone={zone} />}
        {protecting.isError && (
          <p className="form-error" role="alert">
            The site is not protected yet: {describeError(protecting.error)}
          </p>
        )}
        <div className="dialog-actions">
          {step > 1 && <Button onClick={() => setStep(step - 1)}>Back</Button>}
          <Button type="submit" look="primary" isBusy={protecting.isPending}>
            {step < 3 ? 'Next' : 'Protect this site'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** `isTrial`: says what would happen, and changes nothing. */
function protect(zoneId: string, wish: Wish, isTrial = false): Promise<Result<'protection.protect'>> {
  const body = { origin: toOrigin(wish.originUrl, {}), plan: wish.plan };
  const query = isTrial ? { dry_run: true } : {};
  return resultOf(client.post('/zones/{zone_id}/protection', { zone_id: zoneId, query, body }));
}

interface StepProps {
  readonly wish: Wish;
  readonly onChange: (wish: Wish) => void;
}

function OriginStep({ wish, onChange }: StepProps) {
  return (
    <Field
      label="Where is your application?"
      hint="Requests that pass are sent there, such as http://127.0.0.1:3000, or worker:NAME for a Worker of this server."
    >
      <TextInput
        type="url"
        required
        pattern={originPattern}
        value={wish.originUrl}
        onChange={(event) => onChange({ ...wish, originUrl: event.currentTarget.value })}
      />
    </Field>
  );
}

function PlanStep({ wish, onChange, current }: StepProps & { readonly current: Plan }) {
  return (
    <fieldset className="overview-plans">
      <legend>Which plan? It decides what the zone can do, and costs nothing here.</legend>
      {plans.map(([plan, words]) => (
        <label key={plan} className="row">
          <input
            type="radio"
            name="plan"
            checked={wish.plan === plan}
            onChange={() => onChange({ ...wish, plan })}
          />
          {words}
          {plan === current && ' (now)'}
        </label>
      ))}
    </fieldset>
  );
}

function LastStep({ wish, zone }: Pick<ProtectDialogProps, 'zone'> & Pick<StepProps, 'wish'>) {
  const planned = useQuery({
    queryKey: ['zones', zone.id, 'protecting', wish],
    queryFn: () => protect(zone.id, wish, true),
    gcTime: 0,
  });
  if (planned.isPending) return <Loading rows={4} />;
  if (planned.isError) {
    return (
      <p className="form-error" role="alert">
        The site cannot be protected like this: {describeError(planned.error)}
      </p>
    );
  }
  const { steps, note } = planned.data;
  return (
    <>
      <p>This is what happens, and all of it can be undone:</p>
      <ol className="overview-steps">
        {[...steps.map(({ will }) => will), note].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
    </>
  );
}
