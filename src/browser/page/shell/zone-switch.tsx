/** The open zone, and links to the same page of other zones. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { zonesQuery } from '../api/queries.ts';
import { Select } from '../parts/forms/field.tsx';

export function ZoneSwitch({ zoneId }: { readonly zoneId: string }) {
  const { data: zones = [] } = useQuery(zonesQuery);
  // Otherwise, the box would show the first site instead of this one.
  const unknown = zones.some(({ id }) => id === zoneId) ? {} : { [zoneId]: 'Choose a site' };
  const navigate = useNavigate();
  return (
    <label className="zone-switch">
      <span className="side-label">Site</span>
      <Select
        options={{ ...unknown, ...Object.fromEntries(zones.map(({ id, name }) => [id, name])) }}
        value={zoneId}
        onChange={(id) => void navigate({ to: '/zones/$zoneId', params: { zoneId: id } })}
      />
    </label>
  );
}
