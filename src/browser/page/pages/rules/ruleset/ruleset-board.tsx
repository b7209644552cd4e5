/** The rules of a phase in their order, with their effects. */
import type { ReactNode } from 'react';
import type { EntryPoint } from '../../../api/managed/entry-point.ts';
import { RuleBoard } from '../rule-board.tsx';
import { createChanges, rulesOf, type RulesetPlace, toListed } from './ruleset-rules.ts';

interface RulesetBoardProps {
  readonly place: RulesetPlace;
  readonly ruleset: EntryPoint | null;
  readonly none: ReactNode;
  readonly onEdit: (ruleId: string) => void;
}

export function RulesetBoard({ place, ruleset, none, onEdit }: RulesetBoardProps) {
  return (
    <RuleBoard
      rules={rulesOf(ruleset).map(toListed)}
      changes={createChanges(place, ruleset)}
      onEdit={onEdit}
      none={none}
      deletion="Requests that it matched are then evaluated by the rules after it."
    />
  );
}
