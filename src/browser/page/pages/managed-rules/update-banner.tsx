/** A banner above the managed rules: that the zone can be updated, its progress, or why it cannot. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useZoneId } from '../../api/queries.ts';
import { joinClasses } from '../../parts/join-classes.ts';
import { Resource } from '../../parts/reading/resource.tsx';
import { checkQuery, statusQuery } from '../migration/migration-api.ts';
import { choosePollMs, type MigrationState } from '../migration/migration-state.ts';
import { Obstacles } from '../migration/obstacles.tsx';

/** The banner only observes, so it polls less often than the page with the step. */
const settledAttempts = 4;

export function UpdateBanner() {
  const status = useQuery({
    ...statusQuery(useZoneId()),
    refetchInterval: ({ state: { data } }) => choosePollMs(data?.migration_state ?? 'start', settledAttempts),
  });
  return (
    <Resource of={status} rows={2}>
      {({ migration_state: state }) => (state === 'start' ? <StartBanner /> : <StateBanner state={state} />)}
    </Resource>
  );
}

function StartBanner() {
  return (
    <Resource of={useQuery(checkQuery(useZoneId()))} rows={2}>
      {({ result, notes }) =>
        result.compatible ? (
          <StateBanner state="start" />
        ) : (
          <Banner title="This site cannot be updated to managed rulesets yet" isWarning>
            <p>Remove the obstacles below; until then the previous managed rules stay in force.</p>
            <Obstacles obstacles={notes} />
          </Banner>
        )
      }
    </Resource>
  );
}

interface Text {
  readonly title: string;
  readonly text: string;
  /** The label of the link to the page with the step. */
  readonly link?: string;
}

const texts: Readonly<Partial<Record<MigrationState, Text>>> = {
  default: {
    title: 'There is nothing to update on this site',
    text: 'Sites on the Free plan never had the previous managed rules. Managed rulesets can be deployed directly.',
  },
  start: {
    title: 'Update to managed rulesets',
    text: 'Your settings are carried over into a new configuration. Review it first: nothing changes until you deploy.',
    link: 'Review configuration',
  },
  validation: {
    title: 'Validation mode',
    text: 'The previous and the new managed rules run side by side until you turn off the previous version.',
    link: 'Compare and finish',
  },
  pending: {
    title: 'The previous version is being turned off',
    text: 'The new managed rules are in force. This page changes when the update is complete.',
    link: 'Show progress',
  },
};

function StateBanner({ state }: { readonly state: MigrationState }) {
  const { title, text, link } = texts[state] ?? {};
  if (title === undefined) return null;
  return (
    <Banner title={title} link={link}>
      <p>{text}</p>
    </Banner>
  );
}

interface BannerProps {
  readonly title: string;
  readonly link?: string | undefined;
  readonly isWarning?: boolean;
  readonly children: ReactNode;
}

function Banner({ title, link, isWarning = false, children }: BannerProps) {
  const zoneId = useZoneId();
  return (
    <section className={joinClasses('banner', isWarning && 'banner-warn')} aria-label="Update">
      <div className="grow stack-close">
        <h2>{title}</h2>
        {children}
      </div>
      {link !== undefined && (
        <Link to="/zones/$zoneId/managed-rules/update" params={{ zoneId }} className="button button-primary">
          {link}
        </Link>
      )}
    </section>
  );
}
