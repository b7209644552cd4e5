/** The sites that the permissions of a token are for. */
import { useQuery } from '@tanstack/react-query';
import { zonesQuery } from '../../api/queries.ts';
import { Check, toggle } from '../../parts/forms/field.tsx';
import type { PartProps } from './token-draft.ts';

export function ZonePicker({ value: { isEveryZone, zoneIds }, onChange }: PartProps) {
  const { data: zones = [] } = useQuery(zonesQuery);
  return (
    <fieldset className="box stack-close">
      <legend>Which sites</legend>
      <Check type="radio" name="zones" value={isEveryZone} onChange={() => onChange({ isEveryZone: true })}>
        Every site, also those that are created later
      </Check>
      <Check type="radio" name="zones" value={!isEveryZone} onChange={() => onChange({ isEveryZone: false })}>
        Only these
      </Check>
      {!isEveryZone && (
        <div className="grid">
          {zones.map(({ id, name }) => (
            <Check
              key={id}
              value={zoneIds.includes(id)}
              onChange={() => onChange({ zoneIds: toggle(zoneIds, id) })}
            >
              {name}
            </Check>
          ))}
        </div>
      )}
    </fieldset>
  );
}
