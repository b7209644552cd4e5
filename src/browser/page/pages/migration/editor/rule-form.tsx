/** A rule as a form; as JSON if a form would hide parts of it. */
import { type EntryRule, managedPhase } from '../../../api/managed/entry-point.ts';
import { ExpressionField } from '../../../parts/expression-editor/expression-editor.tsx';
import { Check, TextField } from '../../../parts/forms/field.tsx';
import { readRule } from './configuration.ts';
import { RulesetForm } from './ruleset-form.tsx';

interface RuleFormProps {
  readonly rule: EntryRule;
  readonly onChange: (rule: EntryRule) => void;
}

export function RuleForm({ rule, onChange }: RuleFormProps) {
  const { action, expression, description = '', enabled } = rule;
  return (
    <div className="stack">
      <Check value={enabled} onChange={(isOn) => onChange({ ...rule, enabled: isOn })}>
        Enabled
      </Check>
      {action !== 'execute' && (
        <TextField
          label="Description"
          value={description}
          onChange={(text) => onChange({ ...rule, description: text })}
        />
      )}
      <ExpressionField
        label="Expression"
        hint={
          action === 'skip'
            ? 'Requests that match skip the rulesets after this exception.'
            : 'The requests for which the ruleset runs; true means all.'
        }
        phase={managedPhase}
        isLow
        value={expression}
        onChange={(changed) => onChange({ ...rule, expression: changed })}
      />
      {action === 'execute' && <RulesetForm rule={rule} onChange={onChange} />}
    </div>
  );
}

interface JsonFormProps {
  readonly json: string;
  readonly onChange: (json: string) => void;
}

export function JsonForm({ json, onChange }: JsonFormProps) {
  const read = readRule(json);
  return (
    <TextField
      label="Rule as JSON"
      hint="As in the body of the entry point."
      error={'problem' in read ? read.problem : undefined}
      isCode
      rows={Math.min(24, json.split('\n').length + 1)}
      value={json}
      onChange={onChange}
    />
  );
}
