/** Certificates that the owner of a site uploads. Their keys are never shown. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { readAll } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton, DialogButton } from '../../parts/forms/dialog.tsx';
import { Pill } from '../../parts/pill.tsx';
import { writeCurl } from '../../parts/reading/command.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { CertificateUpload } from './certificate-upload.tsx';

type Certificate = Result<'customCertificates.list'>[number];

const columns: readonly Column<Certificate>[] = [
  { title: 'Names', cell: ({ hosts }) => hosts.join(', ') },
  { title: 'Issuer', cell: ({ issuer }) => issuer },
  {
    title: 'Expires',
    cell: ({ expires_on, status }) => (
      <>
        <Time at={expires_on} /> {status === 'expired' && <Pill tone="bad">expired</Pill>}
      </>
    ),
  },
  { title: 'Actions', kind: 'actions', cell: (certificate) => <DeleteButton certificate={certificate} /> },
];

export function UploadedCard() {
  const certificates = useQuery(readAll('/zones/{zone_id}/custom_certificates', { zone_id: useZoneId() }));
  return (
    <Card
      title="Uploaded certificates"
      actions={
        <DialogButton label="Upload certificate">
          {(close) => <CertificateUpload onClose={close} />}
        </DialogButton>
      }
    >
      <Resource of={certificates} rows={2} empty={<None />}>
        {(rows) => (
          <DataTable label="Uploaded certificates" columns={columns} rows={rows} keyOf={({ id }) => id} />
        )}
      </Resource>
    </Card>
  );
}

function DeleteButton({ certificate: { id, hosts } }: { readonly certificate: Certificate }) {
  const names = { zone_id: useZoneId(), custom_certificate_id: id };
  const deletion = useWrite({
    write: () => client.delete('/zones/{zone_id}/custom_certificates/{custom_certificate_id}', names),
    done: 'The certificate and its key are deleted',
    failed: 'The certificate was not deleted',
  });
  return (
    <ConfirmButton
      label="Delete"
      size="small"
      aria-label={`Delete the certificate of ${hosts.join(', ')}`}
      title="Delete this certificate?"
      action="Delete certificate"
      work={deletion}
    >
      <p>
        Its private key is deleted, too. Browsers that ask for <strong>{hosts.join(', ')}</strong> get another
        certificate from the next connection on, or an error if there is none.
      </p>
    </ConfirmButton>
  );
}

const pack = `jq -n --rawfile certificate chain.pem --rawfile private_key key.pem '$ARGS.named'`;

function None() {
  const path = `/zones/${useZoneId()}/custom_certificates`;
  return (
    <Empty title="No certificate is uploaded" command={`${pack} | ${writeCurl(path, '@-')}`}>
      Upload one so that the edge serves HTTPS with a certificate that browsers trust.
    </Empty>
  );
}
