import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { describeError } from '../../api/api-error.ts';
import { client } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select, TextInput } from '../../parts/field.tsx';
import { type Kind, kinds } from './list.ts';

interface FormProps {
  readonly accountId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ListForm({ accountId, isOpen, onClose }: FormProps) {
  return (
    <Dialog title="Create a list" isOpen={isOpen} onClose={onClose}>
      <Content accountId={accountId} onClose={onClose} />
    </Dialog>
  );
}

function Content({ accountId, onClose }: Omit<FormProps, 'isOpen'>) {
  const [draft, setDraft] = useState({ name: '', kind: 'ip' as Kind, description: '' });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    mutationFn: () =>
      client.post('/accounts/{account_id}/rules/lists', { account_id: accountId, body: draft }),
    async onSuccess({ result }) {
      void queries.invalidateQueries({ queryKey: ['lists'] });
      await navigate({ to: '/lists/$listId', params: { listId: result.id } });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <form className="dialog-body" onSubmit={submit}>
      <Field label="Name" hint="Lower-case letters, digits and _. Rules write it with a $ in front.">
        <TextInput
          value={draft.name}
          autoComplete="off"
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
        />
      </Field>
      <Field label="Kind" hint="What the list is a list of. It cannot be changed later.">
        <Select
          value={draft.kind}
          onChange={(event) => setDraft({ ...draft, kind: event.target.value as Kind })}
        >
          {Object.entries(kinds).map(([kind, { label }]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Description">
        <TextInput
          value={draft.description}
          maxLength={500}
          onChange={(event) => setDraft({ ...draft, description: event.target.value })}
        />
      </Field>
      {creation.isError && (
        <p className="form-error" role="alert">
          The list was not created. {describeError(creation.error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={creation.isPending} disabled={draft.name === ''}>
          Create list
        </Button>
      </div>
    </form>
  );
}
