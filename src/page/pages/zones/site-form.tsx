/** Adds a site. What protects it is decided on its overview. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { describeError } from '../../api/api-error.ts';
import { client } from '../../api/client.ts';
import { accountQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';

interface FormProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function SiteForm({ isOpen, onClose }: FormProps) {
  return (
    <Dialog title="Add a site" isOpen={isOpen} onClose={onClose}>
      <Content onClose={onClose} />
    </Dialog>
  );
}

function Content({ onClose }: Pick<FormProps, 'onClose'>) {
  const [name, setName] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const creation = useMutation({
    async mutationFn() {
      const { id } = await queries.ensureQueryData(accountQuery);
      return client.post('/zones', { body: { name: name.trim(), account: { id } } });
    },
    async onSuccess({ result }) {
      void queries.invalidateQueries({ queryKey: ['zones'] });
      await navigate({ to: '/zones/$zoneId', params: { zoneId: result.id } });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <form className="dialog-body" onSubmit={submit}>
      <Field label="Host name" hint="Its subdomains belong to it. The next page asks for the origin.">
        <TextInput
          value={name}
          placeholder="shop.example"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      {creation.isError && (
        <p className="form-error" role="alert">
          The site was not added. {describeError(creation.error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={creation.isPending} disabled={name.trim() === ''}>
          Add site
        </Button>
      </div>
    </form>
  );
}
