/** The requests of validation mode as both generations saw them, those on which they differ first. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Fragment, useMemo, useState } from 'react';
import type { Zone } from '../../api/types.ts';
import { managedRulesetId, owaspRulesetId } from '../../api/managed-rulesets.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ActionPill, Pill } from '../../parts/pill.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { type Catalogue, compareGenerations, type ComparedRequest, type Matched } from './comparison.ts';
import { type ConfiguredRule } from './editor/configuration.ts';
import { comparedEventsQuery, managedRulesetQuery, type MigrationStatus } from './migration-api.ts';
import { TableHead } from '../../parts/table.tsx';

type Override = (rulesetId: string, ruleId: string, change: { action?: string; enabled?: boolean }) => void;

interface ComparisonProps {
  readonly zone: Zone;
  readonly status: MigrationStatus;
  readonly rules: readonly ConfiguredRule[];
  readonly isEdited: boolean;
  readonly onOverride: Override;
}

export function ComparisonCard({ zone, status, rules, isEdited, onOverride }: ComparisonProps) {
  const events = useQuery({ ...comparedEventsQuery(zone.id, status.created), refetchInterval: 15_000 });
  const catalogue = useCatalogue(zone.id, rules);
  const requests = useMemo(
    () =>
      events.data === undefined || catalogue === undefined
        ? undefined
        : compareGenerations(events.data.events, { rules, catalogue }),
    [events.data, rules, catalogue],
  );
  return (
    <Card
      title="Both versions side by side"
      actions={
        <Button onClick={() => void events.refetch()} isBusy={events.isFetching}>
          Refresh
        </Button>
      }
    >
      {events.isError && events.data === undefined ? (
        <Failed error={events.error} onRetry={() => void events.refetch()} />
      ) : requests === undefined ? (
        <Loading rows={4} />
      ) : requests.length === 0 ? (
        <Empty title="No rule has matched yet">
          <p>
            Requests that a managed rule of either version matches are listed here. Leave validation mode on
            while your usual visitors come by.
          </p>
        </Empty>
      ) : (
        <Comparison
          requests={requests}
          isEdited={isEdited}
          isComplete={events.data!.isComplete}
          onOverride={onOverride}
        />
      )}
    </Card>
  );
}

function useCatalogue(zoneId: string, rules: readonly ConfiguredRule[]): Catalogue | undefined {
  const ids = useMemo(() => {
    const executed = rules.flatMap(({ action_parameters }) => action_parameters?.id ?? []);
    return [...new Set([managedRulesetId, owaspRulesetId, ...executed])];
  }, [rules]);
  return useQueries({
    queries: ids.map((id) => managedRulesetQuery(zoneId, id)),
    combine: combineCatalogue,
  });
}

/** A ruleset that cannot be read is left out: its events are then shown with the actions that they recorded. */
function combineCatalogue(
  answers: readonly {
    readonly isPending: boolean;
    readonly data?: { readonly id: string; readonly rules: readonly CatalogueEntry[] } | undefined;
  }[],
): Catalogue | undefined {
  if (answers.some(({ isPending }) => isPending)) return undefined;
  return new Map(
    answers.flatMap(({ data }) =>
      data === undefined ? [] : [[data.id, new Map(data.rules.map((rule) => [rule.id, rule]))] as const],
    ),
  );
}

interface CatalogueEntry {
  readonly id: string;
  readonly action: string;
  readonly enabled: boolean;
  readonly categories?: readonly string[];
}

const shownAtFirst = 50;

interface ListProps {
  readonly requests: readonly ComparedRequest[];
  readonly isEdited: boolean;
  readonly isComplete: boolean;
  readonly onOverride: Override;
}

