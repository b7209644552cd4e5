/** "Protect this site": origin, plan and managed rules, one after the other. Nothing is changed before the last step. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import type { ZonePlan } from '../../api/types.ts';
import { Dialog } from '../../parts/forms/dialog.tsx';
import { Check, TextField } from '../../parts/forms/field.tsx';
import { useFields } from '../../parts/forms/fields.ts';
import { Form } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { Resource } from '../../parts/reading/resource.tsx';
import { originPattern, toOrigin, writeOrigin } from '../origins.ts';
import { readDone, writeDone } from './done-steps.ts';

interface Wish {
  readonly originUrl: string;
  readonly plan: ZonePlan;
}

interface ProtectDialogProps {
  readonly protection: Result<'protection.get'>;
  readonly onClose: () => void;
}

const plans: readonly (readonly [ZonePlan, string])[] = [
  ['pro', 'Pro: managed rules; events are kept for 24 hours'],
  ['business', 'Business: more rules of your own; events are kept for 72 hours'],
  ['enterprise', 'Enterprise: everything; events are kept for 30 days'],
];

export function ProtectDialog({ protection: { origin }, onClose }: ProtectDialogProps) {
  const { id, name, plan } = useZone();
  const [step, setStep] = useState(1);
  const {
    value: wish,
    change,
    bind,
  } = useFields<Wish>({
    originUrl: origin === null ? '' : writeOrigin(origin),
    plan: plan.legacy_id === 'free' ? 'pro' : plan.legacy_id,
  });
  const protecting = useWrite({
    write: () => protect(id, wish),
    done: () => ['The site is protected', 'You can undo it in the overview.'],
    onDone({ steps }) {
      writeDone(id, [...readDone(id), ...steps.flatMap(({ undo }) => undo ?? [])]);
      onClose();
    },
  });
  return (
    <Dialog title={`Protect ${name}`} onClose={onClose}>
      <Form
        action={step < 3 ? 'Next' : 'Protect this site'}
        work={protecting}
        failed="The site is not protected yet:"
        onSubmit={() => (step < 3 ? setStep(step + 1) : protecting.mutate())}
        cancel="Back"
        onCancel={step > 1 ? () => setStep(step - 1) : undefined}
      >
        <p className="soft" role="status">
          Step {step} of 3
        </p>
        {step === 1 && (
          <TextField
            label="Where is your application?"
            hint="Requests that pass are sent there, such as http://127.0.0.1:3000, or worker:NAME for a Worker of this server."
            type="url"
            required
            pattern={originPattern}
            {...bind('originUrl')}
          />
        )}
        {step === 2 && <PlanStep chosen={wish.plan} onChoose={(chosen) => change({ plan: chosen })} />}
        {step === 3 && <LastStep wish={wish} />}
      </Form>
    </Dialog>
  );
}

/** `isTrial`: returns what would happen, without changes. */
function protect(zone_id: string, wish: Wish, isTrial = false): Promise<Result<'protection.protect'>> {
  const body = { origin: toOrigin(wish.originUrl, {}), plan: wish.plan };
  const query = isTrial ? { dry_run: true } : {};
  return resultOf(client.post('/zones/{zone_id}/protection', { zone_id, query, body }));
}

interface PlanStepProps {
  readonly chosen: ZonePlan;
  readonly onChoose: (plan: ZonePlan) => void;
}

function PlanStep({ chosen, onChoose }: PlanStepProps) {
  const current = useZone().plan.legacy_id;
  return (
    <fieldset className="stack-close">
      <legend>Which plan? It decides what the zone can do, and costs nothing here.</legend>
      {plans.map(([plan, words]) => (
        <Check key={plan} type="radio" name="plan" value={chosen === plan} onChange={() => onChoose(plan)}>
          {words}
          {plan === current && ' (now)'}
        </Check>
      ))}
    </fieldset>
  );
}

function LastStep({ wish }: { readonly wish: Wish }) {
  const zoneId = useZoneId();
  const planned = useQuery({
    queryKey: ['zones', zoneId, 'protecting', wish],
    queryFn: () => protect(zoneId, wish, true),
    gcTime: 0,
  });
  return (
    <Resource of={planned} rows={4}>
      {({ steps, note }) => (
        <>
          <p>These steps are taken. Those that are not permanent can be undone in the overview:</p>
          <ol className="wrap">
            {[...steps.map(({ will }) => will), note].map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ol>
        </>
      )}
    </Resource>
  );
}
