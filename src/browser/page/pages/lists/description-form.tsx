/** Changes the description of a list. Its name and kind cannot be changed. */
import { client } from '../../api/client.ts';
import { useDraft } from '../../parts/forms/draft.ts';
import { TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { SaveProblem, useSave } from '../../parts/forms/save.tsx';
import type { List, ListNames } from './list.ts';

interface FormProps {
  readonly list: List;
  readonly names: ListNames;
  readonly onClose: () => void;
}

const path = '/accounts/{account_id}/rules/lists/{list_id}';
const pick = ({ description = '' }: List) => ({ description });

export function DescriptionForm({ list, names, onClose }: FormProps) {
  const draft = useDraft(list, { read: pick, pick });
  const saving = useSave(draft, {
    read: () => client.get(path, names),
    pick,
    write: (body, _, version) => client.put(path, { ...names, body, version }),
    done: 'The description is saved',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Describe $${list.name}`}
      action="Save description"
      work={saving}
      problem={<SaveProblem saving={saving} />}
      onSubmit={saving.save}
      onClose={onClose}
    >
      <TextField label="Description" maxLength={500} {...draft.bind('description')} />
    </FormDialog>
  );
}
