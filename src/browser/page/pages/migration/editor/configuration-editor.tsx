/** The rules of a configuration, each of which can be edited, with the server's check beside them. */
import { type ReactNode } from 'react';
import { ApiError } from '#client';
import type { EntryRule } from '../../../api/managed/entry-point.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { type Draft } from '../../../parts/forms/draft.ts';
import { Pill, type Tone } from '../../../parts/pill.tsx';
import { Outdated } from '../../../parts/forms/save.tsx';
import type { Note } from '../migration-api.ts';
import { Refused } from '../notes.tsx';
import { type Configuration, type DraftRule, readConfiguration } from './configuration.ts';
import { RuleCard } from './rule-card.tsx';
import type { Check } from './use-check.ts';

export type ConfigurationDraft = Draft<Configuration, readonly EntryRule[]>;

interface EditorProps {
  readonly about: ReactNode;
  readonly draft: ConfigurationDraft;
  readonly check: Check;
}

export function ConfigurationEditor({ about, draft, check }: EditorProps) {
  const { rules } = draft.value;
  const { byRule, others } = sortProblems(check.error, rules.length);
  const edit = (changed: readonly DraftRule[]): void => draft.change({ rules: changed });
  return (
    <Card title="New configuration" actions={<CheckState draft={draft} check={check} />}>
      <div className="stack">
        <p className="soft">{about}</p>
        {draft.isOutdated && <Outdated draft={draft} />}
        {others !== undefined && <Refused error={others} />}
        <ol className="list">
          {rules.map((each, index) => (
            <RuleCard
              key={each.key}
              draft={each}
              place={index}
              count={rules.length}
              problems={byRule.get(index) ?? []}
              onChange={(rule) => edit(rules.with(index, rule))}
              onMove={(to) => edit(rules.toSpliced(index, 1).toSpliced(to, 0, each))}
              onRemove={() => edit(rules.toSpliced(index, 1))}
            />
          ))}
        </ol>
        <div className="row">
          <Button onClick={() => edit([createException(), ...rules])}>Add an exception</Button>
          {draft.isEdited && <Button onClick={draft.discard}>Discard my changes</Button>}
        </div>
      </div>
    </Card>
  );
}

function createException(): DraftRule {
  const rule: EntryRule = {
    action: 'skip',
    expression: '',
    description: '',
    enabled: true,
    action_parameters: { ruleset: 'current' },
  };
  return { key: crypto.randomUUID(), rule };
}

function CheckState({ draft, check }: Omit<EditorProps, 'about'>) {
  const [tone, text] = describeCheck(draft, check);
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

function describeCheck({ value }: ConfigurationDraft, check: Check): readonly [Tone, string] {
  if (readConfiguration(value) === undefined) return ['bad', 'not JSON'];
  if (check.isChecking) return ['neutral', 'checking…'];
  return check.error === null ? ['good', 'accepted by the server'] : ['bad', 'not accepted'];
}

/** Problems with a pointer to a rule are shown there. */
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
