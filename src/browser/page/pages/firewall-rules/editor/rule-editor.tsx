/** One rule: its expression and its action; tested on a request and on the log of the last day before it is saved. */
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { useZoneId } from '../../../api/queries.ts';
import { Card } from '../../../parts/card.tsx';
import { useDraft } from '../../../parts/forms/draft.ts';
import { useAssistance } from '../../../parts/expression-editor/assist.ts';
import { ConditionEditor } from '../../../parts/expression-editor/condition-editor.tsx';
import { hasError } from '../../../parts/expression-editor/expression-editor.tsx';
import { useSave } from '../../../parts/forms/save.tsx';
import {
  createRule,
  type FirewallRule,
  listDifferences,
  rulePath,
  toDraft,
  writeRule,
} from '../rules-api.ts';
import { ActionFields } from './action-fields.tsx';
import { EditorPage, NotThere } from '../../rules/editor/editor-page.tsx';
import { RuleHistory } from '../../rules/editor/rule-history.tsx';
import { TriedCards } from '../../rules/editor/tried-cards.tsx';
import { TryRequest } from './try-request.tsx';

interface RuleEditorProps {
  readonly rules: readonly FirewallRule[];
  /** Or `new`. */
  readonly ruleId: string;
  readonly onClose: () => void;
}

export function RuleEditor(props: RuleEditorProps) {
  const found = props.rules.find(({ id }) => id === props.ruleId);
  // Editing continues if another user deletes the rule meanwhile.
  const [first] = useState(found);
  const rule = found ?? first;
  if (props.ruleId !== 'new' && rule === undefined)
    return <NotThere title="Firewall rules" what="rule" onClose={props.onClose} />;
  return <RuleForm {...props} rule={rule} />;
}

function RuleForm({
  rules,
  rule,
  ruleId,
  onClose,
}: RuleEditorProps & { readonly rule: FirewallRule | undefined }) {
  const zone_id = useZoneId();
  const draft = useDraft(rule, { read: toDraft, key: `${zone_id}:rule:${ruleId}` });
  const { value, base, bind } = draft;
  const saving = useSave(draft, {
    read: rule && (() => client.get(rulePath, { zone_id, rule_id: rule.id })),
    what: 'this rule',
    write: (content, seen, version) =>
      seen === undefined
        ? createRule(zone_id, content)
        : writeRule(zone_id, seen, { draft: content, version }),
    done: 'Rule saved',
    onDone: onClose,
  });
  const assistance = useAssistance(zone_id, value.expression);
  const isReady = assistance !== undefined && !hasError(assistance);
  const sharing = rules.filter(({ id, filter }) => id !== base?.id && filter.id === base?.filter.id).length;
  return (
    <EditorPage
      title={rule === undefined ? 'Create a rule' : 'Edit rule'}
      about="Try it on a request and on the log before you save it. What you type stays in this tab until you save or discard it."
      saving={saving}
      changes={listDifferences(base, saving.conflict?.theirs)}
      isReady={isReady}
      action="Save the rule"
      onClose={onClose}
    >
      <Card title="When a request matches">
        <ConditionEditor label="Expression" {...bind('expression')} />
        {sharing > 0 && (
          <p className="soft">
            {sharing === 1 ? 'Another rule uses' : `${sharing} other rules use`} the same filter. A change
            here affects only this rule.
          </p>
        )}
      </Card>
      <Card title="Then">
        <ActionFields draft={value} bind={bind} />
      </Card>
      <Card title="Try a request">
        <TryRequest rules={rules} ruleId={rule?.id} draft={value} isReady={isReady} />
      </Card>
      <TriedCards expression={isReady ? value.expression : undefined} />
      {rule !== undefined && <RuleHistory ruleId={rule.id} />}
    </EditorPage>
  );
}
