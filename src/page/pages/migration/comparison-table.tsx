/** The requests of validation mode as both generations saw them, those on which they differ first. */
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ActionPill, Pill } from '../../parts/pill.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { TableHead } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useSettled } from '../../parts/use-settled.ts';
import type { ConfiguredRule } from './editor/configuration.ts';
import {
  type ComparedRequest,
  type ComparedRule,
  comparisonQuery,
  type EdgeRefusals,
  type GenerationComparison,
} from './migration-api.ts';

type Override = (rulesetId: string, ruleId: string, change: { action?: string; enabled?: boolean }) => void;

interface ComparisonProps {
  readonly zone: Zone;
  /** Those that are edited and not saved; undefined if there are none. */
  readonly edited: readonly ConfiguredRule[] | undefined;
  readonly onOverride: Override;
}

export function ComparisonCard({ zone, edited, onOverride }: ComparisonProps) {
  const settled = useSettled(edited);
  const comparison = useQuery({ ...comparisonQuery(zone.id, settled), refetchInterval: 15_000 });
  return (
    <Card
      title="Both versions side by side"
      actions={
        <Button onClick={() => void comparison.refetch()} isBusy={comparison.isFetching}>
          Refresh
        </Button>
      }
    >
      {comparison.isError && comparison.data === undefined ? (
        <Failed error={comparison.error} onRetry={() => void comparison.refetch()} />
      ) : comparison.data === undefined ? (
        <Loading rows={4} />
      ) : (
        <>
          {comparison.data.requests === 0 ? (
            <Empty title="No rule has matched yet">
              <p>
                Requests that a managed rule of either version matches are listed here. Leave validation mode
                on while your usual visitors come by.
              </p>
            </Empty>
          ) : (
            <Comparison
              comparison={comparison.data}
              isEdited={edited !== undefined}
              onOverride={onOverride}
            />
          )}
          <ByEdge refusals={comparison.data.by_edge} />
        </>
      )}
    </Card>
  );
}

/** What neither version decided, so that nothing of it can be overridden here. */
function ByEdge({ refusals }: { readonly refusals: readonly EdgeRefusals[] }) {
  if (refusals.length === 0) return null;
  return (
    <div className="migration-by-edge">
      <h3>By the edge itself, not compared</h3>
      <ul className="migration-matched">
        {refusals.map(({ rule_id, action, description, requests }) => (
          <li key={`${rule_id} ${action}`}>
            <ActionPill action={action} /> {requests} {requests === 1 ? 'request' : 'requests'}:{' '}
            <code>{rule_id}</code> <span className="soft">{description}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

const shownAtFirst = 50;

interface ListProps {
  readonly comparison: GenerationComparison;
  readonly isEdited: boolean;
  readonly onOverride: Override;
}

function Comparison({ comparison, isEdited, onOverride }: ListProps) {
  const [areAllShown, setAreAllShown] = useState(false);
  const { requests, differ, unknown, agree, compared, is_complete: isComplete } = comparison;
  return (
    <>
      <p className="migration-summary">
        <strong>
          The versions differ on {differ} of {requests} requests
        </strong>{' '}
        that a managed rule matched{isComplete ? '' : '; older requests are not compared'}.{' '}
        {unknown > 0 && `On ${unknown} the previous version was not asked, because the new one had acted. `}
        {isEdited && 'Your unsaved overrides are taken into account, changed exceptions are not.'}
      </p>
      <RequestTable
        requests={areAllShown ? compared : compared.filter(({ verdict }) => verdict !== 'agrees')}
        onOverride={onOverride}
      />
      {agree > 0 && (
        <label className="migration-check">
          <input
            type="checkbox"
            checked={areAllShown}
            onChange={(event) => setAreAllShown(event.target.checked)}
          />
          Show the requests on which they agree ({agree})
        </label>
      )}
    </>
  );
}

interface TableProps {
  readonly requests: readonly ComparedRequest[];
  readonly onOverride: Override;
}

function RequestTable({ requests, onOverride }: TableProps) {
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

const verdicts = {
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
  const { method, path, query, times, previous, next, verdict } = compared;
  const [tone, word] = verdicts[verdict];
  return (
    <tr>
      <td>
        <Pill tone={tone}>{word}</Pill>
      </td>
      <td>
        <div className="migration-request">
          <code>
            {method} {path}
            {query}
          </code>
          <span className="soft">
            {times > 1 && `${times} times, last `}
            <Time at={compared.datetime} isRelative /> from {compared.client_ip}
          </span>
        </div>
      </td>
      <td>
        <Outcome outcome={previous.outcome} />
        <MatchedRules matched={previous.rules} />
      </td>
      <td>
        <Outcome outcome={next.outcome} />
        <MatchedRules matched={next.rules} onOverride={onOverride} />
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
  readonly matched: readonly ComparedRule[];
  readonly onOverride?: Override;
}) {
  if (matched.length === 0) return null;
  return (
    <ul className="migration-matched">
      {matched.map(({ event_id, rule_id, ruleset_id, description, action }) => (
        <li key={event_id}>
          <span>{description === '' ? rule_id : description}</span>{' '}
          <span className="soft">({action.replaceAll('_', ' ')})</span>
          {onOverride !== undefined && ['block', 'log'].concat(challenges).includes(action) && (
            <Fragment>
              {' '}
              {action !== 'log' && (
                <button
                  type="button"
                  className="migration-inline"
                  aria-label={`Only log rule ${description}`}
                  onClick={() => onOverride(ruleset_id, rule_id, { action: 'log', enabled: true })}
                >
                  Only log
                </button>
              )}
              <button
                type="button"
                className="migration-inline"
                aria-label={`Turn off rule ${description}`}
                onClick={() => onOverride(ruleset_id, rule_id, { enabled: false })}
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
