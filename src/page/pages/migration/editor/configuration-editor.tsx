/** The rules of a configuration, each of which can be edited, with the server's opinion beside it. */
import { type ReactNode } from 'react';
import { ApiError } from '#client';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { Pill } from '../../../parts/pill.tsx';
import type { Note } from '../migration-api.ts';
import { Refused } from '../notes.tsx';
import type { DraftRule } from './configuration.ts';
import { RuleCard } from './rule-card.tsx';
import type { Check } from './use-check.ts';
import type { Draft } from './use-draft.ts';

interface EditorProps {
  readonly zoneId: string;
  readonly title: string;
  readonly about: ReactNode;
  readonly draft: Draft;
  readonly check: Check;
}

export function ConfigurationEditor({ zoneId, title, about, draft, check }: EditorProps) {
  const { rules } = draft;
  const { byRule, others } = sortProblems(check.error, rules.length);
  const replace = (index: number, rule: DraftRule): void => draft.edit(rules.with(index, rule));
  const move = (from: number, to: number): void =>
    draft.edit(rules.toSpliced(from, 1).toSpliced(to, 0, rules[from]!));
  return (
    <Card title={title} actions={<CheckState draft={draft} check={check} />}>
      <p className="soft migration-lead">{about}</p>
      {draft.isOutdated && <Outdated draft={draft} />}
      {others !== undefined && <Refused zoneId={zoneId} error={others} />}
      <ol className="migration-rules">
        {rules.map((each, index) => (
          <RuleCard
            key={each.key}
            zoneId={zoneId}
            draft={each}
            place={index}
            count={rules.length}
            problems={byRule.get(index) ?? []}
            onChange={(rule) => replace(index, rule)}
            onMove={(to) => move(index, to)}
            onRemove={() => draft.edit(rules.toSpliced(index, 1))}
          />
        ))}
      </ol>
      <div className="row migration-after">
        <Button onClick={() => draft.edit([createException(), ...rules])}>Add an exception</Button>
        {draft.isEdited && <Button onClick={draft.discard}>Discard my changes</Button>}
      </div>
    </Card>
  );
}

function createException(): DraftRule {
  const rule = {
    action: 'skip',
    expression: '',
    description: '',
    enabled: true,
    action_parameters: { ruleset: 'current' },
  };
  return { key: crypto.randomUUID(), rule };
}

function CheckState({ draft, check }: { readonly draft: Draft; readonly check: Check }) {
  const [tone, text] =
    draft.configuration === undefined
      ? (['bad', 'not JSON'] as const)
      : check.isChecking
        ? (['neutral', 'checking…'] as const)
        : check.error !== null
          ? (['bad', 'not accepted'] as const)
          : (['good', 'accepted by the server'] as const);
  return (
    <span role="status" className="row">
      {draft.isEdited && <Pill tone="info">edited</Pill>}
      <Pill tone={tone}>{text}</Pill>
      {check.error !== null && !(check.error instanceof ApiError) && (
        <Button onClick={check.retry}>Try again</Button>
      )}
    </span>
  );
}

function Outdated({ draft }: { readonly draft: Draft }) {
  return (
    <div className="migration-refused" role="alert">
      <p>
        <strong>This has changed since you began to edit it.</strong> Someone else may be working on the same
        site. Your edits below are not lost, and not sent.
      </p>
      <div className="row">
        <Button onClick={draft.keep}>Keep my edits</Button>
        <Button onClick={draft.discard}>Show what is there now</Button>
      </div>
    </div>
  );
}

/** Problems that point at a rule are shown there. */
function sortProblems(error: unknown, count: number) {
  const byRule = new Map<number, readonly Note[]>();
  if (!(error instanceof ApiError)) return { byRule, others: error ?? undefined };
  const others: Note[] = [];
  for (const entry of error.errors) {
    const index = Number(/^\/rules\/(\d+)/.exec(entry.source?.pointer ?? '')?.[1] ?? -1);
    if (index < 0 || index >= count) others.push(entry);
    else byRule.set(index, [...(byRule.get(index) ?? []), entry]);
  }
  const isElsewhere = others.length > 0 || byRule.size === 0;
  return {
    byRule,
    others: isElsewhere ? new ApiError(error.call, { status: error.status, errors: others }) : undefined,
  };
}
