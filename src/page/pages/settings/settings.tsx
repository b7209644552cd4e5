/** How a site is served: its origin, what the edge does, its plan and certificates. */
import './settings.css';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { zoneQuery } from '../../api/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { CertificatesCard } from './certificates-card.tsx';
import { DeleteCard } from './delete-card.tsx';
import { EdgeCard } from './edge-card.tsx';
import { FixedSettingsCard, ManagedSwitchCard } from './managed-switch-card.tsx';
import { NormalizationCard } from './normalization-card.tsx';
import { PlanCard } from './plan-card.tsx';

const route = getRouteApi('/signed-in/zones/$zoneId/settings');

export function SettingsPage() {
  const { zoneId } = route.useParams();
  const { data: zone } = useSuspenseQuery(zoneQuery(zoneId));
  return (
    <div className="settings" key={zoneId}>
      <PageHead title="Settings" about={`How ${zone.name} is served, and by which plan.`} />
      <EdgeCard zoneId={zoneId} />
      <PlanCard zone={zone} />
      <ManagedSwitchCard zoneId={zoneId} />
      <NormalizationCard zoneId={zoneId} />
      <CertificatesCard zoneId={zoneId} />
      <FixedSettingsCard zoneId={zoneId} />
      <DeleteCard zone={zone} />
    </div>
  );
}
