/** Changes the description of a list. Its name and kind stay what they are. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { client, resultOf } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { SaveError, saveUnlessChanged } from '../../parts/guarded-save.tsx';
import { tell } from '../../parts/toasts.tsx';
import type { List, ListNames } from './list.ts';

interface FormProps {
  readonly list: List;
  readonly names: ListNames;
}

export function DescriptionForm(props: FormProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Change description</Button>
      <Dialog title={`Describe $${props.list.name}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Content {...props} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function Content({ list, names, onClose }: FormProps & { readonly onClose: () => void }) {
  const [base, setBase] = useState(list);
  const [description, setDescription] = useState(list.description ?? '');
  const queries = useQueryClient();
  const read = () => client.get('/accounts/{account_id}/rules/lists/{list_id}', names);
  const saving = useMutation({
    mutationFn: ({ isForced }: { readonly isForced: boolean }) =>
      saveUnlessChanged({ read, base, isForced, pick: (value) => value.description }, (version) =>
        client.put('/accounts/{account_id}/rules/lists/{list_id}', {
          ...names,
          body: { description },
          version,
        }),
      ),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['lists'] });
      tell('The description is saved');
      onClose();
    },
  });
  const loadTheirs = async (): Promise<void> => {
    const theirs = await resultOf(read());
    setBase(theirs);
    setDescription(theirs.description ?? '');
    saving.reset();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate({ isForced: false });
  };
  return (
    <form className="dialog-body" onSubmit={submit}>
      <Field label="Description">
        <TextInput
          value={description}
          maxLength={500}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      {saving.isError && (
        <SaveError
          error={saving.error}
          onLoadTheirs={() => void loadTheirs()}
          onSaveAnyway={() => saving.mutate({ isForced: true })}
        />
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={saving.isPending}>
          Save description
        </Button>
      </div>
    </form>
  );
}
