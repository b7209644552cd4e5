/** Why a zone cannot be updated, obstacle by obstacle, with the remedies. */
import './migration.css';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { overridesQuery, type UriOverride } from '../managed-rules/legacy/legacy-api.ts';
import type { Note } from './migration-api.ts';
import { NoteList } from './notes.tsx';

const uriOverrides = 10705;

export function Obstacles({ obstacles }: { readonly obstacles: readonly Note[] }) {
  return <NoteList notes={obstacles}>{({ code }) => code === uriOverrides && <UriOverrides />}</NoteList>;
}

const path = '/zones/{zone_id}/firewall/waf/overrides/{override_id}';

/** They can only be created through the API, so they are deleted here. */
function UriOverrides() {
  return (
    <Resource of={useQuery(overridesQuery(useZoneId()))} rows={1}>
      {(all) => (
        <ul className="list">
          {all.map((override) => (
            <Row key={override.id} override={override} />
          ))}
        </ul>
      )}
    </Resource>
  );
}

function Row({ override: { id, urls, description, paused } }: { readonly override: UriOverride }) {
  const names = { zone_id: useZoneId(), override_id: id };
  return (
    <li className="row">
      <span className="grow">
        <code>{urls.join(', ')}</code>{' '}
        <span className="soft">
          {description ?? ''} {paused ? '(paused)' : ''}
        </span>
      </span>
      <ConfirmButton
        label="Delete"
        aria-label={`Delete override of ${urls.join(', ')}`}
        title="Delete this override?"
        action="Delete override"
        write={() => client.delete(path, names)}
        done="Override deleted"
        failed="The override was not deleted"
      >
        <p>
          The previous managed rules will treat <code>{urls.join(', ')}</code> like the rest of the site.
        </p>
      </ConfirmButton>
    </li>
  );
}
