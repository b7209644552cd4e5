/** Which permissions a token has: for each subject nothing, reading, or changing. */
import { Select } from '../../parts/field.tsx';
import { Field as BaseField } from '@base-ui/react/field';
import { getSubjectKey, type Level, scopes, type Subject } from './token.ts';
import type { Draft } from './token-draft.ts';

interface PickerProps {
  readonly subjects: readonly Subject[];
  readonly levels: Draft['levels'];
  readonly onChange: (levels: Draft['levels']) => void;
}

export function PermissionPicker({ subjects, levels, onChange }: PickerProps) {
  return scopes.map((scope) => (
    <fieldset key={scope.id} className="tokens-scope">
      <legend>{scope.label}</legend>
      <div className="tokens-subjects">
        {subjects
          .filter((subject) => subject.scope === scope.id)
          .map((subject) => {
            const key = getSubjectKey(subject);
            return (
              <SubjectRow
                key={key}
                subject={subject}
                level={levels[key] ?? 'none'}
                onChange={(level) => onChange({ ...levels, [key]: level })}
              />
            );
          })}
      </div>
    </fieldset>
  ));
}

interface SubjectProps {
  readonly subject: Subject;
  readonly level: Level;
  readonly onChange: (level: Level) => void;
}

function SubjectRow({ subject, level, onChange }: SubjectProps) {
  return (
    <BaseField.Root className="tokens-subject" data-given={level !== 'none'}>
      <BaseField.Label>{subject.name}</BaseField.Label>
      <Select value={level} onChange={(event) => onChange(event.target.value as Level)}>
        <option value="none">no access</option>
        {subject.read !== undefined && <option value="read">read</option>}
        {subject.write !== undefined && <option value="write">change</option>}
      </Select>
    </BaseField.Root>
  );
}
