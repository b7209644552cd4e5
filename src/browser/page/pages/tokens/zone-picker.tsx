/** The sites that the permissions of a token are for. */
import { useQuery } from '@tanstack/react-query';
import { zonesQuery } from '../../api/queries.ts';
import { Check, Checks } from '../../parts/forms/field.tsx';
import type { PartProps } from './token-draft.ts';

export function ZonePicker({ value: { isEveryZone, zoneIds }, onChange }: PartProps) {
  const { data: zones = [] } = useQuery(zonesQuery);
  return (
    <fieldset className="box stack-close">
      <legend>Which sites</legend>
      <Check type="radio" name="zones" value={isEveryZone} onChange={() => onChange({ isEveryZone: true })}>
        Every site, including future ones
      </Check>
      <Check type="radio" name="zones" value={!isEveryZone} onChange={() => onChange({ isEveryZone: false })}>
        Only these
      </Check>
      {!isEveryZone && (
        <div className="grid">
          <Checks
            options={zones.map(({ id, name }) => [id, name])}
            value={zoneIds}
            onChange={(chosen) => onChange({ zoneIds: chosen })}
          />
        </div>
      )}
    </fieldset>
  );
}
