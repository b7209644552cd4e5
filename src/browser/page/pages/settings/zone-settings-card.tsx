/** The edge's settings of a site: HTTPS, TLS, headers for the origin, challenges, compression. */
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { SaveForm } from '../../parts/forms/save-form.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { describe, listChanges, pickValues, shownIds, toDraft, type ZoneSetting } from './zone-settings.ts';

const path = '/zones/{zone_id}/settings';

export function ZoneSettingsCard() {
  return (
    <Card title="HTTPS, visitors and responses">
      <Resource of={useQuery(read(path, { zone_id: useZoneId() }))} rows={6}>
        {(saved) => <SettingsForm saved={saved} />}
      </Resource>
    </Card>
  );
}

function SettingsForm({ saved }: { readonly saved: readonly ZoneSetting[] }) {
  const zone_id = useZoneId();
  return (
    <SaveForm
      action="Save settings"
      look="plain"
      saved={saved}
      toFields={toDraft}
      pick={pickValues}
      read={() => client.get(path, { zone_id })}
      write={(value, base = saved, version) =>
        client.patch(path, { zone_id, body: { items: listChanges(value, base) }, version })
      }
      done={() => ['Settings are saved', 'The edge uses them from the next request or connection on.']}
    >
      {(bind) => (
        <div className="grid grid-wide">
          {shownIds.map((id) => {
            const { title, kind, about } = describe(id);
            const { choices } = kind;
            const isReadOnly = saved.find((each) => each.id === id)?.editable !== true;
            const field = {
              label: id === 'security_header' ? `${title}: seconds, empty for none` : title,
              hint: `${about.replaceAll('`', '')}${isReadOnly ? ' The plan of this site does not include it.' : ''}`,
              disabled: isReadOnly,
              ...bind(id),
            };
            return choices === undefined ? (
              <TextField key={id} {...field} />
            ) : (
              <SelectField key={id} options={choices.map(String)} {...field} />
            );
          })}
        </div>
      )}
    </SaveForm>
  );
}
