/** From the previous managed rules to managed rulesets: review, validation mode, the last step, done. */
import './migration.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useZone, useZoneId } from '../../api/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Message } from '../../parts/reading/states.tsx';
import { useReadAgain } from '../../parts/forms/use-write.ts';
import { type MigrationStatus, statusQuery } from './migration-api.ts';
import { choosePollMs, type MigrationState } from './migration-state.ts';
import { Review } from './review.tsx';
import { Validation } from './validation.tsx';

export function MigrationPage() {
  const zoneId = useZoneId();
  return (
    <>
      <PageHead
        title="Update to managed rulesets"
        about="Moves this site from the previous managed rules to managed rulesets. At every moment at least one of them is in force."
      />
      <Resource of={useFollowedStatus(zoneId)} rows={6}>
        {(status) => <Migration key={zoneId} status={status} />}
      </Resource>
    </>
  );
}

/** The state of the migration, polled: another user may be migrating the zone, and the last step takes time. */
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

function Migration({ status }: StatusProps) {
  const { migration_state: state } = status;
  const [own, setOwn] = useState<MigrationState>();
  const notice = useNotice(state, own);
  return (
    <div className="stack">
      {state !== 'default' && <Steps state={state} />}
      <p className="visually-hidden" role="status">
        {spoken[state]}
      </p>
      {notice !== undefined && (
        <p className="note" role="alert">
          {notice}
        </p>
      )}
      <StepView status={status} onSent={setOwn} />
    </div>
  );
}

interface StatusProps {
  readonly status: MigrationStatus;
}

function StepView({ status, onSent }: StatusProps & { readonly onSent: (state: MigrationState) => void }) {
  switch (status.migration_state) {
    case 'default':
      return <NothingToUpdate />;
    case 'start':
      return <Review onSent={onSent} />;
    case 'validation':
      return <Validation status={status} onSent={onSent} />;
    case 'pending':
      return <TurningOff status={status} />;
    case 'complete':
      return <Done status={status} />;
  }
}

/** A notice if another user has advanced the migration. */
function useNotice(state: MigrationState, own: MigrationState | undefined): string | undefined {
  const readAgain = useReadAgain();
  const [seen, setSeen] = useState<MigrationState>(state);
  const [notice, setNotice] = useState<string>();
  if (state !== seen) {
    setSeen(state);
    const isOwn = own === state || (state === 'complete' && (own === 'pending' || seen === 'pending'));
    if (!isOwn) setNotice(changes[state]);
    // From here on, every other page of the zone has other content.
    if (state === 'complete') queueMicrotask(() => void readAgain());
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

/** For screen readers, because the page has changed. */
const spoken: Readonly<Partial<Record<MigrationState, string>>> = {
  validation: 'The site is in validation mode.',
  pending: 'The previous version is being turned off.',
  complete: 'The update has finished.',
};

const steps = {
  start: 'Review configuration',
  validation: 'Validate',
  pending: 'Turn off previous version',
  complete: 'Done',
} as const;
const order = Object.keys(steps) as readonly (keyof typeof steps)[];

function Steps({ state }: { readonly state: Exclude<MigrationState, 'default'> }) {
  const hasValidation = useZone().plan.legacy_id === 'enterprise';
  return (
    <ol className="migration-steps" aria-label="Steps">
      {order
        .filter((step) => step !== 'validation' || hasValidation)
        .map((step) => (
          <li
            key={step}
            aria-current={step === state ? 'step' : undefined}
            className={order.indexOf(step) < order.indexOf(state) ? 'migration-step-done' : undefined}
          >
            {step === 'pending' && !hasValidation ? 'Deploy' : steps[step]}
          </li>
        ))}
    </ol>
  );
}

function NothingToUpdate() {
  return (
    <Ending title="There is nothing to update on this site">
      {useZone().name} is on the Free plan, which never had the previous managed rules. Managed rulesets can
      be deployed directly.
    </Ending>
  );
}

function TurningOff({ status: { new_waf_status, old_waf_status } }: StatusProps) {
  const isReversed = new_waf_status === 'disabled' && old_waf_status === 'enabled';
  return (
    <Message title="The previous version is being turned off">
      <p>
        The new managed rules are {new_waf_status === 'enabled' ? 'in force' : 'not in force yet'}, the
        previous ones {old_waf_status === 'enabled' ? 'still are' : 'are off'}. This page shows when it is
        done. You can leave it: the server continues.
      </p>
      {isReversed && (
        <p>
          The new rules were removed or disabled in the meantime. The previous version stays in force until
          the managed rulesets are deployed again.
        </p>
      )}
    </Message>
  );
}

function Done({ status }: StatusProps) {
  const { name } = useZone();
  return (
    <Ending title="The update is complete">
      <p>
        {status.new_waf_status === 'enabled'
          ? `Managed rulesets protect ${name}.`
          : `No managed ruleset is in force on ${name}: deploy one to be protected.`}{' '}
        The previous managed rules are permanently off, and their API no longer answers.
      </p>
      <p>
        There is no longer a single switch: each ruleset is deployed by its own rule. Page rules and firewall
        rules no longer turn managed rules off; their exceptions were carried over.
      </p>
    </Ending>
  );
}

function Ending({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Message title={title}>
      <div className="stack">
        <div>{children}</div>
        <div>
          <Link
            to="/zones/$zoneId/managed-rules"
            params={{ zoneId: useZoneId() }}
            className="button button-primary"
          >
            Go to managed rules
          </Link>
        </div>
      </div>
    </Message>
  );
}
