/** Adds a site. Its protection is chosen on its overview. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { accountQuery } from '../../api/queries.ts';
import { TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';

export function SiteForm({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const creation = useWrite({
    async write() {
      const { id } = await queries.ensureQueryData(accountQuery);
      return client.post('/zones', { body: { name: name.trim(), account: { id } } });
    },
    onDone: ({ result }) => navigate({ to: '/zones/$zoneId', params: { zoneId: result.id } }),
  });
  return (
    <FormDialog
      title="Add a site"
      action="Add site"
      work={creation}
      failed="The site was not added."
      isIncomplete={name.trim() === ''}
      onSubmit={creation.mutate}
      onClose={onClose}
    >
      <TextField
        label="Host name"
        hint="Its subdomains are included. The next page asks for the origin."
        value={name}
        onChange={setName}
        placeholder="shop.example"
        spellCheck={false}
      />
    </FormDialog>
  );
}
