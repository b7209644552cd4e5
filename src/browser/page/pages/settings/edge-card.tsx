/** Where the requests of a site go, and how the edge treats those that it cannot read completely. */
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { Check, SelectField, TextField } from '../../parts/forms/field.tsx';
import type { Bind } from '../../parts/forms/fields.ts';
import { SaveForm } from '../../parts/forms/save-form.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { type EdgeDraft, type EdgeSettings, toDraft, toSettings } from './edge-settings.ts';

const path = '/zones/{zone_id}/edge';

export function EdgeCard() {
  const zone_id = useZoneId();
  return (
    <Card title="Origin and edge">
      <Resource of={useQuery(read(path, { zone_id }))} rows={6}>
        {(saved: EdgeSettings) => (
          <SaveForm
            action="Save"
            saved={saved}
            toFields={toDraft}
            read={() => client.get(path, { zone_id })}
            write={(draft, _, version) => client.put(path, { zone_id, body: toSettings(draft), version })}
            done={() => ['Saved', 'The edge uses it from the next request on.']}
          >
            {(bind, { isEdited }) => (
              <>
                <OriginFields bind={bind} />
                <EdgeFields bind={bind} />
                {isEdited && <p className="soft">There are changes that are not saved.</p>}
              </>
            )}
          </SaveForm>
        )}
      </Resource>
    </Card>
  );
}

interface FieldsProps {
  readonly bind: Bind<EdgeDraft>;
}

function OriginFields({ bind }: FieldsProps) {
  return (
    <>
      <div className="grid grid-wide">
        <TextField
          label="Origin"
          hint="Scheme, host and port of your server, or worker:NAME. Empty: the site is not served."
          placeholder="https://origin.example:8443"
          {...bind('url')}
        />
        <TextField
          label="Connect to"
          hint="A name or address to connect to instead of the origin host. Usually empty."
          {...bind('connectTo')}
        />
      </div>
      <Check {...bind('verifyTls')}>Check the certificate of the origin</Check>
    </>
  );
}

function EdgeFields({ bind }: FieldsProps) {
  return (
    <div className="grid grid-wide">
      <SelectField
        label="Requests that rules cannot fully inspect"
        hint="Because a body has more than 128 KiB of text (files in forms do not count) or cannot be decoded, or because rules take too long for the request. To accept such bodies on some paths only, make an exception from their events."
        options={{
          default: 'Block; long bodies only where managed rules are deployed',
          log: 'Log and let pass',
          block: 'Block',
        }}
        {...bind('overInspectionLimit')}
      />
      <TextField
        label="Withheld header fields to forward"
        hint="Fields such as X-Real-IP do not reach the origin, because any visitor can send them. Separate names by commas."
        {...bind('forwardedFields')}
      />
      <SelectField
        label="Responses of the origin"
        hint="If the OWASP ruleset is deployed, its response rules can detect leaked errors and code. Responses are then held back until they are inspected."
        options={{ off: 'Not inspected', log: 'Log leaks', block: 'Block leaks' }}
        {...bind('responseRules')}
      />
      <SelectField
        label="OWASP scores that no detector confirms"
        hint="Texts about code can score as high as attacks. With “Only log”, a score that reaches its threshold stops a request only if a detector confirms an attack in it; rules about methods, clients and sessions, which have no detector, then stop nothing."
        options={{ act: 'Apply the action of the score rule', log: 'Only log' }}
        {...bind('unconfirmedScores')}
      />
    </div>
  );
}
