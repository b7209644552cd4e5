/** "Protect this site": origin, plan and managed rules, one after the other. Nothing is changed before the last step. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '../../api/api-error.ts';
import type { Plan, Zone } from '../../api/types.ts';
import { Dialog } from '../../parts/forms/dialog.tsx';
import { Check, TextField } from '../../parts/forms/field.tsx';
import { Form, FormError } from '../../parts/forms/form.tsx';
import { tell } from '../../parts/toasts.tsx';
import { type Done, protect, readDone, type Wish, writeDone } from './protect.ts';
import { originPattern, writeOrigin } from '../origins.ts';
import type { Protection } from './protection.ts';

interface ProtectDialogProps {
  readonly zone: Zone;
  readonly protection: Protection;
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
    mutationFn: () =>
      protect(zone.id, wish, (done: Done) => writeDone(zone.id, [...readDone(zone.id), done])),
    // Not waited for: what is asked again while the server is away is asked until it is back.
    onSettled: () => void queries.invalidateQueries({ queryKey: ['zones'] }),
    onSuccess() {
      tell('The site is protected', 'You can undo it in the overview.');
      onClose();
    },
  });
  const submit = (): void => {
    if (step < 3) setStep(step + 1);
    else protecting.mutate();
  };
  return (
    <Dialog title={`Protect ${zone.name}`} onClose={onClose}>
      <Form
        action={step < 3 ? 'Next' : 'Protect this site'}
        work={protecting}
        problem={
          protecting.isError && (
            <FormError>
              The site is not protected yet: {describeError(protecting.error)} What was done before that
              stays; correct it and try again, or undo it on the page.
            </FormError>
          )
        }
        onSubmit={submit}
        cancel="Back"
        {...(step > 1 ? { onCancel: () => setStep(step - 1) } : {})}
      >
        <p className="soft" role="status">
          Step {step} of 3
        </p>
        {step === 1 && <OriginStep wish={wish} onChange={setWish} />}
        {step === 2 && <PlanStep wish={wish} onChange={setWish} current={zone.plan.legacy_id} />}
        {step === 3 && <LastStep wish={wish} zone={zone} protection={protection} />}
      </Form>
    </Dialog>
  );
}

interface StepProps {
  readonly wish: Wish;
  readonly onChange: (wish: Wish) => void;
}

function OriginStep({ wish, onChange }: StepProps) {
  return (
    <TextField
      label="Where is your application?"
      hint="Requests that pass are sent there, such as http://127.0.0.1:3000, or worker:NAME for a Worker of this server."
      type="url"
      required
      pattern={originPattern}
      value={wish.originUrl}
      onChange={(originUrl) => onChange({ ...wish, originUrl })}
    />
  );
}

function PlanStep({ wish, onChange, current }: StepProps & { readonly current: Plan }) {
  return (
    <fieldset className="stack-close">
      <legend>Which plan? It decides what the zone can do, and costs nothing here.</legend>
      {plans.map(([plan, words]) => (
        <Check
          key={plan}
          type="radio"
          name="plan"
          checked={wish.plan === plan}
          onChange={() => onChange({ ...wish, plan })}
        >
          {words}
          {plan === current && ' (now)'}
        </Check>
      ))}
    </fieldset>
  );
}

function LastStep({
  wish,
  zone,
  protection,
}: Pick<ProtectDialogProps, 'zone' | 'protection'> & Pick<StepProps, 'wish'>) {
  const isSameOrigin = protection.origin !== null && writeOrigin(protection.origin) === wish.originUrl;
  const isSamePlan = zone.plan.legacy_id === wish.plan;
  return (
    <>
      <p>This is what happens, and all of it can be undone:</p>
      <ol className="wrap">
        <li>
          Requests to {zone.name} {isSameOrigin ? 'still go' : 'go'} to <code>{wish.originUrl}</code>.
        </li>
        <li>
          The plan {isSamePlan ? 'stays' : 'becomes'} {wish.plan}.
        </li>
        <li>
          {protection.managed === 'off'
            ? 'Managed rules are turned on: they block known attacks from the next request on.'
            : 'Managed rules are on already.'}
        </li>
        <li>
          Managed rules read 128 KiB of text in a body. Bodies with more are blocked, with an event from which
          you can except their path. Files in forms do not count.
        </li>
      </ol>
    </>
  );
}
