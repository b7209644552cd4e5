/** Page rules of a site: other settings where a URL matches. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useZone } from '../../api/queries.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { statusQuery } from '../migration/migration-api.ts';
import { PageRuleForm } from './page-rule-form.tsx';
import { PageRuleTable } from './page-rule-table.tsx';
import { hasLegacyRules, isOfWaf, listEffectiveActions, pageRulesQuery } from './page-rule.ts';

export function PageRulesPage() {
  const zone = useZone();
  const { data: status } = useQuery(statusQuery(zone.id));
  const state = status?.migration_state ?? 'start';
  const effective = listEffectiveActions(state);
  const none = (
    <Empty
      title="There is no page rule"
      command={`gatehouse pagerules create ${zone.name} --targets '[{"target":"url","constraint":{"operator":"matches","value":"${zone.name}/old/*"}}]' --actions '[{"id":"always_use_https"}]' --status active`}
    >
      {hasLegacyRules(state)
        ? `Create one to redirect some addresses of ${zone.name}, to serve them with other settings, or to turn the managed rules off for them.`
        : `Create one to redirect some addresses of ${zone.name}, or to serve them with other settings. Page rules do not turn managed rules on or off: use exceptions under Managed rules.`}
    </Empty>
  );
  return (
    <>
      <PageHead
        title="Page rules"
        about="If the URLs of several rules match, the one with the highest priority applies. Actions without effect here are stored for your tools."
      >
        <DialogButton label="Create page rule" look="primary">
          {(close) => <PageRuleForm effective={effective} rule={undefined} onClose={close} />}
        </DialogButton>
      </PageHead>
      <Resource of={useQuery(pageRulesQuery(zone.id))} rows={4} empty={none}>
        {(rules) => (
          <div className="stack">
            {rules.some(isOfWaf) && !hasLegacyRules(state) && <WithoutEffect zoneId={zone.id} />}
            <PageRuleTable rules={rules} effective={effective} />
          </div>
        )}
      </Resource>
    </>
  );
}

/** The rules keep their status, which other tools read; this explains that it has no effect. */
function WithoutEffect({ zoneId }: { readonly zoneId: string }) {
  return (
    <p className="note">
      Page rules do not turn managed rulesets on or off, whatever their status. To turn managed rules off for
      some requests, write an exception under{' '}
      <Link to="/zones/$zoneId/managed-rules" params={{ zoneId }}>
        Managed rules
      </Link>
      ; what page rules turned off before this site was updated is an exception there already.
    </p>
  );
}
