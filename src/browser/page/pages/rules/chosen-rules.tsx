/** Actions on several rules: executed one after the other, each only if the rule has not been changed meanwhile. */
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { countThings } from '../../parts/reading/count-things.ts';
import { Confirm } from '../../parts/forms/dialog.tsx';
import { type ListedRule, nameOf, type RuleChanges } from './listed-rule.ts';
import { ReasonField } from './reason-field.tsx';

interface ChosenRulesProps {
  readonly rules: readonly ListedRule[];
  readonly changes: RuleChanges;
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  readonly isBusy: boolean;
  readonly onChange: (done: string, make: () => Promise<unknown>) => Promise<unknown>;
  readonly onClear: () => void;
}

/** Further names are not helpful. */
const namedMax = 8;

export function ChosenRules(props: ChosenRulesProps) {
  const { rules, changes, reason, onReason, isBusy, onChange, onClear } = props;
  const [isDeleting, setDeleting] = useState(false);
  const count = countThings(rules.length, 'rule');
  const changeAll = async (
    done: string,
    some: readonly ListedRule[],
    change: RuleChanges['pause'],
  ): Promise<void> => {
    await onChange(`${countThings(some.length, 'rule')} ${done}`, async () => {
      for (const { id } of some) await change(id, reason);
    });
    onClear();
  };
  const [paused, running] = [rules.filter((rule) => rule.isPaused), rules.filter((rule) => !rule.isPaused)];
  return (
    <div className="note row row-apart" role="group" aria-label="Chosen rules">
      <span role="status">{count} chosen</span>
      <span className="row">
        <Button
          size="small"
          disabled={paused.length === 0 || isBusy}
          onClick={() => void changeAll('resumed', paused, changes.pause)}
        >
          Resume
        </Button>
        <Button
          size="small"
          disabled={running.length === 0 || isBusy}
          onClick={() => void changeAll('paused', running, changes.pause)}
        >
          Pause
        </Button>
        <Button size="small" disabled={isBusy} onClick={() => setDeleting(true)}>
          Delete…
        </Button>
        <Button size="small" look="quiet" onClick={onClear}>
          Choose none
        </Button>
      </span>
      {isDeleting && (
        <Confirm
          title={`Delete ${count}?`}
          action={`Delete ${count}`}
          isBusy={isBusy}
          onClose={() => setDeleting(false)}
          onConfirm={() => void changeAll('deleted', rules, changes.remove).finally(() => setDeleting(false))}
        >
          <ul>
            {rules.slice(0, namedMax).map((rule) => (
              <li key={rule.id} className="wrap">
                {nameOf(rule)}
              </li>
            ))}
          </ul>
          {rules.length > namedMax && <p>and {(rules.length - namedMax).toLocaleString()} more.</p>}
          <ReasonField value={reason} onChange={onReason} />
        </Confirm>
      )}
    </div>
  );
}
