/** The zone that is open, and the way to the same page of another one. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { zonesQuery } from '../api/queries.ts';

export function ZoneSwitch({ zoneId }: { readonly zoneId: string }) {
  const zones = useQuery(zonesQuery);
  const navigate = useNavigate();
  return (
    <label className="zone-switch">
      <span className="side-label">Site</span>
      <select
        className="input"
        value={zoneId}
        onChange={(event) => void navigate({ to: '/zones/$zoneId', params: { zoneId: event.target.value } })}
      >
        {(zones.data ?? []).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
