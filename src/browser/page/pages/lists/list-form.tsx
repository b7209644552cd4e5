import { useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { useFields } from '../../parts/forms/fields.ts';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { type Kind, kindNames } from './list.ts';

export function ListForm({ onClose }: { readonly onClose: () => void }) {
  const { value: draft, bind } = useFields({ name: '', kind: 'ip' as Kind, description: '' });
  const account_id = useAccountId();
  const navigate = useNavigate();
  const creation = useWrite({
    write: () => client.post('/accounts/{account_id}/rules/lists', { account_id, body: draft }),
    onDone: ({ result }) => navigate({ to: '/lists/$listId', params: { listId: result.id } }),
  });
  return (
    <FormDialog
      title="Create a list"
      action="Create list"
      work={creation}
      failed="The list was not created."
      isIncomplete={draft.name === ''}
      onSubmit={creation.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Lower-case letters, digits and _. Rules refer to it with a leading $."
        {...bind('name')}
      />
      <SelectField
        label="Kind"
        hint="The kind of its items. It cannot be changed later."
        options={kindNames}
        {...bind('kind')}
      />
      <TextField label="Description" maxLength={500} {...bind('description')} />
    </FormDialog>
  );
}