function Comparison({ requests, isEdited, isComplete, onOverride }: ListProps) {
  const [areAllShown, setAreAllShown] = useState(false);
  const count = (kind: ComparedRequest['kind']): number =>
    sumTimes(requests.filter((each) => each.kind === kind));
  const unknown = count('unknown');
  const agreed = count('agrees');
  return (
    <>
      <p className="migration-summary">
        <strong>
          The versions differ on {count('differs')} of {sumTimes(requests)} requests
        </strong>{' '}
        that a managed rule matched{isComplete ? '' : '; older requests are not compared'}.{' '}
        {unknown > 0 && `On ${unknown} the previous version was not asked, because the new one had acted. `}
        {isEdited && 'Your unsaved overrides are taken into account, changed exceptions are not.'}
      </p>
      <RequestTable
        requests={areAllShown ? requests : requests.filter(({ kind }) => kind !== 'agrees')}
        onOverride={onOverride}
      />
      {agreed > 0 && (
        <label className="migration-check">
          <input
            type="checkbox"
            checked={areAllShown}
            onChange={(event) => setAreAllShown(event.target.checked)}
          />
          Show the requests on which they agree ({agreed})
        </label>
      )}
    </>
  );
}

function sumTimes(requests: readonly ComparedRequest[]): number {
  return requests.reduce((sum, { times }) => sum + times, 0);
}

function RequestTable({ requests, onOverride }: Pick<ListProps, 'requests' | 'onOverride'>) {
  const [shown, setShown] = useState(shownAtFirst);
  if (requests.length === 0) return null;
  return (
    <>
      <div className="table-frame migration-frame" role="region" aria-label="Compared requests" tabIndex={0}>
        <table className="table migration-comparison">
          <TableHead columns={['Verdicts', 'Request', 'Previous version', 'New version']} />
          <tbody>
            {requests.slice(0, shown).map((each) => (
              <RequestRow key={each.ray} compared={each} onOverride={onOverride} />
            ))}
          </tbody>
        </table>
      </div>
      {requests.length > shown && (
        <Button className="migration-more" onClick={() => setShown(shown + 200)}>
          Show more ({requests.length - shown} left)
        </Button>
      )}
    </>
  );
}

const kinds = {
  differs: ['warn', 'differ'],
  unknown: ['neutral', 'not comparable'],
  agrees: ['good', 'agree'],
} as const;

function RequestRow({
  compared,
  onOverride,
}: {
  readonly compared: ComparedRequest;
  readonly onOverride: Override;
}) {
  const { request, times, previous, next, kind } = compared;
  const [tone, word] = kinds[kind];
  return (
    <tr>
      <td>
        <Pill tone={tone}>{word}</Pill>
      </td>
      <td>
        <div className="migration-request">
          <code>
            {request.clientRequestHTTPMethodName} {request.clientRequestPath}
            {request.clientRequestQuery}
          </code>
          <span className="soft">
            {times > 1 && `${times} times, last `}
            <Time at={request.datetime} isRelative /> from {request.clientIP}
          </span>
        </div>
      </td>
      <td>
        <Outcome outcome={previous.outcome} />
        <MatchedRules matched={previous.matched} />
      </td>
      <td>
        <Outcome outcome={next.outcome} />
        <MatchedRules matched={next.matched} onOverride={onOverride} />
      </td>
    </tr>
  );
}

function Outcome({ outcome }: { readonly outcome: string }) {
  return outcome === 'pass' ? <Pill tone="neutral">let through</Pill> : <ActionPill action={outcome} />;
}

/** The rules behind a verdict. Those of the new version can be changed on the spot. */
function MatchedRules({
  matched,
  onOverride,
}: {
  readonly matched: readonly Matched[];
  readonly onOverride?: Override;
}) {
  if (matched.length === 0) return null;
  return (
    <ul className="migration-matched">
      {matched.map(({ event, action }) => (
        <li key={event.id}>
          <span>{event.description === '' ? event.ruleId : event.description}</span>{' '}
          <span className="soft">({action.replaceAll('_', ' ')})</span>
          {onOverride !== undefined && ['block', 'log'].concat(challenges).includes(action) && (
            <Fragment>
              {' '}
              {action !== 'log' && (
                <button
                  type="button"
                  className="migration-inline"
                  aria-label={`Only log rule ${event.description}`}
                  onClick={() => onOverride(event.rulesetId, event.ruleId, { action: 'log', enabled: true })}
                >
                  Only log
                </button>
              )}
              <button
                type="button"
                className="migration-inline"
                aria-label={`Turn off rule ${event.description}`}
                onClick={() => onOverride(event.rulesetId, event.ruleId, { enabled: false })}
              >
                Turn off
              </button>
            </Fragment>
          )}
        </li>
      ))}
    </ul>
  );
}

const challenges = ['challenge', 'js_challenge', 'managed_challenge'];
