/** The sites that the permissions of a token are for. */
import { useQuery } from '@tanstack/react-query';
import { zonesQuery } from '../../api/queries.ts';
import type { DraftProps } from './token-draft.ts';

export function ZonePicker({ draft, onChange }: DraftProps) {
  const zones = useQuery(zonesQuery);
  const toggle = (id: string): void => {
    const { zoneIds } = draft;
    onChange({
      zoneIds: zoneIds.includes(id) ? zoneIds.filter((other) => other !== id) : [...zoneIds, id],
    });
  };
  return (
    <fieldset className="tokens-scope">
      <legend>Which sites</legend>
      <label className="tokens-choice">
        <input
          type="radio"
          name="zones"
          checked={draft.isEveryZone}
          onChange={() => onChange({ isEveryZone: true })}
        />
        Every site, also those that are created later
      </label>
      <label className="tokens-choice">
        <input
          type="radio"
          name="zones"
          checked={!draft.isEveryZone}
          onChange={() => onChange({ isEveryZone: false })}
        />
        Only these
      </label>
      {!draft.isEveryZone && (
        <div className="tokens-zones">
          {(zones.data ?? []).map((zone) => (
            <label key={zone.id} className="tokens-choice">
              <input
                type="checkbox"
                checked={draft.zoneIds.includes(zone.id)}
                onChange={() => toggle(zone.id)}
              />
              {zone.name}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
