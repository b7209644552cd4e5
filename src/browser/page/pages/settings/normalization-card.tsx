/** Which form of a path rules see, and whether the origin receives it, too. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { SelectField } from '../../parts/forms/field.tsx';
import { Form } from '../../parts/forms/form.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { SaveProblem, useSave } from '../../parts/forms/save.tsx';

type Normalization = Result<'urlNormalization.get'>;

const path = '/zones/{zone_id}/url_normalization';

export function NormalizationCard() {
  return (
    <Card title="URL normalization">
      <Resource of={useQuery(read(path, { zone_id: useZoneId() }))} rows={2}>
        {(saved) => <NormalizationForm saved={saved} />}
      </Resource>
    </Card>
  );
}

function NormalizationForm({ saved }: { readonly saved: Normalization }) {
  const zone_id = useZoneId();
  const draft = useDraft(saved, { read: (settings) => settings });
  const saving = useSave(draft, {
    read: () => client.get(path, { zone_id }),
    write: (body, _, version) => client.put(path, { zone_id, body, version }),
    done: 'URL normalization is saved',
  });
  return (
    <Form
      action="Save normalization"
      look="plain"
      work={saving}
      problem={<SaveProblem saving={saving} />}
      isIncomplete={!draft.isEdited}
      onSubmit={saving.save}
    >
      <div className="grid grid-wide">
        <SelectField
          label="Type"
          hint="RFC 3986 decodes unreserved characters; Cloudflare also merges slashes."
          options={{ cloudflare: 'Cloudflare', rfc3986: 'RFC 3986' }}
          {...draft.bind('type')}
        />
        <SelectField
          label="Applies to"
          hint="Rules that see the path as it was sent are easier to evade."
          options={{
            incoming: 'Rules only',
            both: 'Rules and the origin',
            none: 'Neither: rules see the path as it was sent',
          }}
          {...draft.bind('scope')}
        />
      </div>
    </Form>
  );
}
