/** The edge's settings of a site: HTTPS, TLS, headers for the origin, challenges, compression. */
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { Form } from '../../parts/forms/form.tsx';
import { SaveProblem, useSave } from '../../parts/forms/save.tsx';
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
  const draft = useDraft(saved, { read: toDraft, pick: pickValues });
  const saving = useSave(draft, {
    read: () => client.get(path, { zone_id }),
    pick: pickValues,
    write: (value, base = saved, version) =>
      client.patch(path, { zone_id, body: { items: listChanges(value, base) }, version }),
    done: () => ['Settings are saved', 'The edge uses them from the next request or connection on.'],
  });
  return (
    <Form
      action="Save settings"
      look="plain"
      work={saving}
      problem={<SaveProblem saving={saving} />}
      isIncomplete={!draft.isEdited}
      onSubmit={saving.save}
    >
      <div className="grid grid-wide">
        {shownIds.map((id) => {
          const { title, kind, about } = describe(id);
          const { choices } = kind;
          const isReadOnly = saved.find((each) => each.id === id)?.editable !== true;
          const field = {
            label: id === 'security_header' ? `${title}: seconds, empty for none` : title,
            hint: `${about.replaceAll('`', '')}${isReadOnly ? ' The plan of this site does not include it.' : ''}`,
            disabled: isReadOnly,
            ...draft.bind(id),
          };
          return choices === undefined ? (
            <TextField key={id} {...field} />
          ) : (
            <SelectField key={id} options={choices.map(String)} {...field} />
          );
        })}
      </div>
    </Form>
  );
}
