/** The requests of validation mode as both generations evaluated them, differences first. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EntryRule } from '../../api/managed/entry-point.ts';
import type { OverrideEdit } from '../../api/managed/overrides.ts';
import { useZone } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Check } from '../../parts/forms/field.tsx';
import { ActionPill, Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useSettled } from '../../parts/forms/use-settled.ts';
import {
  type ComparedRequest,
  type ComparedRule,
  comparisonQuery,
  type GenerationComparison,
} from './migration-api.ts';
import { countThings } from '../../parts/reading/count-things.ts';

type OnOverride = (rulesetId: string, ruleId: string, change: OverrideEdit) => void;

interface ComparisonProps {
  /** The edited, unsaved rules; undefined if there are none. */
  readonly edited: readonly EntryRule[] | undefined;
  readonly onOverride: OnOverride;
}

export function ComparisonCard({ edited, onOverride }: ComparisonProps) {
  const zone = useZone();
  const text = useSettled(edited && JSON.stringify(edited));
  const comparison = useQuery({
    ...comparisonQuery(zone.id, text && JSON.parse(text)),
    refetchInterval: 15_000,
  });
  return (
    <Card
      title="Both versions side by side"
      actions={
        <Button onClick={() => void comparison.refetch()} isBusy={comparison.isFetching}>
          Refresh
        </Button>
      }
    >
      <Resource of={comparison} rows={4}>
        {(compared) => (
          <div className="stack">
            {compared.requests === 0 ? (
              <Empty title="No rule has matched yet" command={`gatehouse migrate compare ${zone.name}`}>
                Requests that a managed rule of either version matches are listed here. Leave validation mode
                on during your usual traffic.
              </Empty>
            ) : (
              <Comparison comparison={compared} isEdited={edited !== undefined} onOverride={onOverride} />
            )}
            <ByEdge refusals={compared.by_edge} />
          </div>
        )}
      </Resource>
    </Card>
  );
}

/** Requests that neither version decided, so they cannot be overridden here. */
function ByEdge({ refusals }: { readonly refusals: GenerationComparison['by_edge'] }) {
  if (refusals.length === 0) return null;
  return (
    <div>
      <h3>By the edge itself, not compared</h3>
      <ul className="list small">
        {refusals.map(({ rule_id, action, description, requests }) => (
          <li key={`${rule_id} ${action}`}>
            <ActionPill action={action} /> {countThings(requests, 'request')}: <code>{rule_id}</code>{' '}
            <span className="soft">{description}</span>
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
  readonly onOverride: OnOverride;
}

function Comparison({ comparison, isEdited, onOverride }: ListProps) {
  const [areAllShown, setAreAllShown] = useState(false);
  const [shown, setShown] = useState(shownAtFirst);
  const { requests, differ, unknown, agree, is_complete: isComplete } = comparison;
  const compared = areAllShown
    ? comparison.compared
    : comparison.compared.filter(({ verdict }) => verdict !== 'agrees');
  return (
    <>
      <p>
        <strong>
          The versions differ on {differ} of {requests} requests
        </strong>{' '}
        that a managed rule matched{isComplete ? '' : '; older requests are not compared'}.{' '}
        {unknown > 0 && `On ${unknown} the previous version did not run, because the new one had acted. `}
        {isEdited && 'Your unsaved overrides are taken into account, changed exceptions are not.'}
      </p>
      {compared.length > 0 && (
        <DataTable
          label="Compared requests"
          className="migration-comparison"
          columns={listColumns(onOverride)}
          rows={compared.slice(0, shown)}
          keyOf={({ ray }) => ray}
        />
      )}
      {compared.length > shown && (
        <Button onClick={() => setShown(shown + 200)}>Show more ({compared.length - shown} left)</Button>
      )}
      {agree > 0 && (
        <Check value={areAllShown} onChange={setAreAllShown}>
          Show the requests on which they agree ({agree})
        </Check>
      )}
    </>
  );
}

const verdicts = {
  differs: ['warn', 'differ'],
  unknown: ['neutral', 'not comparable'],
  agrees: ['good', 'agree'],
} as const;

function listColumns(onOverride: OnOverride): readonly Column<ComparedRequest>[] {
  return [
    {
      title: 'Verdicts',
      cell({ verdict }) {
        const [tone, word] = verdicts[verdict];
        return <Pill tone={tone}>{word}</Pill>;
      },
    },
    {
      title: 'Request',
      cell: ({ method, path, query, times, datetime, client_ip }) => (
        <div className="wrap">
          <code>
            {method} {path}
            {query}
          </code>
          <p className="soft">
            {times > 1 && `${times} times, last `}
            <Time at={datetime} isRelative /> from {client_ip}
          </p>
        </div>
      ),
    },
    { title: 'Previous version', cell: ({ previous }) => <Judged {...previous} /> },
    { title: 'New version', cell: ({ next }) => <Judged {...next} onOverride={onOverride} /> },
  ];
}

interface JudgedProps {
  readonly outcome: string;
  readonly rules: readonly ComparedRule[];
  readonly onOverride?: OnOverride;
}

/** A verdict, and the rules that caused it. Those of the new version can be changed here. */
function Judged({ outcome, rules, onOverride }: JudgedProps) {
  return (
    <>
      {outcome === 'pass' ? <Pill>let through</Pill> : <ActionPill action={outcome} />}
      <ul className="list small">
        {rules.map((rule) => (
          <li key={rule.event_id}>
            {rule.description === '' ? rule.rule_id : rule.description}{' '}
            <span className="soft">({rule.action.replaceAll('_', ' ')})</span>{' '}
            {onOverride !== undefined && canBeOverridden.has(rule.action) && (
              <OverrideButtons rule={rule} onOverride={onOverride} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

const canBeOverridden = new Set(['block', 'log', 'challenge', 'js_challenge', 'managed_challenge']);

interface OverrideButtonsProps {
  readonly rule: ComparedRule;
  readonly onOverride: OnOverride;
}

function OverrideButtons({ rule, onOverride }: OverrideButtonsProps) {
  const { ruleset_id, rule_id, description, action } = rule;
  return (
    <>
      {action !== 'log' && (
        <Button
          look="link"
          aria-label={`Only log rule ${description}`}
          onClick={() => onOverride(ruleset_id, rule_id, { action: 'log', enabled: true })}
        >
          Only log
        </Button>
      )}{' '}
      <Button
        look="link"
        aria-label={`Turn off rule ${description}`}
        onClick={() => onOverride(ruleset_id, rule_id, { enabled: false })}
      >
        Turn off
      </Button>
    </>
  );
}
