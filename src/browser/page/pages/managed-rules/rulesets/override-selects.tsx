/** The action and the switch of an override, each with "as it is" as the first choice. */
import { type OverrideEdit, verdictNames } from '../../../api/managed/overrides.ts';
import { Select } from '../../../parts/forms/field.tsx';

interface OverrideSelectsProps {
  /** The subject of the override, for labels. */
  readonly name: string;
  readonly value: { readonly action?: string; readonly enabled?: boolean };
  /** The inherited values; unknown if they differ between rules. */
  readonly inherited?: { readonly action: string; readonly enabled: boolean };
  /** A scoring rule cannot act, so it has no choice of an action. */
  readonly hasAction: boolean;
  readonly onChange: (edit: OverrideEdit) => void;
}

export function OverrideSelects({ name, value, inherited, hasAction, onChange }: OverrideSelectsProps) {
  return (
    <div className="row override-selects">
      {(hasAction || value.action !== undefined) && (
        <Select
          aria-label={`Action of ${name}`}
          data-set={value.action !== undefined}
          options={verdictNames}
          value={value.action ?? ''}
          onChange={(action) => onChange({ action: action === '' ? undefined : action })}
        >
          <option value="">
            {inherited === undefined
              ? 'default action'
              : `default (${inherited.action.replaceAll('_', ' ')})`}
          </option>
        </Select>
      )}
      <Select
        aria-label={`Status of ${name}`}
        data-set={value.enabled !== undefined}
        options={{ true: 'on', false: 'off' }}
        value={String(value.enabled ?? '')}
        onChange={(enabled) => onChange({ enabled: enabled === '' ? undefined : enabled === 'true' })}
      >
        <option value="">
          {inherited === undefined ? 'default status' : `default (${inherited.enabled ? 'on' : 'off'})`}
        </option>
      </Select>
    </div>
  );
}
