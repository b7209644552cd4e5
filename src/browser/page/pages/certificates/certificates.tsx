/** The certificates of a site: the automatic one, and uploaded ones. */
import { useZone } from '../../api/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { ScanCard } from './scan-card.tsx';
import { UniversalCard } from './universal-card.tsx';
import { UploadedCard } from './uploaded-card.tsx';

export function CertificatesPage() {
  const { id, name } = useZone();
  return (
    <div key={id}>
      <PageHead
        title="Certificates"
        about={`The certificates that ${name} uses for HTTPS. If two cover a name, the uploaded one is used.`}
      />
      <UniversalCard />
      <UploadedCard />
      <ScanCard />
    </div>
  );
}
