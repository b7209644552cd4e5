import { useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { type ListKind, kindNames } from './list.ts';

export function ListForm({ onClose }: { readonly onClose: () => void }) {
  const account_id = useAccountId();
  const navigate = useNavigate();
  return (
    <WriteDialog
      title="Create a list"
      action="Create list"
      initial={{ name: '', kind: 'ip' as ListKind, description: '' }}
      write={(body) => client.post('/accounts/{account_id}/rules/lists', { account_id, body })}
      failed="The list was not created."
      onDone={({ result }) => navigate({ to: '/lists/$listId', params: { listId: result.id } })}
      isIncomplete={({ name }) => name === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
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
        </>
      )}
    </WriteDialog>
  );
}
