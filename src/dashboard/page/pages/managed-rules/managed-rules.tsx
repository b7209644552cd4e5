import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { zoneQuery } from '../../api/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { UpdateBanner } from './update-banner.tsx';

export function ManagedRulesPage() {
  const { zoneId } = useParams({ from: '/signed-in/zones/$zoneId/managed-rules' });
  const { data: zone } = useQuery(zoneQuery(zoneId));
  return (
    <>
      <PageHead title="Managed rules" />
      {zone !== undefined && <UpdateBanner zone={zone} />}
    </>
  );
}
