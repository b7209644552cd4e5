/** Saved searches: one click away for everyone who may read the log of the site. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import type { ActivitySearch } from './search.ts';

const path = '/zones/{zone_id}/security/views';

export function SavedViews({ search }: { readonly search: ActivitySearch }) {
  const zone_id = useZoneId();
  const { data: views = [] } = useQuery(read(path, { zone_id }));
  const deletion = useWrite({
    write: (view_id: string) => client.delete(`${path}/{view_id}`, { zone_id, view_id }),
    done: 'The view is deleted',
    failed: 'The view was not deleted',
  });
  return (
    <div className="row" role="group" aria-label="Saved views">
      {views.map(({ id, name, search: saved }) => (
        <span key={id} className="activity-condition">
          <Link to="/zones/$zoneId/activity" params={{ zoneId: zone_id }} search={saved as ActivitySearch}>
            {name}
          </Link>
          <button type="button" aria-label={`Delete the view ${name}`} onClick={() => deletion.mutate(id)}>
            ×
          </button>
        </span>
      ))}
      <DialogButton label="Save this view…" look="quiet" size="small">
        {(close) => <SaveView search={search} onClose={close} />}
      </DialogButton>
    </div>
  );
}

interface SaveViewProps {
  readonly search: ActivitySearch;
  readonly onClose: () => void;
}

function SaveView({ search, onClose }: SaveViewProps) {
  const zone_id = useZoneId();
  return (
    <WriteDialog
      title="Save this view"
      action="Save"
      initial={{ name: '' }}
      write={({ name }) => client.post(path, { zone_id, body: { name: name.trim(), search } })}
      done="The view is saved"
      isIncomplete={({ name }) => name.trim() === ''}
      onClose={onClose}
    >
      {(bind) => (
        <TextField
          label="Name"
          hint="Visible to all who can read the log of this site. Replaces a view with the same name."
          maxLength={80}
          autoFocus
          {...bind('name')}
        />
      )}
    </WriteDialog>
  );
}
