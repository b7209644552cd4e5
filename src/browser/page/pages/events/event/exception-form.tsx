/** Chooses an exception: the narrowest first, each tested on the log, so that the reader sees what else would pass. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result } from '#client';
import { client, resultOf } from '../../../api/client.ts';
import type { EventSummary } from '../../../api/events.ts';
import { useZoneId } from '../../../api/queries.ts';
import { read } from '../../../api/read.ts';
import { Button } from '../../../parts/button.tsx';
import { Form } from '../../../parts/forms/form.tsx';
import { useWrite } from '../../../parts/forms/use-write.ts';
import { Resource } from '../../../parts/reading/resource.tsx';
import { Message } from '../../../parts/reading/states.tsx';
import type { Explained } from './explained.ts';
import { TriedOnLog } from './tried-on-log.tsx';

interface ExceptionFormProps {
  readonly explained: Explained;
  readonly onBack: () => void;
}

type Proposal = Result<'security.listExceptions'>[number];
type ReplayedVerdict = Result<'security.makeException'>['verdict'];

const path = '/zones/{zone_id}/security/events/{event_id}/exceptions';

export function ExceptionForm({ explained, onBack }: ExceptionFormProps) {
  const proposals = useQuery({
    ...read(path, { zone_id: useZoneId(), event_id: explained.event.id }),
    // Each opening of the form starts from the current configuration.
    gcTime: 0,
    staleTime: 'static',
  });
  const none = (
    <Message title="No exception is needed">
      <p>The rule is no longer in the configuration of this zone.</p>
      <Button onClick={onBack}>Back</Button>
    </Message>
  );
  return (
    <Resource of={proposals} rows={4} empty={none}>
      {(all) => <Choice explained={explained} onBack={onBack} proposals={all} />}
    </Resource>
  );
}

interface ChoiceProps extends ExceptionFormProps {
  readonly proposals: readonly Proposal[];
}

function Choice({ explained, onBack, proposals }: ChoiceProps) {
  const event = { zone_id: useZoneId(), event_id: explained.event.id };
  const [index, setIndex] = useState(0);
  const chosen = proposals[index]!;
  const saving = useWrite({
    write: () => resultOf(client.post(path, { ...event, body: { id: chosen.id } })),
  });
  if (saving.isSuccess) return <Saved explained={explained} verdict={saving.data.verdict} onBack={onBack} />;
  return (
    <Form
      action="Save this exception"
      work={saving}
      failed="The exception was not saved:"
      onSubmit={saving.mutate}
      cancel="Back"
      onCancel={onBack}
    >
      <fieldset className="stack-close">
        <legend>Choose an exception. The narrowest comes first.</legend>
        {proposals.map(({ title, effect, expression, tried }, each) => (
          <label key={title} className="box choice">
            <input type="radio" name="proposal" checked={index === each} onChange={() => setIndex(each)} />
            <span className="grow stack-tight">
              <strong>{title}</strong>
              <span className="soft">{effect}</span>
              {expression !== undefined && <code>{expression}</code>}
            </span>
            <span className="small">{describeOthers(tried)}</span>
          </label>
        ))}
      </fieldset>
      <TriedOnLog summary={chosen.tried} affected={chosen.affected} />
      <OtherRules explained={explained} />
    </Form>
  );
}

function OtherRules({ explained: { explanation } }: { readonly explained: Explained }) {
  const count = explanation?.alsoDeciding?.length ?? 0;
  if (count === 0) return null;
  return (
    <p className="note">
      {count === 1 ? 'Another rule' : `${count.toLocaleString()} other rules`} would still stop this request.
      After saving, you see whether it passes.
    </p>
  );
}

function describeOthers(summary: EventSummary): string {
  const others = Math.max(0, summary.total - 1);
  if (others === 0) return 'nothing else gets through';
  return `${summary.is_complete ? '' : 'more than '}${others.toLocaleString()} other ${others === 1 ? 'event gets' : 'events get'} through`;
}

/** The exception is saved, and the request evaluated again from its logged parts. */
function Saved({ explained, verdict, onBack }: ExceptionFormProps & { readonly verdict: ReplayedVerdict }) {
  return (
    <div role="status">
      <p className="note">
        <strong>The exception is saved.</strong> {describeVerdict(explained, verdict)}
      </p>
      <div className="dialog-actions">
        <Button onClick={onBack}>Back to the event</Button>
      </div>
    </div>
  );
}

function describeVerdict({ event }: Explained, verdict: ReplayedVerdict): string {
  if (verdict === null) return 'The request could not be replayed: the log does not contain enough of it.';
  const { action, rule_id = 'unknown', ruleset_id } = verdict;
  if (action === 'pass') return 'Replayed from its logged parts, the request passes.';
  if (rule_id === event.ruleId && ruleset_id === event.rulesetId)
    return 'When replayed, the request is still stopped by the same rule. Choose a wider exception.';
  return `When replayed, the request is now stopped by another rule: ${rule_id}. The next event shows the details.`;
}
