/** A button that creates a store, and one that deletes it. */
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';

interface CreateStoreProps {
  readonly what: string;
  readonly create: (name: string) => Promise<unknown>;
}

export function CreateStore({ what, create }: CreateStoreProps) {
  return (
    <DialogButton label={`Create ${what}`} size="small">
      {(close) => <CreateForm {...{ what, create }} onClose={close} />}
    </DialogButton>
  );
}

function CreateForm({ what, create, onClose }: CreateStoreProps & { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const creation = useWrite({
    write: () => create(name),
    done: `${name} is created`,
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Create ${what}`}
      action={`Create ${what}`}
      work={creation}
      isIncomplete={name === ''}
      onSubmit={() => creation.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} />
    </FormDialog>
  );
}

interface DeleteStoreProps {
  readonly what: string;
  readonly name: string;
  readonly remove: () => Promise<unknown>;
}

export function DeleteStore({ what, name, remove }: DeleteStoreProps) {
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label={`Delete ${what}`}
      title={`Delete ${name}?`}
      action="Delete"
      typed={name}
      write={remove}
      done={`${name} is deleted`}
      failed={`The ${what} was not deleted`}
      onDone={() => navigate({ to: '/stores' })}
    >
      <p>All its content is deleted, too. It cannot be deleted while a deployed Worker is bound to it.</p>
    </ConfirmButton>
  );
}
