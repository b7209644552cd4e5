/** Certificates that the owner of a site uploads. Their keys are never shown. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { readAll } from '../../api/read.ts';
import type { Column } from '../../parts/data-table.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { DeleteButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';
import { writeCurl } from '../../parts/reading/command.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { Time } from '../../parts/time.tsx';
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
];

export function UploadedCard() {
  const zone_id = useZoneId();
  return (
    <TableCard
      title="Uploaded certificates"
      of={useQuery(readAll('/zones/{zone_id}/custom_certificates', { zone_id }))}
      rows={2}
      empty={<None />}
      actions={
        <DialogButton label="Upload certificate">
          {(close) => <CertificateUpload onClose={close} />}
        </DialogButton>
      }
      columns={[...columns, { title: 'Actions', kind: 'actions', cell: toDeletion(zone_id) }]}
    />
  );
}

function toDeletion(zone_id: string): Column<Certificate>['cell'] {
  const path = '/zones/{zone_id}/custom_certificates/{custom_certificate_id}';
  return ({ id, hosts }) => (
    <DeleteButton
      what="certificate"
      which={`the certificate of ${hosts.join(', ')}`}
      write={() => client.delete(path, { zone_id, custom_certificate_id: id })}
      done="The certificate and its key are deleted"
    >
      <p>
        Its private key is deleted, too. Browsers that ask for <strong>{hosts.join(', ')}</strong> get another
        certificate from the next connection on, or an error if there is none.
      </p>
    </DeleteButton>
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
