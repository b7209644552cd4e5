/** From the previous managed rules to managed rulesets: review, validation mode, the last step, done. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { zoneQuery } from '../../api/queries.ts';
import type { Zone } from '../../api/types.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { type MigrationStatus, statusQuery } from './migration-api.ts';
import { choosePollMs, type MigrationState } from './migration-state.ts';
import { Review } from './review.tsx';
import { Validation } from './validation.tsx';
import './migration.css';

export function MigrationPage() {
  const { zoneId } = useParams({ from: '/signed-in/zones/$zoneId/managed-rules/update' });
  const zone = useQuery(zoneQuery(zoneId));
  const status = useFollowedStatus(zoneId);
  return (
    <>
      <PageHead
        title="Update to managed rulesets"
        about="Moves this site from the previous managed rules to managed rulesets. At every moment at least one of them is in force."
      />
      {zone.data === undefined || status.data === undefined ? (
        status.isError ? (
          <Failed error={status.error} onRetry={() => void status.refetch()} />
        ) : (
          <Loading rows={6} />
        )
      ) : (
        <Migration key={zoneId} zone={zone.data} status={status.data} />
      )}
    </>
  );
}

/** The state of the migration, read again and again: somebody else may be at it, and the last step takes its time. */
function useFollowedStatus(zoneId: string) {
  const queries = useQueryClient();
  const query = statusQuery(zoneId);
  const [entered, setEntered] = useState<{ readonly state: MigrationState; readonly updates: number }>();
  const status = useQuery({
    ...query,
    refetchInterval: ({ state: { data, dataUpdateCount, fetchFailureCount } }) => {
      const state = data?.migration_state ?? 'start';
      const attempts = entered?.state === state ? dataUpdateCount - entered.updates : 0;
      return choosePollMs(state, attempts + fetchFailureCount);
    },
  });
  const state = status.data?.migration_state;
  if (state !== undefined && state !== entered?.state) {
    setEntered({ state, updates: queries.getQueryState(query.queryKey)?.dataUpdateCount ?? 0 });
  }
  return status;
}

function Migration({ zone, status }: { readonly zone: Zone; readonly status: MigrationStatus }) {
  const queries = useQueryClient();
  const { migration_state: state } = status;
  const [own, setOwn] = useState<MigrationState>();
  const notice = useNotice(state, own);
  useEffect(() => {
    // Every other page of the zone shows something else from here on.
    if (state === 'complete') void queries.invalidateQueries({ queryKey: ['zones', zone.id] });
  }, [state, zone.id, queries]);
  return (
    <div className="stack migration">
      {state !== 'default' && <Steps zone={zone} state={state} />}
      <p className="visually-hidden" role="status">
        {spoken[state]}
      </p>
      {notice !== undefined && (
        <p className="note" role="alert">
          {notice}
        </p>
      )}
      <StepView zone={zone} status={status} onSent={setOwn} />
    </div>
  );
}

interface StepViewProps {
  readonly zone: Zone;
  readonly status: MigrationStatus;
  readonly onSent: (state: MigrationState) => void;
}

function StepView({ zone, status, onSent }: StepViewProps) {
  switch (status.migration_state) {
    case 'default':
      return <NothingToUpdate zone={zone} />;
    case 'start':
      return <Review zone={zone} onSent={onSent} />;
    case 'validation':
      return <Validation zone={zone} status={status} onSent={onSent} />;
    case 'pending':
      return <TurningOff status={status} />;
    case 'complete':
      return <Done zone={zone} status={status} />;
  }
}

/** What happened if somebody else moved the zone on. */
function useNotice(state: MigrationState, own: MigrationState | undefined): string | undefined {
  const [seen, setSeen] = useState<MigrationState>(state);
  const [notice, setNotice] = useState<string>();
  if (state !== seen) {
    setSeen(state);
    const isOwn = own === state || (state === 'complete' && (own === 'pending' || seen === 'pending'));
    if (!isOwn) setNotice(changes[state]);
  }
  return notice;
}

const changes: Readonly<Partial<Record<MigrationState, string>>> = {
  validation:
    'Someone else has put this site into validation mode while this page was open. What you see now is the configuration that they deployed.',
  pending:
    'Someone else has started the last step while this page was open. Nothing that you edited here was sent.',
  complete:
    'Someone else has finished the update while this page was open. Nothing that you edited here was sent.',
};

/** For those who do not see that the page has changed. */
const spoken: Readonly<Partial<Record<MigrationState, string>>> = {
  validation: 'The site is in validation mode.',
  pending: 'The previous version is being turned off.',
  complete: 'The update has finished.',
};

const order: readonly MigrationState[] = ['start', 'validation', 'pending', 'complete'];
const labels = {
  start: 'Review configuration',
  validation: 'Validate',
  pending: 'Turn off previous version',
  complete: 'Done',
} as const;

function Steps({ zone, state }: { readonly zone: Zone; readonly state: MigrationState }) {
  const hasValidation = zone.plan.legacy_id === 'enterprise';
  const shown = (['start', 'validation', 'pending', 'complete'] as const).filter(
    (step) => step !== 'validation' || hasValidation,
  );
  return (
    <ol className="migration-steps" aria-label="Steps">
      {shown.map((step) => (
        <li
          key={step}
          aria-current={step === state ? 'step' : undefined}
          className={order.indexOf(step) < order.indexOf(state) ? 'migration-step-done' : undefined}
        >
          {step === 'pending' && !hasValidation ? 'Deploy' : labels[step]}
        </li>
      ))}
    </ol>
  );
}

function NothingToUpdate({ zone }: { readonly zone: Zone }) {
  return (
    <div className="state">
      <p className="state-title">There is nothing to update on this site</p>
      <p>
        {zone.name} is on the Free plan, which never had the previous managed rules. Managed rulesets can be
        deployed directly.
      </p>
      <ManagedRulesLink zone={zone} />
    </div>
  );
}

function TurningOff({ status }: { readonly status: MigrationStatus }) {
  return (
    <div className="state">
      <p className="state-title">The previous version is being turned off</p>
      <p>
        The new managed rules are {status.new_waf_status === 'enabled' ? 'in force' : 'not in force yet'}, the
        previous ones {status.old_waf_status === 'enabled' ? 'still are' : 'are off'}. This page shows when it
        is done; you can leave it, the server goes on by itself.
      </p>
      {status.new_waf_status === 'disabled' && status.old_waf_status === 'enabled' && (
        <p>
          The new rules were removed or disabled in the meantime. The previous version stays in force until
          the managed rulesets are deployed again.
        </p>
      )}
    </div>
  );
}

function Done({ zone, status }: Pick<StepViewProps, 'zone' | 'status'>) {
  return (
    <div className="state migration-done">
      <p className="state-title">The update is complete</p>
      <p>
        {status.new_waf_status === 'enabled'
          ? `Managed rulesets protect ${zone.name}.`
          : `No managed ruleset is in force on ${zone.name}: deploy one to be protected.`}{' '}
        The previous managed rules are off for good, and their API answers no more.
      </p>
      <p>
        There is no common switch any more: each ruleset is deployed by its own rule. Page rules and firewall
        rules no longer turn managed rules off; their exceptions were carried over.
      </p>
      <ManagedRulesLink zone={zone} />
    </div>
  );
}

function ManagedRulesLink({ zone }: { readonly zone: Zone }) {
  return (
    <Link
      to="/zones/$zoneId/managed-rules"
      params={{ zoneId: zone.id }}
      className="button button-primary migration-link"
    >
      Go to managed rules
    </Link>
  );
}
