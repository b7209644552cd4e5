/** Managed rules of a zone: the previous ones (packages) until it has migrated, managed rulesets from then on. */
import './managed-rules.css';
import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { zoneQuery } from '../../api/queries.ts';
import type { Zone } from '../../api/types.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { type MigrationStatus, statusQuery } from '../migration/migration-api.ts';
import { LegacyRules } from './legacy/legacy.tsx';
import { Rulesets } from './rulesets/rulesets.tsx';
import { UpdateBanner } from './update-banner.tsx';

export function ManagedRulesPage() {
  const { zoneId } = useParams({ from: '/signed-in/zones/$zoneId/managed-rules' });
  const zone = useQuery(zoneQuery(zoneId));
  const status = useQuery(statusQuery(zoneId));
  const failed = zone.isLoadingError ? zone : status.isLoadingError ? status : undefined;
  return (
    <>
      <PageHead
        title="Managed rules"
        about="Rules that come with Gatehouse, against known attacks. You choose which of them act, and how."
      />
      {failed !== undefined ? (
        <Failed error={failed.error} onRetry={() => void failed.refetch()} />
      ) : zone.data === undefined || status.data === undefined ? (
        <Loading rows={6} />
      ) : (
        <div className="managed-rules-page stack">
          <UpdateBanner zone={zone.data} />
          <Generations zone={zone.data} status={status.data} />
        </div>
      )}
    </>
  );
}

function Generations({ zone, status }: { readonly zone: Zone; readonly status: MigrationStatus }) {
  const { migration_state: state } = status;
  const { ruleset } = useSearch({ from: '/signed-in/zones/$zoneId/managed-rules' });
  if (state === 'complete') return <Rulesets zone={zone} />;
  if (state === 'default') {
    return (
      <>
        <FreeNote />
        <Rulesets zone={zone} />
      </>
    );
  }
  // Before the migration, the rulesets of Pro and Business zones cannot act: there is nothing to set.
  if (state === 'start' && zone.plan.legacy_id !== 'enterprise') return <LegacyRules zone={zone} />;
  return (
    <Tabs.Root
      defaultValue={state === 'start' && ruleset === undefined ? 'previous' : 'rulesets'}
      className="stack"
    >
      <Tabs.List className="managed-rules-tabs" aria-label="Generation of managed rules">
        <Tabs.Tab value="previous" className="managed-rules-tab">
          Previous managed rules
        </Tabs.Tab>
        <Tabs.Tab value="rulesets" className="managed-rules-tab">
          Managed rulesets
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="previous" className="stack">
        <LegacyRules zone={zone} />
      </Tabs.Panel>
      <Tabs.Panel value="rulesets" className="stack">
        <p className="note">
          {status.watched
            ? 'The managed rulesets only log what they would do; the previous rules act.'
            : 'Both generations are in force until the update is finished: a request passes the managed rulesets first, then the previous rules.'}
        </p>
        <Rulesets zone={zone} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}

function FreeNote() {
  return (
    <p className="note">
      The Free plan has one managed ruleset, against the holes that are exploited most. The full Cloudflare,
      OWASP and exposed-credentials rulesets need the Pro plan or a larger one.
    </p>
  );
}
