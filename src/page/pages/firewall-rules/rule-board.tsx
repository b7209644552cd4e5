/** The list of rules with what can be done to them: search, move, pause, delete. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Zone } from '../../api/types.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/states.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { RuleList } from './rule-list.tsx';
import { deleteRule, expressionOf, type FirewallRule, moveRule, nameOf, pauseRule } from './rules-api.ts';

interface RuleBoardProps {
  readonly zone: Zone;
  readonly rules: readonly FirewallRule[];
  readonly onEdit: (ruleId: string) => void;
}

export function RuleBoard({ zone, rules, onEdit }: RuleBoardProps) {
  const [words, setWords] = useState('');
  const [deleting, setDeleting] = useState<FirewallRule>();
  const { isBusy, change } = useChange(zone.id);
  const found = words.trim() === '' ? rules : rules.filter((rule) => hasWords(rule, words));
  if (rules.length === 0) {
    return (
      <Empty title="There is no firewall rule yet">
        <p>A rule says what happens to the requests that match a condition. Create one to begin.</p>
      </Empty>
    );
  }
  const pause = (rule: FirewallRule): void =>
    void change(rule.paused ? 'Rule resumed' : 'Rule paused', () => pauseRule(zone.id, rule, !rule.paused));
  return (
    <>
      <input
        className="input firewall-rules-search"
        type="search"
        aria-label="Search the rules"
        placeholder="Search descriptions, expressions and actions"
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      {found.length === 0 ? (
        <Empty title="No rule has these words" />
      ) : (
        <RuleList
          rules={found}
          isMovable={found === rules && !isBusy}
          onMove={(from, to) => change('Order saved', () => moveRule(zone.id, rules, { from, to }))}
          onEdit={onEdit}
          onPause={pause}
          onDelete={setDeleting}
        />
      )}
      <Confirm
        title="Delete this rule?"
        isOpen={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        action="Delete the rule"
        isBusy={isBusy}
        onConfirm={() =>
          void change('Rule deleted', () => deleteRule(zone.id, deleting!)).then(() => setDeleting(undefined))
        }
      >
        <p>
          <strong className="firewall-rules-name">{deleting && nameOf(deleting)}</strong>
        </p>
        <p>
          Requests that it decided about are judged by the rules after it. Its filter is deleted as well,
          unless another rule uses it.
        </p>
      </Confirm>
    </>
  );
}

function hasWords(rule: FirewallRule, words: string): boolean {
  const text = `${rule.description ?? ''} ${expressionOf(rule) ?? ''} ${rule.action}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** One change at a time; whatever comes of it, the lists are read again. */
function useChange(zoneId: string) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const change = async (done: string, work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
      tell(done);
    } catch (error) {
      tellError('Nothing was changed', error);
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['firewall-rules', zoneId] }),
      queries.invalidateQueries({ queryKey: ['filters', zoneId] }),
    ]);
    setBusy(false);
  };
  return { isBusy, change };
}
