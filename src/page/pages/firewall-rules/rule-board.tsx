/** The list of rules with what can be done to them: search, move, pause, delete. */
import { useState } from 'react';
import { useZone, useZoneId } from '../../api/queries.ts';
import { Confirm } from '../../parts/forms/dialog.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { ChosenRules } from './chosen-rules.tsx';
import { RuleList } from './rule-list.tsx';
import { deleteRule, expressionOf, type FirewallRule, moveRule, nameOf, pauseRule } from './rules-api.ts';

interface RuleBoardProps {
  readonly rules: readonly FirewallRule[];
  readonly onEdit: (ruleId: string) => void;
}

/** One change at a time. */
export function RuleBoard({ rules, onEdit }: RuleBoardProps) {
  const zoneId = useZoneId();
  const [words, setWords] = useState('');
  const [deleting, setDeleting] = useState<FirewallRule>();
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set());
  const chosen = rules.filter(({ id }) => chosenIds.has(id));
  const work = useWrite({
    write: ({ make }: { readonly done: string; readonly make: () => Promise<unknown> }) => make(),
    done: (_, { done }) => done,
    failed: 'Nothing was changed',
  });
  const change = (done: string, make: () => Promise<unknown>): Promise<unknown> =>
    work.mutateAsync({ done, make }).catch(() => undefined);
  const found = words.trim() === '' ? rules : rules.filter((rule) => hasWords(rule, words));
  if (rules.length === 0) return <NoRules />;
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
      {chosen.length > 0 && (
        <ChosenRules
          rules={chosen}
          isBusy={work.isPending}
          onChange={change}
          onClear={() => setChosenIds(new Set())}
        />
      )}
      {found.length === 0 ? (
        <Empty title="No rule has these words" />
      ) : (
        <RuleList
          rules={found}
          chosen={chosenIds}
          onChoose={({ id }) => setChosenIds((before) => before.symmetricDifference(new Set([id])))}
          isMovable={found === rules && !work.isPending}
          onMove={(from, to) => change('Order saved', () => moveRule(zoneId, rules, { from, to }))}
          onEdit={onEdit}
          onPause={(rule) =>
            void change(rule.paused ? 'Rule resumed' : 'Rule paused', () => pauseRule(zoneId, rule))
          }
          onDelete={setDeleting}
        />
      )}
      {deleting !== undefined && (
        <DeleteDialog
          rule={deleting}
          isBusy={work.isPending}
          onClose={() => setDeleting(undefined)}
          onConfirm={() =>
            void change('Rule deleted', () => deleteRule(zoneId, deleting)).then(() => setDeleting(undefined))
          }
        />
      )}
    </>
  );
}

function NoRules() {
  return (
    <Empty
      title="There is no firewall rule yet"
      command={`gatehouse rules create ${useZone().name} --action block --expression 'http.request.uri.path eq "/admin"'`}
    >
      A rule says what happens to the requests that match a condition. Create one to begin.
    </Empty>
  );
}

interface DeleteDialogProps {
  readonly rule: FirewallRule;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

function DeleteDialog({ rule, ...others }: DeleteDialogProps) {
  return (
    <Confirm title="Delete this rule?" action="Delete the rule" {...others}>
      <strong className="wrap">{nameOf(rule)}</strong>
      <p>
        Requests that it decided about are judged by the rules after it. Its filter is deleted as well, unless
        another rule uses it.
      </p>
    </Confirm>
  );
}

function hasWords(rule: FirewallRule, words: string): boolean {
  const text = `${rule.description ?? ''} ${expressionOf(rule) ?? ''} ${rule.action}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
