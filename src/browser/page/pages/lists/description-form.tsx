/** Changes the description of a list. Its name and kind cannot be changed. */
import { client } from '../../api/client.ts';
import { TextField } from '../../parts/forms/field.tsx';
import { SaveDialog } from '../../parts/forms/save-form.tsx';
import type { List, ListNames } from './list.ts';

interface DescriptionFormProps {
  readonly list: List;
  readonly names: ListNames;
  readonly onClose: () => void;
}

const path = '/accounts/{account_id}/rules/lists/{list_id}';
const pick = ({ description = '' }: List) => ({ description });

export function DescriptionForm({ list, names, onClose }: DescriptionFormProps) {
  return (
    <SaveDialog
      title={`Describe $${list.name}`}
      action="Save description"
      saved={list}
      toFields={pick}
      pick={pick}
      read={() => client.get(path, names)}
      write={(body, _, version) => client.put(path, { ...names, body, version })}
      done="The description is saved"
      onClose={onClose}
    >
      {(bind) => <TextField label="Description" maxLength={500} {...bind('description')} />}
    </SaveDialog>
  );
}
