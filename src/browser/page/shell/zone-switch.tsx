/** The zone that is open, and the way to the same page of another one. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { zonesQuery } from '../api/queries.ts';
import { Select } from '../parts/forms/field.tsx';

export function ZoneSwitch({ zoneId }: { readonly zoneId: string }) {
  const { data: zones = [] } = useQuery(zonesQuery);
  // The box would show the first site as if it were this one.
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
