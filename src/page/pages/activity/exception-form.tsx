/** Chooses an exception: the narrowest first, each tried on the log, so that the reader sees what else would get through. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result } from '#client';
import { describeError } from '../../api/api-error.ts';
import { client, resultOf } from '../../api/client.ts';
import type { EventSummary } from '../../api/events.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import type { Explained } from './explained.ts';
import { TriedOnLog } from './tried-on-log.tsx';

interface ExceptionFormProps {
  readonly zoneId: string;
  readonly explained: Explained;
  readonly onBack: () => void;
}

type Proposal = Result<'security.listExceptions'>[number];
type Verdict = Result<'security.makeException'>['verdict'];

const path = '/zones/{zone_id}/security/events/{event_id}/exceptions';

export function ExceptionForm({ zoneId, explained, onBack }: ExceptionFormProps) {
  const event = { zone_id: zoneId, event_id: explained.event.id };
  const proposals = useQuery({
    queryKey: ['zones', zoneId, 'exceptions', event.event_id],
    queryFn: ({ signal }) => resultOf(client.get(path, { ...event, signal })),
    // Each opening of the form starts from the configuration as it is then.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (proposals.isPending) return <Loading rows={4} />;
  if (proposals.isError) return <Failed error={proposals.error} onRetry={() => void proposals.refetch()} />;
  if (proposals.data.length === 0) {
    return (
      <Empty title="No exception is needed">
        <p>The rule is no longer in the configuration of this zone.</p>
        <Button onClick={onBack}>Back</Button>
      </Empty>
    );
  }
  return <Choice zoneId={zoneId} explained={explained} onBack={onBack} proposals={proposals.data} />;
}

function Choice({
  zoneId,
  explained,
  onBack,
  proposals,
}: ExceptionFormProps & { readonly proposals: readonly Proposal[] }) {
  const queries = useQueryClient();
  const [index, setIndex] = useState(0);
  const chosen = proposals[index]!;
  const saving = useMutation({
    async mutationFn() {
      const event = { zone_id: zoneId, event_id: explained.event.id };
      const { verdict } = await resultOf(client.post(path, { ...event, body: { id: chosen.id } }));
      await queries.invalidateQueries({ queryKey: ['zones', zoneId] });
      return verdict;
    },
  });
  if (saving.isSuccess) return <Saved explained={explained} verdict={saving.data} onBack={onBack} />;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Proposals proposals={proposals} index={index} onChoose={setIndex} />
      <TriedOnLog zoneId={zoneId} summary={chosen.tried} affected={chosen.affected} />
      <OtherRules explained={explained} />
      {saving.isError && (
        <p className="form-error" role="alert">
          The exception was not saved: {describeError(saving.error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" look="primary" isBusy={saving.isPending}>
          Save this exception
        </Button>
      </div>
    </form>
  );
}

function OtherRules({ explained: { explanation } }: { readonly explained: Explained }) {
  const count = explanation?.alsoDeciding?.length ?? 0;
  if (count === 0) return null;
  return (
    <p className="note">
      {count === 1 ? 'Another rule' : `${count} other rules`} would stop this request then. After saving, you
      see whether it passes.
    </p>
  );
}

interface ProposalsProps {
  readonly proposals: readonly Proposal[];
  readonly index: number;
  readonly onChoose: (index: number) => void;
}

function Proposals({ proposals, index, onChoose }: ProposalsProps) {
  return (
    <fieldset className="activity-proposals">
      <legend>What should no longer happen? The narrowest exception comes first.</legend>
      {proposals.map(({ title, effect, expression, tried }, each) => (
        <label key={title} className="activity-proposal">
          <input type="radio" name="proposal" checked={index === each} onChange={() => onChoose(each)} />
          <span className="activity-proposal-text">
            <strong>{title}</strong>
            <span className="soft">{effect}</span>
            {expression !== undefined && <code>{expression}</code>}
          </span>
          <span className="activity-proposal-count">{describeOthers(tried)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function describeOthers(summary: EventSummary): string {
  const others = Math.max(0, summary.total - 1);
  if (others === 0) return 'nothing else gets through';
  return `${summary.is_complete ? '' : 'more than '}${others.toLocaleString()} other ${others === 1 ? 'event gets' : 'events get'} through`;
}

interface SavedProps {
  readonly explained: Explained;
  readonly verdict: Verdict;
  readonly onBack: () => void;
}

/** The exception is saved, and the request judged again by what the log kept of it. */
function Saved({ explained: { event }, verdict, onBack }: SavedProps) {
  const isSame = verdict?.rule_id === event.ruleId && verdict.ruleset_id === event.rulesetId;
  return (
    <div className="stack" role="status">
      <p className="note">
        <strong>The exception is saved.</strong>{' '}
        {verdict === null
          ? 'The request could not be tried again: the log did not keep enough of it.'
          : verdict.action === 'pass'
            ? 'Tried again with what the log kept of it, the request passes.'
            : isSame
              ? 'Tried again, the request is still stopped by the same rule. Choose a wider exception.'
              : `Tried again, the request is now stopped by another rule: ${verdict.rule_id ?? 'unknown'}. Its event will show it.`}
      </p>
      <div className="dialog-actions">
        <Button onClick={onBack}>Back to the event</Button>
      </div>
    </div>
  );
}
