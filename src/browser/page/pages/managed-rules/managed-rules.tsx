/** Managed rules of a zone: the previous ones (packages) until it has migrated, managed rulesets afterwards. */
import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useZone, useZoneId } from '../../api/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { type MigrationStatus, statusQuery } from '../migration/migration-api.ts';
import { LearningCard } from '../learning/learning-card.tsx';
import { LegacyRules } from './legacy/legacy.tsx';
import { Rulesets } from './rulesets/rulesets.tsx';
import { UpdateBanner } from './update-banner.tsx';

export function ManagedRulesPage() {
  return (
    <>
      <PageHead
        title="Managed rules"
        about="Rules that come with Gatehouse, against known attacks. You choose which of them act, and how."
      />
      <Resource of={useQuery(statusQuery(useZoneId()))} rows={6}>
        {(status) => (
          <div className="stack">
            <UpdateBanner />
            <Generations status={status} />
            <LearningCard />
          </div>
        )}
      </Resource>
    </>
  );
}

function Generations({ status }: { readonly status: MigrationStatus }) {
  const { migration_state: state, watched } = status;
  const { plan } = useZone();
  const { ruleset } = useSearch({ from: '/signed-in/zones/$zoneId/managed-rules' });
  if (state === 'complete') return <Rulesets />;
  if (state === 'default') {
    return (
      <>
        <p className="note">
          The Free plan has one managed ruleset, against the most exploited vulnerabilities. The full
          Cloudflare, OWASP and exposed-credentials rulesets need the Pro plan or a larger one.
        </p>
        <Rulesets />
      </>
    );
  }
  // Before the migration, the rulesets of Pro and Business zones cannot act, so there are no settings.
  if (state === 'start' && plan.legacy_id !== 'enterprise') return <LegacyRules />;
  return (
    <Tabs.Root
      defaultValue={state === 'start' && ruleset === undefined ? 'previous' : 'rulesets'}
      className="stack"
    >
      <Tabs.List className="tabs" aria-label="Generation of managed rules">
        <Tabs.Tab value="previous" className="tab">
          Previous managed rules
        </Tabs.Tab>
        <Tabs.Tab value="rulesets" className="tab">
          Managed rulesets
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="previous" className="stack">
        <LegacyRules />
      </Tabs.Panel>
      <Tabs.Panel value="rulesets" className="stack">
        <p className="note">
          {watched
            ? 'The managed rulesets only log what they would do; the previous rules act.'
            : 'Both generations are in force until the update is finished: a request passes the managed rulesets first, then the previous rules.'}
        </p>
        <Rulesets />
      </Tabs.Panel>
    </Tabs.Root>
  );
}
