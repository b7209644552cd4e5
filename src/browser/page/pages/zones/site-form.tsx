/** Adds a site. Its protection is chosen on its overview. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { accountQuery } from '../../api/queries.ts';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';

export function SiteForm({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <WriteDialog
      title="Add a site"
      action="Add site"
      initial={{ name: '' }}
      write={async ({ name }) => {
        const { id } = await queries.ensureQueryData(accountQuery);
        return client.post('/zones', { body: { name: name.trim(), account: { id } } });
      }}
      failed="The site was not added."
      onDone={({ result }) => navigate({ to: '/zones/$zoneId', params: { zoneId: result.id } })}
      isIncomplete={({ name }) => name.trim() === ''}
      onClose={onClose}
    >
      {(bind) => (
        <TextField
          label="Host name"
          hint="Its subdomains are included. The next page asks for the origin."
          placeholder="shop.example"
          spellCheck={false}
          {...bind('name')}
        />
      )}
    </WriteDialog>
  );
}
