/** Chooses an exception: the narrowest first, each tried on the log, so that the reader sees what else would get through. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '../../api/api-error.ts';
import { countEvents, type EventSummary } from '../../api/events.ts';
import { zoneQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { listProposals } from './exceptions/list-proposals.ts';
import { type Proposal } from './exceptions/proposal.ts';
import { type Explained, type Trace, traceAgain } from './explained.ts';
import { TriedOnLog } from './tried-on-log.tsx';

interface ExceptionFormProps {
  readonly zoneId: string;
  readonly explained: Explained;
  readonly onBack: () => void;
}

/** As far back as any log goes. */
const since = '30d';

export function ExceptionForm({ zoneId, explained, onBack }: ExceptionFormProps) {
  const queries = useQueryClient();
  const { id } = explained.event;
  const proposals = useQuery({
    queryKey: ['zones', zoneId, 'exceptions', id],
    queryFn: async () => listProposals(await queries.ensureQueryData(zoneQuery(zoneId)), explained),
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
  const tried = useQuery({
    queryKey: ['zones', zoneId, 'tried', explained.event.id],
    queryFn: ({ signal }) => Promise.all(proposals.map((each) => tryOnLog(zoneId, each, signal))),
    gcTime: 0,
  });
  const saving = useMutation({
    async mutationFn() {
      await proposals[index]!.save();
      await queries.invalidateQueries({ queryKey: ['zones', zoneId] });
      return traceAgain(zoneId, explained.event).catch(() => undefined);
    },
  });
  if (saving.isSuccess) return <Saved explained={explained} trace={saving.data} onBack={onBack} />;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Proposals proposals={proposals} tried={tried.data} index={index} onChoose={setIndex} />
      {tried.isError ? (
        <Failed error={tried.error} onRetry={() => void tried.refetch()} />
      ) : tried.isPending ? (
        <Loading rows={2} />
      ) : (
        <TriedOnLog
          summary={tried.data[index]!}
          zoneId={zoneId}
          affected={proposals[index]!.affected}
          since={since}
        />
      )}
      <OtherRules explained={explained} />
      {saving.isError && (
        <p className="form-error" role="alert">
          The exception was not saved: {describeError(saving.error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" look="primary" isBusy={saving.isPending} disabled={!tried.isSuccess}>
          Save this exception
        </Button>
      </div>
    </form>
  );
}

function tryOnLog(zoneId: string, { affected }: Proposal, signal: AbortSignal): Promise<EventSummary> {
  return countEvents(
    zoneId,
    { since, ...affected },
    { by: ['clientRequestPath', 'clientIP'], limit: 8, signal },
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
  readonly tried: readonly EventSummary[] | undefined;
  readonly index: number;
  readonly onChoose: (index: number) => void;
}

function Proposals({ proposals, tried, index, onChoose }: ProposalsProps) {
  return (
    <fieldset className="activity-proposals">
      <legend>What should no longer happen? The narrowest exception comes first.</legend>
      {proposals.map(({ title, effect, expression }, each) => (
        <label key={title} className="activity-proposal">
          <input type="radio" name="proposal" checked={index === each} onChange={() => onChoose(each)} />
          <span className="activity-proposal-text">
            <strong>{title}</strong>
            <span className="soft">{effect}</span>
            {expression !== undefined && <code>{expression}</code>}
          </span>
          <span className="activity-proposal-count">{describeOthers(tried?.[each])}</span>
        </label>
      ))}
    </fieldset>
  );
}

function describeOthers(summary: EventSummary | undefined): string {
  if (summary === undefined) return '…';
  const others = Math.max(0, summary.total - 1);
  if (others === 0) return 'nothing else gets through';
  return `${summary.is_complete ? '' : 'more than '}${others.toLocaleString()} other ${others === 1 ? 'event gets' : 'events get'} through`;
}

interface SavedProps {
  readonly explained: Explained;
  readonly trace: Trace | undefined;
  readonly onBack: () => void;
}

/** The exception is saved, and the request judged again by what the log kept of it. */
function Saved({ explained: { event }, trace, onBack }: SavedProps) {
  const isSame = trace?.verdict.rule_id === event.ruleId && trace.verdict.ruleset_id === event.rulesetId;
  return (
    <div className="stack" role="status">
      <p className="note">
        <strong>The exception is saved.</strong>{' '}
        {trace === undefined
          ? 'The request could not be tried again: the log did not keep enough of it.'
          : trace.verdict.action === 'pass'
            ? 'Tried again with what the log kept of it, the request passes.'
            : isSame
              ? 'Tried again, the request is still stopped by the same rule. Choose a wider exception.'
              : `Tried again, the request is now stopped by another rule: ${trace.verdict.rule_id ?? 'unknown'}. Its event will show it.`}
      </p>
      <div className="dialog-actions">
        <Button onClick={onBack}>Back to the event</Button>
      </div>
    </div>
  );
}
