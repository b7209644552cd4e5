/** The rules of a phase, in their order and with their effects; or the editor of one, whose id is in the URL. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../../parts/button.tsx';
import { PageHead } from '../../../parts/page-head.tsx';
import { Resource } from '../../../parts/reading/resource.tsx';
import { RuleBoard } from '../rule-board.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { createChanges, type RulesetPlace, rulesetQuery, rulesOf, toListed } from './ruleset-rules.ts';

interface RulesetPageProps {
  readonly title: string;
  readonly about: ReactNode;
  /** The label of the button that creates a rule. */
  readonly action: string;
  readonly place: RulesetPlace;
  /** The open rule; `new` for one that does not exist yet. */
  readonly ruleId: string | undefined;
  readonly onOpen: (ruleId?: string) => void;
  /** The empty state of the list. */
  readonly none: ReactNode;
  /** Below the rules. */
  readonly children: ReactNode;
}

export function RulesetPage(props: RulesetPageProps) {
  const { title, about, action, place, ruleId, onOpen, none, children } = props;
  const ruleset = useQuery(rulesetQuery(place));
  if (ruleId !== undefined && ruleset.data !== undefined) {
    return (
      <RuleEditor
        key={ruleId}
        {...{ title, place, ruleId }}
        ruleset={ruleset.data}
        onClose={() => onOpen()}
      />
    );
  }
  const isOfAccount = place.ofAccount !== undefined;
  return (
    <>
      <PageHead title={isOfAccount ? (ruleset.data?.name ?? 'Ruleset') : title} about={about}>
        <Button look="primary" onClick={() => onOpen('new')}>
          {action}
        </Button>
      </PageHead>
      <div className="stack">
        <Resource of={ruleset} rows={6}>
          {(known) => (
            <RuleBoard
              rules={rulesOf(known).map(toListed)}
              changes={createChanges(place, known)}
              onEdit={onOpen}
              none={none}
              deletion="Requests that it matched are then evaluated by the rules after it."
            />
          )}
        </Resource>
        {children}
      </div>
    </>
  );
}
