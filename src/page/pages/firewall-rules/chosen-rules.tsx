/** What can be done to several rules at once: one after the other, each only if nobody has changed it meanwhile. */
import { useState } from 'react';
import { useZoneId } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/forms/dialog.tsx';
import { deleteRule, type FirewallRule, nameOf, pauseRule } from './rules-api.ts';

interface ChosenRulesProps {
  readonly rules: readonly FirewallRule[];
  readonly isBusy: boolean;
  readonly onChange: (done: string, make: () => Promise<unknown>) => Promise<unknown>;
  readonly onClear: () => void;
}

/** More names than these are no help. */
const namedMax = 8;

export function ChosenRules({ rules, isBusy, onChange, onClear }: ChosenRulesProps) {
  const zoneId = useZoneId();
  const [isDeleting, setDeleting] = useState(false);
  const count = name(rules.length);
  const changeAll = async (
    done: string,
    some: readonly FirewallRule[],
    change: (zoneId: string, rule: FirewallRule) => Promise<unknown>,
  ): Promise<void> => {
    await onChange(`${name(some.length)} ${done}`, async () => {
      for (const rule of some) await change(zoneId, rule);
    });
    onClear();
  };
  const [paused, running] = [rules.filter((rule) => rule.paused), rules.filter((rule) => !rule.paused)];
  return (
    <div className="note row row-apart" role="group" aria-label="Chosen rules">
      <span role="status">{count} chosen</span>
      <span className="row">
        <Button
          size="small"
          disabled={paused.length === 0 || isBusy}
          onClick={() => void changeAll('resumed', paused, pauseRule)}
        >
          Resume
        </Button>
        <Button
          size="small"
          disabled={running.length === 0 || isBusy}
          onClick={() => void changeAll('paused', running, pauseRule)}
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
          onConfirm={() => void changeAll('deleted', rules, deleteRule).finally(() => setDeleting(false))}
        >
          <ul>
            {rules.slice(0, namedMax).map((rule) => (
              <li key={rule.id} className="wrap">
                {nameOf(rule)}
              </li>
            ))}
          </ul>
          {rules.length > namedMax && <p>and {rules.length - namedMax} more.</p>}
        </Confirm>
      )}
    </div>
  );
}

function name(count: number): string {
  return count === 1 ? '1 rule' : `${count.toLocaleString()} rules`;
}
