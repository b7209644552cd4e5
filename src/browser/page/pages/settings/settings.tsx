/** How a site is served: its origin, the edge's settings, and its plan. */
import { useZone } from '../../api/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { DeleteCard } from './delete-card.tsx';
import { EdgeCard } from './edge-card.tsx';
import { FixedSettingsCard, ManagedSwitchCard } from './managed-switch-card.tsx';
import { NormalizationCard } from './normalization-card.tsx';
import { PlanCard } from './plan-card.tsx';
import { ZoneSettingsCard } from './zone-settings-card.tsx';

export function SettingsPage() {
  const { id, name } = useZone();
  return (
    <div key={id}>
      <PageHead title="Settings" about={`How ${name} is served, and its plan.`} />
      <EdgeCard />
      <ZoneSettingsCard />
      <PlanCard />
      <ManagedSwitchCard />
      <NormalizationCard />
      <FixedSettingsCard />
      <DeleteCard />
    </div>
  );
}
