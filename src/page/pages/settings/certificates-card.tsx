/** Certificates that the owner of a site uploads. Their keys are never shown. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result } from '#client';
import { client, collect } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { actions, Table, TableHead } from '../../parts/table.tsx';
import { CertificateUpload } from './certificate-upload.tsx';

type Certificate = Result<'customCertificates.list'>[number];

export function CertificatesCard({ zoneId }: { readonly zoneId: string }) {
  const queries = useQueryClient();
  const certificates = useQuery({
    queryKey: ['certificates', zoneId],
    queryFn: ({ signal }) =>
      collect(client.list('/zones/{zone_id}/custom_certificates', { zone_id: zoneId, signal })),
  });
  const [isUploading, setUploading] = useState(false);
  const [doomed, setDoomed] = useState<Certificate>();
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['certificates', zoneId] });
  const deletion = useMutation({
    mutationFn: ({ id }: Certificate) =>
      client.delete('/zones/{zone_id}/custom_certificates/{custom_certificate_id}', {
        zone_id: zoneId,
        custom_certificate_id: id,
      }),
    onSuccess: () => tell('The certificate and its key are deleted'),
    onError: (error) => tellError('The certificate was not deleted', error),
    onSettled() {
      setDoomed(undefined);
      refresh();
    },
  });
  return (
    <Card
      title="Certificates"
      actions={<Button onClick={() => setUploading(true)}>Upload certificate</Button>}
    >
      {certificates.isPending ? (
        <Loading rows={2} />
      ) : certificates.isError ? (
        <Failed error={certificates.error} onRetry={() => void certificates.refetch()} />
      ) : certificates.data.length === 0 ? (
        <Empty title="No certificate is uploaded">
          <p>Upload one for the edge to serve HTTPS by a certificate that browsers trust.</p>
        </Empty>
      ) : (
        <CertificateTable certificates={certificates.data} onDelete={setDoomed} />
      )}
      <CertificateUpload
        zoneId={zoneId}
        isOpen={isUploading}
        onClose={() => setUploading(false)}
        onUpload={refresh}
      />
      <Confirm
        title="Delete this certificate?"
        isOpen={doomed !== undefined}
        action="Delete certificate"
        isBusy={deletion.isPending}
        onClose={() => setDoomed(undefined)}
        onConfirm={() => doomed !== undefined && deletion.mutate(doomed)}
      >
        <p>
          Its private key is deleted, too. Browsers that ask for <strong>{doomed?.hosts.join(', ')}</strong>{' '}
          get another certificate from the next connection on, or an error if there is none.
        </p>
      </Confirm>
    </Card>
  );
}

interface TableProps {
  readonly certificates: readonly Certificate[];
  readonly onDelete: (certificate: Certificate) => void;
}

function CertificateTable({ certificates, onDelete }: TableProps) {
  return (
    <Table label="Certificates">
      <TableHead columns={['Names', 'Issuer', 'Expires', actions]} />
      <tbody>
        {certificates.map((certificate) => (
          <tr key={certificate.id}>
            <td>{certificate.hosts.join(', ')}</td>
            <td>{certificate.issuer}</td>
            <td>
              <Time at={certificate.expires_on} />{' '}
              {certificate.status === 'expired' && <Pill tone="bad">expired</Pill>}
            </td>
            <td className="settings-action">
              <Button
                look="danger"
                className="button-small"
                aria-label={`Delete the certificate of ${certificate.hosts.join(', ')}`}
                onClick={() => onDelete(certificate)}
              >
                Delete
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
