/** Why a zone cannot be updated, obstacle by obstacle, and how each is removed. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import {
  deleteOverride,
  migrationKey,
  type Note,
  overridesQuery,
  type UriOverride,
} from './migration-api.ts';
import { NoteText } from './notes.tsx';
import './migration.css';

const uriOverrides = 10705;

export function Obstacles({
  zoneId,
  obstacles,
}: {
  readonly zoneId: string;
  readonly obstacles: readonly Note[];
}) {
  return (
    <ol className="migration-notes">
      {obstacles.map((note, index) => (
        <li key={index} className="migration-note">
          <NoteText zoneId={zoneId} note={note} />
          {note.code === uriOverrides && <UriOverrides zoneId={zoneId} />}
        </li>
      ))}
    </ol>
  );
}

/** They can be made through the API only, so this is where they are removed. */
function UriOverrides({ zoneId }: { readonly zoneId: string }) {
  const queries = useQueryClient();
  const overrides = useQuery(overridesQuery(zoneId));
  const [chosen, setChosen] = useState<UriOverride>();
  const remove = useMutation({
    mutationFn: (id: string) => deleteOverride(zoneId, id),
    onSuccess: () => tell('Override deleted'),
    onError: (error) => tellError('The override was not deleted', error),
    async onSettled() {
      setChosen(undefined);
      await queries.invalidateQueries({ queryKey: migrationKey(zoneId) });
    },
  });
  if (overrides.isPending) return <Loading rows={1} />;
  if (overrides.isError) return <Failed error={overrides.error} onRetry={() => void overrides.refetch()} />;
  return (
    <>
      <ul className="migration-overrides">
        {overrides.data.map((override) => (
          <li key={override.id}>
            <span>
              <code>{override.urls.join(', ')}</code>
              <span className="soft">
                {' '}
                {override.description ?? ''} {override.paused ? '(paused)' : ''}
              </span>
            </span>
            <Button
              look="danger"
              aria-label={`Delete override of ${override.urls.join(', ')}`}
              onClick={() => setChosen(override)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      <Confirm
        title="Delete this override?"
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        onConfirm={() => remove.mutate(chosen!.id)}
        action="Delete override"
        isBusy={remove.isPending}
      >
        <p>
          The previous managed rules will treat <code>{chosen?.urls.join(', ')}</code> like the rest of the
          site.
        </p>
      </Confirm>
    </>
  );
}
