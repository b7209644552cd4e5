/** What a rule does, and where in the order it stands. */
import { Field, Select, TextInput } from '../../../parts/field.tsx';
import { type Action, actions, type Product, products, type RuleDraft } from '../rules-api.ts';

interface ActionFieldsProps {
  readonly draft: RuleDraft;
  readonly plan: string;
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

export function ActionFields({ draft, plan, onChange }: ActionFieldsProps) {
  return (
    <div className="stack">
      <div className="firewall-rules-action">
        <Field label="Action">
          <Select
            value={draft.action}
            onChange={({ target }) => onChange({ action: target.value as Action })}
          >
            {actions.map((action) => (
              <option key={action} value={action} disabled={action === 'log' && plan !== 'enterprise'}>
                {effects[action]}
                {action === 'log' && plan !== 'enterprise' ? ' (Enterprise)' : ''}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Priority" hint="Smaller comes first; rules without one come last.">
          <TextInput
            type="number"
            min={0}
            max={2_147_483_647}
            step={1}
            value={draft.priority}
            onChange={({ target }) => onChange({ priority: target.value })}
          />
        </Field>
      </div>
      {draft.action === 'bypass' && <Products draft={draft} onChange={onChange} />}
      <Field label="Description" hint="What the rule is for, so that the next person knows.">
        <TextInput
          value={draft.description}
          maxLength={500}
          onChange={({ target }) => onChange({ description: target.value })}
        />
      </Field>
      <label className="row">
        <input
          type="checkbox"
          checked={draft.paused}
          onChange={({ target }) => onChange({ paused: target.checked })}
        />
        Paused: saved, but without effect
      </label>
    </div>
  );
}

function Products({ draft, onChange }: Pick<ActionFieldsProps, 'draft' | 'onChange'>) {
  const toggle = (product: Product): readonly Product[] =>
    draft.products.includes(product)
      ? draft.products.filter((each) => each !== product)
      : [...draft.products, product];
  return (
    <fieldset className="firewall-rules-products">
      <legend>Products that are switched off for these requests</legend>
      {Array.from(products, ([product, label]) => (
        <label key={product} className="row">
          <input
            type="checkbox"
            checked={draft.products.includes(product)}
            onChange={() => onChange({ products: toggle(product) })}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
