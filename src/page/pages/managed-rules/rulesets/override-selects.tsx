/** What an override says of the action and of being on, each with "as it is" as the first choice. */
import { type OverrideEdit, verdictActions } from './overrides.ts';

interface OverrideSelectsProps {
  /** What is overridden, for labels. */
  readonly name: string;
  readonly value: { readonly action?: string; readonly enabled?: boolean };
  /** What holds if nothing is chosen; unknown where it differs from rule to rule. */
  readonly inherited?: { readonly action: string; readonly enabled: boolean };
  /** A rule that scores cannot be made to act, so an action is not offered for it. */
  readonly hasAction: boolean;
  readonly onChange: (edit: OverrideEdit) => void;
}

export function OverrideSelects({ name, value, inherited, hasAction, onChange }: OverrideSelectsProps) {
  return (
    <div className="managed-rules-selects">
      {(hasAction || value.action !== undefined) && (
        <select
          className="input input-small"
          aria-label={`Action of ${name}`}
          data-set={value.action !== undefined}
          value={value.action ?? ''}
          onChange={({ target }) => onChange({ action: target.value === '' ? undefined : target.value })}
        >
          <option value="">
            {inherited === undefined ? 'default action' : `default (${say(inherited.action)})`}
          </option>
          {verdictActions.map((action) => (
            <option key={action} value={action}>
              {say(action)}
            </option>
          ))}
        </select>
      )}
      <select
        className="input input-small"
        aria-label={`Status of ${name}`}
        data-set={value.enabled !== undefined}
        value={value.enabled === undefined ? '' : String(value.enabled)}
        onChange={({ target }) =>
          onChange({ enabled: target.value === '' ? undefined : target.value === 'true' })
        }
      >
        <option value="">
          {inherited === undefined ? 'default status' : `default (${inherited.enabled ? 'on' : 'off'})`}
        </option>
        <option value="true">on</option>
        <option value="false">off</option>
      </select>
    </div>
  );
}

function say(action: string): string {
  return action.replaceAll('_', ' ');
}
