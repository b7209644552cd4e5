/** Somebody else changed the rule while it was being edited: what they changed, and the choice. */
import { Button } from '../../../parts/button.tsx';
import { type RuleDraft, toDraft } from '../rules-api.ts';
import type { Saving, StoredRule } from './saving.ts';

const labels: Readonly<Record<keyof RuleDraft, string>> = {
  description: 'Description',
  action: 'Action',
  products: 'Bypassed products',
  priority: 'Priority',
  paused: 'Paused',
  expression: 'Expression',
};

export function Conflict({ stored, saving }: { readonly stored: StoredRule; readonly saving: Saving }) {
  const { message, theirs } = saving.conflict!;
  const before = stored.seen === undefined ? undefined : toDraft(stored.seen);
  const after = theirs === undefined ? undefined : toDraft(theirs);
  const changed = (Object.keys(labels) as (keyof RuleDraft)[]).filter(
    (name) => after !== undefined && String(before?.[name]) !== String(after[name]),
  );
  const takeTheirs = (): void => {
    stored.rebase(theirs, after);
    saving.forgetConflict();
  };
  const saveMine = (): void => {
    stored.rebase(theirs);
    void saving.save(theirs);
  };
  return (
    <div className="firewall-rules-conflict" role="alert">
      <p>
        <strong>{message}</strong> Nothing was saved, and what you typed is still here.
      </p>
      {after !== undefined && (
        <dl>
          {changed.map((name) => (
            <div key={name}>
              <dt>{labels[name]}</dt>
              <dd>
                was <code>{String(before?.[name]) || '(empty)'}</code>, is now{' '}
                <code>{String(after[name]) || '(empty)'}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="row">
        {after !== undefined && <Button onClick={takeTheirs}>Take theirs</Button>}
        <Button look="danger" onClick={saveMine}>
          {after === undefined ? 'Create it again' : 'Overwrite with mine'}
        </Button>
      </div>
    </div>
  );
}
