/**
 * One rule of a ruleset: its expression and its action; tested on the last requests and on the log before it is saved.
 */
import { useState } from 'react';
import type { EntryPoint } from '../../../api/managed/entry-point.ts';
import { useAssistance } from '../../../parts/expression-editor/assist.ts';
import { ConditionEditor } from '../../../parts/expression-editor/condition-editor.tsx';
import { hasError } from '../../../parts/expression-editor/expression-editor.tsx';
import { Card } from '../../../parts/card.tsx';
import { useDraft } from '../../../parts/forms/draft.ts';
import { useSave } from '../../../parts/forms/save.tsx';
import { EditorPage, NotThere } from '../editor/editor-page.tsx';
import { RuleHistory } from '../editor/rule-history.tsx';
import { TriedCards } from '../editor/tried-cards.tsx';
import { ActionFields } from './action-fields.tsx';
import { toDraft, toRule } from './rule-draft.ts';
import {
  createRule,
  readRule,
  replaceRule,
  rulesOf,
  type RulesetPlace,
  type RulesetRule,
} from './ruleset-rules.ts';

interface RuleEditorProps {
  /** The title of the page. */
  readonly title: string;
  readonly place: RulesetPlace;
  readonly ruleset: EntryPoint | null;
  /** Or `new`. */
  readonly ruleId: string;
  readonly onClose: () => void;
}

export function RuleEditor(props: RuleEditorProps) {
  const found = rulesOf(props.ruleset).find(({ id }) => id === props.ruleId);
  // Editing continues if another user deletes the rule meanwhile.
  const [first] = useState(found);
  const rule = found ?? first;
  if (props.ruleId !== 'new' && rule === undefined)
    return <NotThere title={props.title} what="rule" onClose={props.onClose} />;
  return <RuleForm {...props} rule={rule} />;
}

function RuleForm({
  place,
  ruleset,
  rule,
  ruleId,
  onClose,
}: RuleEditorProps & { readonly rule: RulesetRule | undefined }) {
  const { zoneId, phase } = place;
  const draft = useDraft(rule, { read: toDraft, key: `${ruleset?.id ?? zoneId}:${phase}:${ruleId}` });
  const { value, bind } = draft;
  const saving = useSave(draft, {
    read: rule && (() => readRule(place, rule.id)),
    what: 'this rule',
    write: (content, seen, version) => {
      const written = toRule(content, seen, phase);
      return seen === undefined
        ? createRule(place, written, content.reason)
        : replaceRule(place, ruleset!.id, {
            rule: { ...written, id: seen.id },
            version,
            reason: content.reason,
          });
    },
    done: 'Rule saved',
    onDone: onClose,
  });
  const assistance = useAssistance(zoneId, value.expression, { phase });
  const isReady = assistance !== undefined && !hasError(assistance);
  const theirs = saving.conflict?.theirs;
  return (
    <EditorPage
      title={rule === undefined ? 'Create a rule' : 'Edit rule'}
      about="See what it would have matched before you save it. What you type stays in this tab until you save or discard it."
      saving={saving}
      changes={theirs === undefined ? [] : [`It is now: ${theirs.action} if ${theirs.expression}`]}
      isReady={isReady}
      action="Save the rule"
      onClose={onClose}
    >
      <Card title="When a request matches">
        <ConditionEditor label="Expression" {...bind('expression')} />
      </Card>
      <Card title="Then">
        <ActionFields phase={phase} draft={value} bind={bind} />
      </Card>
      <TriedCards expression={isReady ? value.expression : undefined} />
      {rule !== undefined && (
        <RuleHistory ruleId={rule.id} rulesetId={ruleset!.id} accountId={place.ofAccount?.accountId} />
      )}
    </EditorPage>
  );
}
