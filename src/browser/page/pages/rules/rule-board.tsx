/** A list of rules with their actions: search, move, pause, delete; single or several rules, with a reason. */
import './rules.css';
import { type ReactNode, useState } from 'react';
import { Confirm } from '../../parts/forms/dialog.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { Message } from '../../parts/reading/states.tsx';
import { ChosenRules } from './chosen-rules.tsx';
import { hasWords, type ListedRule, nameOf, type RuleChanges } from './listed-rule.ts';
import { ReasonField } from './reason-field.tsx';
import { RuleList } from './rule-list.tsx';

interface RuleBoardProps {
  readonly rules: readonly ListedRule[];
  readonly changes: RuleChanges;
  readonly onEdit: (ruleId: string) => void;
  /** The empty state of the list. */
  readonly none: ReactNode;
  /** The consequence of deleting a rule. */
  readonly deletion: string;
}

/** One change at a time. */
export function RuleBoard({ rules, changes, onEdit, none, deletion }: RuleBoardProps) {
  const [words, setWords] = useState('');
  const [reason, setReason] = useState('');
  const [deleting, setDeleting] = useState<ListedRule>();
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = rules.filter(({ id }) => chosenIds.has(id));
  const work = useWrite({
    write: ({ make }: { readonly done: string; readonly make: () => Promise<unknown> }) => make(),
    done: (_, { done }) => done,
    failed: 'Nothing was changed',
    // A reason belongs to the completed change, not to the next one.
    onDone: () => setReason(''),
  });
  const change = (done: string, make: () => Promise<unknown>): Promise<unknown> =>
    work.mutateAsync({ done, make }).catch(() => undefined);
  const found = words.trim() === '' ? rules : rules.filter((rule) => hasWords(rule, words));
  if (rules.length === 0) return none;
  return (
    <>
      <Tools words={words} onWords={setWords} reason={reason} onReason={setReason} />
      {chosen.length > 0 && (
        <ChosenRules
          rules={chosen}
          changes={changes}
          reason={reason}
          onReason={setReason}
          isBusy={work.isPending}
          onChange={change}
          onClear={() => setChosenIds(new Set())}
        />
      )}
      {found.length === 0 ? (
        <Message title="No rule matches">Search for fewer words, or clear the search.</Message>
      ) : (
        <RuleList
          rules={found}
          chosen={chosenIds}
          onChoose={({ id }) => setChosenIds((before) => before.symmetricDifference(new Set([id])))}
          isMovable={found === rules && !work.isPending}
          onMove={(from, to) => change('Order saved', () => changes.move({ from, to }, reason))}
          onEdit={onEdit}
          onPause={({ id, isPaused }) =>
            void change(isPaused ? 'Rule resumed' : 'Rule paused', () => changes.pause(id, reason))
          }
          onDelete={setDeleting}
        />
      )}
      {deleting !== undefined && (
        <Confirm
          title="Delete this rule?"
          action="Delete the rule"
          isBusy={work.isPending}
          onClose={() => setDeleting(undefined)}
          onConfirm={() =>
            void change('Rule deleted', () => changes.remove(deleting.id, reason)).then(() =>
              setDeleting(undefined),
            )
          }
        >
          <strong className="wrap">{nameOf(deleting)}</strong>
          <p>{deletion}</p>
          <ReasonField value={reason} onChange={setReason} />
        </Confirm>
      )}
    </>
  );
}

interface ToolsProps {
  readonly words: string;
  readonly onWords: (words: string) => void;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
}

function Tools({ words, onWords, reason, onReason }: ToolsProps) {
  return (
    <div className="rules-tools">
      <input
        className="input"
        type="search"
        aria-label="Search the rules"
        placeholder="Search descriptions, expressions and actions"
        value={words}
        onChange={({ target }) => onWords(target.value)}
      />
      <input
        className="input"
        aria-label="Why you change rules (for the history)"
        placeholder="Why you move, pause or delete (for the history)"
        maxLength={500}
        value={reason}
        onChange={({ target }) => onReason(target.value)}
      />
    </div>
  );
}
