/** One rule: what it matches, what it does; tried on a request and on yesterday's log before it is saved. */
import { useState } from 'react';
import type { Zone } from '../../../api/types.ts';
import { describeError } from '../../../api/api-error.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { ConditionEditor } from '../../../parts/expression-editor/condition-editor.tsx';
import { hasError } from '../../../parts/expression-editor/expression-editor.tsx';
import { useAssistance } from '../../../parts/expression-editor/assist.ts';
import { PageHead } from '../../../parts/page-head.tsx';
import { Failed } from '../../../parts/states.tsx';
import { ActionFields } from './action-fields.tsx';
import { Conflict } from './conflict.tsx';
import { LastDay } from './last-day.tsx';
import { emptyDraft, type FirewallRule, type RuleDraft, toDraft } from '../rules-api.ts';
import { useSaving } from './saving.ts';
import { useStoredDraft } from '../stored-draft.ts';
import { TryRequest } from './try-request.tsx';

interface RuleEditorProps {
  readonly zone: Zone;
  readonly rules: readonly FirewallRule[];
  /** Or `new`. */
  readonly ruleId: string;
  readonly onClose: () => void;
}

export function RuleEditor({ zone, rules, ruleId, onClose }: RuleEditorProps) {
  const rule = rules.find(({ id }) => id === ruleId);
  const [kept] = useState(rule);
  if (ruleId !== 'new' && kept === undefined) {
    return (
      <>
        <PageHead title="Firewall rules">
          <Button onClick={onClose}>Back to the rules</Button>
        </PageHead>
        <Failed error={new Error('This rule does not exist, or not any more.')} />
      </>
    );
  }
  return <Form zone={zone} rules={rules} rule={kept} onClose={onClose} />;
}

interface FormProps {
  readonly zone: Zone;
  readonly rules: readonly FirewallRule[];
  readonly rule: FirewallRule | undefined;
  readonly onClose: () => void;
}

function Form({ zone, rules, rule, onClose }: FormProps) {
  const stored = useStoredDraft<RuleDraft, FirewallRule | undefined>(
    `${zone.id}:rule:${rule?.id ?? 'new'}`,
    rule === undefined ? emptyDraft : toDraft(rule),
    rule,
  );
  const { draft, seen, change } = stored;
  const assistance = useAssistance(zone.id, draft.expression);
  const saving = useSaving({ zoneId: zone.id, stored, onClose });
  const isReady = assistance !== undefined && !hasError(assistance);
  const sharing = rules.filter(({ id, filter }) => id !== seen?.id && filter.id === seen?.filter.id).length;
  const leave = (): void => {
    stored.discard();
    onClose();
  };
  return (
    <>
      <PageHead
        title={rule === undefined ? 'Create a rule' : 'Edit rule'}
        about="Try it on a request and on the log before you save it. What you type stays in this tab until you save or discard it."
      />
      {stored.isRestored && <p className="note">This is what you had typed and not saved.</p>}
      {saving.conflict !== undefined && <Conflict stored={stored} saving={saving} />}
      <div className="firewall-rules-form stack">
        <Card title="When a request matches">
          <ConditionEditor
            label="Expression"
            value={draft.expression}
            onChange={(expression) => change({ expression })}
          />
          {sharing > 0 && (
            <p className="soft">
              {sharing === 1 ? 'Another rule uses' : `${sharing} other rules use`} the same filter. A change
              here is for this rule only.
            </p>
          )}
        </Card>
        <Card title="Then">
          <ActionFields draft={draft} plan={zone.plan.legacy_id} onChange={change} />
        </Card>
        <Card title="Try a request">
          <TryRequest zone={zone} rules={rules} ruleId={rule?.id} draft={draft} isReady={isReady} />
        </Card>
        <Card title="In the last day’s log">
          <LastDay zoneId={zone.id} expression={isReady ? draft.expression : undefined} />
        </Card>
        <div className="firewall-rules-save">
          {saving.error !== undefined && (
            <p className="form-error" role="alert">
              Not saved: {describeError(saving.error)}
            </p>
          )}
          <Button onClick={leave}>Discard</Button>
          <Button
            look="primary"
            isBusy={saving.isBusy}
            disabled={!isReady}
            onClick={() => void saving.save(seen)}
          >
            Save the rule
          </Button>
        </div>
      </div>
    </>
  );
}
