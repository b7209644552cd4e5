/** Which form of a path rules see, and whether the origin receives it, too. */
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { SelectField } from '../../parts/forms/field.tsx';
import { SaveForm } from '../../parts/forms/save-form.tsx';
import { Resource } from '../../parts/reading/resource.tsx';

const path = '/zones/{zone_id}/url_normalization';

export function NormalizationCard() {
  const zone_id = useZoneId();
  return (
    <Card title="URL normalization">
      <Resource of={useQuery(read(path, { zone_id }))} rows={2}>
        {(saved) => (
          <SaveForm
            action="Save normalization"
            look="plain"
            saved={saved}
            toFields={(settings) => settings}
            read={() => client.get(path, { zone_id })}
            write={(body, _, version) => client.put(path, { zone_id, body, version })}
            done="URL normalization is saved"
          >
            {(bind) => (
              <div className="grid grid-wide">
                <SelectField
                  label="Type"
                  hint="RFC 3986 decodes unreserved characters; Cloudflare also merges slashes."
                  options={{ cloudflare: 'Cloudflare', rfc3986: 'RFC 3986' }}
                  {...bind('type')}
                />
                <SelectField
                  label="Applies to"
                  hint="Rules that see the path as it was sent are easier to evade."
                  options={{
                    incoming: 'Rules only',
                    both: 'Rules and the origin',
                    none: 'Neither: rules see the path as it was sent',
                  }}
                  {...bind('scope')}
                />
              </div>
            )}
          </SaveForm>
        )}
      </Resource>
    </Card>
  );
}
