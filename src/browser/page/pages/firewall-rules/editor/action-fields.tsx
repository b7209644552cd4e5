/** The action of a rule, and its place in the order. */
import { useZone } from '../../../api/queries.ts';
import { stoppingActions } from '../../../api/stopping-actions.ts';
import { Check, Checks, SelectField, TextField } from '../../../parts/forms/field.tsx';
import type { Bind } from '../../../parts/forms/fields.ts';
import { ReasonField } from '../../rules/reason-field.tsx';
import { type Action, products, type FirewallRuleDraft } from '../rules-api.ts';

interface ActionFieldsProps {
  readonly draft: FirewallRuleDraft;
  readonly bind: Bind<FirewallRuleDraft>;
}

const effects: Readonly<Record<Action, string>> = {
  ...stoppingActions,
  allow: 'Allow: skip the rules after it',
  bypass: 'Bypass: switch products off',
  log: 'Log only',
};

export function ActionFields({ draft, bind }: ActionFieldsProps) {
  const { log, ...others } = effects;
  const isEnterprise = useZone().plan.legacy_id === 'enterprise';
  return (
    <div className="stack">
      <div className="grid">
        <SelectField
          label="Action"
          options={isEnterprise ? effects : (others as typeof effects)}
          {...bind('action')}
        >
          {!isEnterprise && (
            <option value="log" disabled>
              {log} (Enterprise)
            </option>
          )}
        </SelectField>
        <TextField
          label="Priority"
          hint="Lower numbers run first; rules without a priority run last."
          type="number"
          min={0}
          max={2_147_483_647}
          step={1}
          {...bind('priority')}
        />
      </div>
      {draft.action === 'bypass' && (
        <fieldset className="box grid">
          <legend>Products that are switched off for these requests</legend>
          <Checks options={products} {...bind('products')} />
        </fieldset>
      )}
      <TextField label="Description" hint="What the rule is for." maxLength={500} {...bind('description')} />
      <ReasonField {...bind('reason')} />
      <Check {...bind('paused')}>Paused: saved, but without effect</Check>
    </div>
  );
}
