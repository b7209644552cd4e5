/** Page rules of a site: other settings where a URL matches. */
import './page-rules.css';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { zoneQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { statusQuery } from '../migration/migration-api.ts';
import { listEffectiveActions, type PageRule, pageRulesQuery } from './page-rule.ts';
import { PageRuleForm } from './page-rule-form.tsx';
import { PageRuleTable } from './page-rule-table.tsx';

const route = getRouteApi('/signed-in/zones/$zoneId/page-rules');

export function PageRulesPage() {
  const { zoneId } = route.useParams();
  const { data: zone } = useSuspenseQuery(zoneQuery(zoneId));
  const rules = useQuery(pageRulesQuery(zoneId));
  const { data: status } = useQuery(statusQuery(zoneId));
  const effective = listEffectiveActions(status?.migration_state ?? 'start');
  const [edited, setEdited] = useState<PageRule | 'new'>();
  return (
    <>
      <PageHead
        title="Page rules"
        about={`Of the rules whose URL matches a request, the one with the highest priority applies. ${effective.length === 0 ? 'None of their actions has an effect here' : 'Only disable_security and waf have an effect here; the others are kept for your tools'}.`}
      >
        <Button look="primary" onClick={() => setEdited('new')}>
          Create page rule
        </Button>
      </PageHead>
      {rules.isPending ? (
        <Loading rows={4} />
      ) : rules.isError ? (
        <Failed error={rules.error} onRetry={() => void rules.refetch()} />
      ) : rules.data.length === 0 ? (
        <Empty title="There is no page rule">
          <p>
            {effective.length === 0
              ? `Managed rules of ${zone.name} are not switched by page rules: use exceptions under Managed rules.`
              : `Create one to turn the managed rules off, or all security, for some addresses of ${zone.name}.`}
          </p>
        </Empty>
      ) : (
        <div className="stack">
          {effective.length === 0 && <WithoutEffect zoneId={zoneId} />}
          <PageRuleTable zoneId={zoneId} rules={rules.data} effective={effective} onEdit={setEdited} />
        </div>
      )}
      <PageRuleForm
        zone={zone}
        effective={effective}
        edited={edited}
        onClose={() => setEdited(undefined)}
        onReload={async () => {
          const { data = [] } = await rules.refetch();
          setEdited((current) =>
            typeof current === 'object' ? data.find(({ id }) => id === current.id) : current,
          );
        }}
      />
    </>
  );
}

/** The rules keep their status, which other tools read; this says what it is worth. */
function WithoutEffect({ zoneId }: { readonly zoneId: string }) {
  return (
    <p className="note">
      Page rules do not turn managed rulesets on or off, whatever their status. Where managed rules shall not
      act, write an exception under{' '}
      <Link to="/zones/$zoneId/managed-rules" params={{ zoneId }}>
        Managed rules
      </Link>
      ; what page rules turned off before this site was updated is an exception there already.
    </p>
  );
}
