/** At the top of the managed rules: that the zone can be updated, how far it is, or why it cannot. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Zone } from '../../api/types.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { checkQuery, statusQuery } from '../migration/migration-api.ts';
import { choosePollMs, type MigrationState } from '../migration/migration-state.ts';
import { Obstacles } from '../migration/obstacles.tsx';

/** The banner only looks on, so it asks less often than the page that takes the step. */
const settledAttempts = 4;

export function UpdateBanner({ zone }: { readonly zone: Zone }) {
  const status = useQuery({
    ...statusQuery(zone.id),
    refetchInterval: ({ state: { data } }) => choosePollMs(data?.migration_state ?? 'start', settledAttempts),
  });
  const state = status.data?.migration_state;
  const check = useQuery({ ...checkQuery(zone.id), enabled: state === 'start' });
  const failed = status.isLoadingError ? status : check.isLoadingError ? check : undefined;
  if (failed !== undefined) return <Failed error={failed.error} onRetry={() => void failed.refetch()} />;
  if (state === undefined || (state === 'start' && check.data === undefined)) return <Loading rows={2} />;
  if (state === 'start' && !check.data!.isCompatible) {
    return (
      <Banner tone="warn" title="This site cannot be updated to managed rulesets yet">
        <p>Remove what stands in the way; until then the previous managed rules stay in force.</p>
        <Obstacles zoneId={zone.id} obstacles={check.data!.obstacles} />
      </Banner>
    );
  }
  return <StateBanner zone={zone} state={state} />;
}

function StateBanner({ zone, state }: { readonly zone: Zone; readonly state: MigrationState }) {
  switch (state) {
    case 'default':
      return (
        <Banner tone="info" title="There is nothing to update on this site">
          <p>
            Sites on the Free plan never had the previous managed rules. Managed rulesets can be deployed
            directly.
          </p>
        </Banner>
      );
    case 'start':
      return (
        <Banner
          tone="info"
          title="Update to managed rulesets"
          link={<UpdateLink zone={zone} text="Review configuration" />}
        >
          <p>
            Your settings are carried over into a new configuration. Review it first: nothing changes until
            you deploy.
          </p>
        </Banner>
      );
    case 'validation':
      return (
        <Banner
          tone="info"
          title="Validation mode"
          link={<UpdateLink zone={zone} text="Compare and finish" />}
        >
          <p>
            The previous and the new managed rules run side by side until you turn off the previous version.
          </p>
        </Banner>
      );
    case 'pending':
      return (
        <Banner
          tone="info"
          title="The previous version is being turned off"
          link={<UpdateLink zone={zone} text="Show progress" />}
        >
          <p>The new managed rules are in force. This page changes when the update is complete.</p>
        </Banner>
      );
    case 'complete':
      return null;
  }
}

function UpdateLink({ zone, text }: { readonly zone: Zone; readonly text: string }) {
  return (
    <Link
      to="/zones/$zoneId/managed-rules/update"
      params={{ zoneId: zone.id }}
      className="button button-primary migration-link"
    >
      {text}
    </Link>
  );
}

interface BannerProps {
  readonly tone: 'info' | 'warn';
  readonly title: string;
  readonly link?: ReactNode;
  readonly children: ReactNode;
}

function Banner({ tone, title, link, children }: BannerProps) {
  return (
    <section className={`migration-banner migration-banner-${tone}`} aria-label="Update">
      <div className="migration-banner-text">
        <h2>{title}</h2>
        {children}
      </div>
      {link}
    </section>
  );
}
