/** The certificate that a site gets automatically: its state, the authority's message, and its names. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { SaveForm } from '../../parts/forms/save-form.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import { stateSentences, stateTones } from './certificate-state.ts';

type Pack = Result<'certificatePacks.list'>[number];
type UniversalSsl = Result<'universalSsl.get'>;

const path = '/zones/{zone_id}/ssl/universal/settings';

/** While an order is in progress, the authority's answer arrives within seconds. */
const pendingReadMs = 2_000;
const readMs = 30_000;

export function UniversalCard() {
  const zone_id = useZoneId();
  const packs = useQuery({
    ...read('/zones/{zone_id}/ssl/certificate_packs', { zone_id, query: { status: 'all' } }),
    refetchInterval: ({ state: { data } }) => (data?.[0]?.state === 'pending' ? pendingReadMs : readMs),
  });
  return (
    <Card title="Universal SSL">
      <p className="soft">
        The site gets its certificate from an ACME authority (Let’s Encrypt and others) and renews it
        automatically. Its names must resolve to this server.
      </p>
      <Resource of={packs} rows={2}>
        {(all) => all.map((pack) => <PackView key={pack.id} pack={pack} />)}
      </Resource>
      <Resource of={useQuery(read(path, { zone_id }))} rows={2}>
        {(saved) => <UniversalForm saved={saved} />}
      </Resource>
    </Card>
  );
}

function PackView({ pack }: { readonly pack: Pack }) {
  const { state, hosts, certificates, validation_errors, certificate_authority } = pack;
  const issued = certificates[0];
  return (
    <div className="stack-close">
      <div className="row">
        <Pill tone={stateTones[state]}>{state}</Pill>
        <span>{stateSentences[state]}</span>
      </div>
      {validation_errors.map(({ message }) => (
        <p key={message} className="note note-warn" role="alert">
          Message from the authority: {message}
        </p>
      ))}
      <Facts
        isBeside
        facts={[
          ['Names', hosts.join(', ')],
          ['Authority', certificate_authority],
          ['Issuer', issued?.issuer],
          ['Expires', issued && <Time at={issued.expires_on} />],
          ['Renewal', pack.renews_on === null ? undefined : <Time at={pack.renews_on} />],
          [
            'Next attempt',
            pack.next_attempt_on === null ? undefined : <Time at={pack.next_attempt_on} isRelative />,
          ],
        ]}
      />
    </div>
  );
}

function UniversalForm({ saved }: { readonly saved: UniversalSsl }) {
  const zone_id = useZoneId();
  return (
    <SaveForm
      action="Save Universal SSL"
      look="plain"
      saved={saved}
      toFields={({ enabled, hosts, email }) => ({
        enabled: enabled ? 'on' : 'off',
        hosts: hosts.join(', '),
        email: email ?? '',
      })}
      read={() => client.get(path, { zone_id })}
      write={({ enabled, hosts, email }, _, version) => {
        const body = {
          enabled: enabled === 'on',
          hosts: hosts.split(/[\s,]+/).filter((host) => host !== ''),
          ...(email === '' ? {} : { email }),
        };
        return client.patch(path, { zone_id, version, body });
      }}
      done="Universal SSL is saved"
    >
      {(bind) => (
        <div className="grid grid-wide">
          <SelectField
            label="Get a certificate"
            options={{ on: 'Automatically', off: 'No: use uploaded ones, or the local authority' }}
            {...bind('enabled')}
          />
          <TextField
            label="Names"
            hint="The site and its subdomains, separated by commas."
            {...bind('hosts')}
          />
          <TextField
            label="E-mail for the authority"
            hint="Some authorities send warnings there."
            type="email"
            {...bind('email')}
          />
        </div>
      )}
    </SaveForm>
  );
}
