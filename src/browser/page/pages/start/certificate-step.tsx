/** A certificate by ACME, as soon as the names point here; until then the local authority signs one. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { read } from '../../api/read.ts';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteForm } from '../../parts/forms/form.tsx';

const path = '/zones/{zone_id}/ssl/universal/settings';

export function CertificateStep({ zoneId, name }: { readonly zoneId: string; readonly name: string }) {
  const { data: settings } = useQuery(read(path, { zone_id: zoneId }));
  if (settings?.enabled === true)
    return (
      <p>
        The site gets its certificate automatically.{' '}
        <Link to="/zones/$zoneId/certificates" params={{ zoneId }}>
          See its progress
        </Link>
      </p>
    );
  return (
    <WriteForm
      action="Order a certificate"
      initial={{ email: '' }}
      write={({ email }) =>
        client.patch(path, { zone_id: zoneId, body: { enabled: true, hosts: [name], email: email.trim() } })
      }
      done="The certificate is ordered"
      failed="It was not ordered:"
      isIncomplete={({ email }) => email.trim() === ''}
    >
      {(bind) => (
        <>
          <p>
            Optional: an authority such as Let’s Encrypt issues one when DNS points here and port 80 is
            reachable. Until then the edge uses its own certificate for HTTPS.
          </p>
          <TextField label="E-mail address for the authority" type="email" {...bind('email')} />
        </>
      )}
    </WriteForm>
  );
}
