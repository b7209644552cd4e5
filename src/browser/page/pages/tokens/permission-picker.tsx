/** The permissions of a token: for each subject none, read, or write. */
import { SelectField } from '../../parts/forms/field.tsx';
import { getSubjectKey, scopes, type Subject } from './token.ts';
import type { TokenFields } from './token-draft.ts';

interface PickerProps {
  readonly subjects: readonly Subject[];
  readonly levels: TokenFields['levels'];
  readonly onChange: (levels: TokenFields['levels']) => void;
}

export function PermissionPicker({ subjects, levels, onChange }: PickerProps) {
  return scopes.map(({ id, label }) => (
    <fieldset key={id} className="box">
      <legend>{label}</legend>
      <div className="grid">
        {subjects
          .filter(({ scope }) => scope === id)
          .map((subject) => {
            const key = getSubjectKey(subject);
            return (
              <SelectField
                key={key}
                label={subject.name}
                isBeside
                value={levels[key] ?? 'none'}
                onChange={(level) => onChange({ ...levels, [key]: level })}
              >
                <option value="none">no access</option>
                {subject.read !== undefined && <option value="read">read</option>}
                {subject.write !== undefined && <option value="write">change</option>}
              </SelectField>
            );
          })}
      </div>
    </fieldset>
  ));
}
