/** What a rule does, and where in the order it stands. */
import { useZone } from '../../../api/queries.ts';
import { Check, SelectField, TextField, toggle } from '../../../parts/forms/field.tsx';
import { type Action, products, type RuleDraft } from '../rules-api.ts';

interface ActionFieldsProps {
  readonly draft: RuleDraft;
  readonly onChange: (part: Partial<RuleDraft>) => void;
}

const effects: Readonly<Record<Action, string>> = {
  block: 'Block',
  managed_challenge: 'Managed challenge',
  js_challenge: 'JavaScript challenge',
  challenge: 'Interactive challenge',
  allow: 'Allow: skip the rules after it',
  bypass: 'Bypass: switch products off',
  log: 'Log only',
};

export function ActionFields({ draft, onChange }: ActionFieldsProps) {
  const { log, ...others } = effects;
  const isEnterprise = useZone().plan.legacy_id === 'enterprise';
  return (
    <div className="stack">
      <div className="grid">
        <SelectField
          label="Action"
          options={isEnterprise ? effects : (others as typeof effects)}
          value={draft.action}
          onChange={(action) => onChange({ action })}
        >
          {!isEnterprise && (
            <option value="log" disabled>
              {log} (Enterprise)
            </option>
          )}
        </SelectField>
        <TextField
          label="Priority"
          hint="Smaller comes first; rules without one come last."
          type="number"
          min={0}
          max={2_147_483_647}
          step={1}
          value={draft.priority}
          onChange={(priority) => onChange({ priority })}
        />
      </div>
      {draft.action === 'bypass' && (
        <fieldset className="box grid">
          <legend>Products that are switched off for these requests</legend>
          {Array.from(products, ([product, label]) => (
            <Check
              key={product}
              checked={draft.products.includes(product)}
              onChange={() => onChange({ products: toggle(draft.products, product) })}
            >
              {label}
            </Check>
          ))}
        </fieldset>
      )}
      <TextField
        label="Description"
        hint="What the rule is for, so that the next person knows."
        maxLength={500}
        value={draft.description}
        onChange={(description) => onChange({ description })}
      />
      <Check checked={draft.paused} onChange={(paused) => onChange({ paused })}>
        Paused: saved, but without effect
      </Check>
    </div>
  );
}
