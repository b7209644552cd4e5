/** A rule as a form; as JSON where a form would hide something. */
import { ExpressionField } from '../../../parts/expression-editor/expression-editor.tsx';
import { Field, TextInput } from '../../../parts/field.tsx';
import { type ConfiguredRule, readRule } from './configuration.ts';
import { RulesetForm } from './ruleset-form.tsx';

interface RuleFormProps {
  readonly zoneId: string;
  readonly rule: ConfiguredRule;
  readonly onChange: (rule: ConfiguredRule) => void;
}

export function RuleForm({ zoneId, rule, onChange }: RuleFormProps) {
  const { action, expression, description = '', enabled } = rule;
  return (
    <div className="migration-form">
      <label className="migration-check">
        <input
          type="checkbox"
          checked={enabled}
          onChange={(event) => onChange({ ...rule, enabled: event.target.checked })}
        />
        Enabled
      </label>
      {action !== 'execute' && (
        <Field label="Description">
          <TextInput
            value={description}
            onChange={(event) => onChange({ ...rule, description: event.target.value })}
          />
        </Field>
      )}
      <ExpressionField
        label="Expression"
        hint={
          action === 'skip'
            ? 'Requests that match it are not seen by the rulesets after this exception.'
            : 'The requests for which the ruleset runs; true means all.'
        }
        phase="http_request_firewall_managed"
        isLow
        value={expression}
        onChange={(changed) => onChange({ ...rule, expression: changed })}
      />
      {action === 'execute' && <RulesetForm zoneId={zoneId} rule={rule} onChange={onChange} />}
    </div>
  );
}

export function JsonForm({
  json,
  onChange,
}: {
  readonly json: string;
  readonly onChange: (json: string) => void;
}) {
  const read = readRule(json);
  return (
    <Field
      label="Rule as JSON"
      hint="As in the body of the entry point."
      error={'problem' in read ? read.problem : undefined}
    >
      <TextInput
        className="input mono"
        render={<textarea rows={Math.min(24, json.split('\n').length + 1)} spellCheck={false} />}
        value={json}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
