/** A button that creates a store, and one that deletes it. */
import { useNavigate } from '@tanstack/react-router';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';

interface CreateStoreProps {
  readonly what: string;
  readonly create: (name: string) => Promise<unknown>;
}

export function CreateStore({ what, create }: CreateStoreProps) {
  return (
    <DialogButton label={`Create ${what}`} size="small">
      {(close) => (
        <WriteDialog
          title={`Create ${what}`}
          action={`Create ${what}`}
          initial={{ name: '' }}
          write={({ name }) => create(name)}
          done={(_, { name }) => `${name} is created`}
          isIncomplete={({ name }) => name === ''}
          onClose={close}
        >
          {(bind) => <TextField label="Name" {...bind('name')} />}
        </WriteDialog>
      )}
    </DialogButton>
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
