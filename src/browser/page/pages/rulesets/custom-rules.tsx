/**
 * Custom rules of a site, with their effects; or those of a ruleset of the account, with their effects on this site.
 */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useAccountId, useZone } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { RuleEditor } from '../rules/ruleset/rule-editor.tsx';
import { RulesetBoard } from '../rules/ruleset/ruleset-board.tsx';
import { type RulesetPlace, rulesetQuery } from '../rules/ruleset/ruleset-rules.ts';
import { AccountRulesets } from './account-rulesets.tsx';

const route = getRouteApi('/signed-in/zones/$zoneId/custom-rules');
const phase = 'http_request_firewall_custom';

function usePlace(): RulesetPlace {
  const { id: zoneId } = useZone();
  const accountId = useAccountId();
  const { ruleset } = route.useSearch();
  const ofAccount = ruleset === undefined ? undefined : { accountId, rulesetId: ruleset };
  return { zoneId, phase, ...(ofAccount === undefined ? {} : { ofAccount }) };
}

export function CustomRulesPage() {
  const { plan, name } = useZone();
  const { rule, ruleset: rulesetId } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (ruleId?: string): void =>
    void navigate({
      search: {
        ...(rulesetId === undefined ? {} : { ruleset: rulesetId }),
        ...(ruleId === undefined ? {} : { rule: ruleId }),
      },
    });
  const place = usePlace();
  const ruleset = useQuery(rulesetQuery(place));
  if (rule !== undefined && ruleset.data !== undefined) {
    return (
      <RuleEditor
        key={rule}
        title="Custom rules"
        place={place}
        ruleset={ruleset.data}
        ruleId={rule}
        onClose={() => open()}
      />
    );
  }
  return (
    <>
      <PageHead
        title={rulesetId === undefined ? 'Custom rules' : (ruleset.data?.name ?? 'Ruleset')}
        about={
          rulesetId === undefined ? (
            `What happens to requests to ${name}. The first rule from the top that blocks or challenges decides. Custom rules run after firewall rules and before rate limits.`
          ) : (
            <Shared />
          )
        }
      >
        <Button look="primary" onClick={() => open('new')}>
          Create a rule
        </Button>
      </PageHead>
      <div className="stack">
        <Resource of={ruleset} rows={6}>
          {(known) => <RulesetBoard place={place} ruleset={known} none={<NoRules />} onEdit={open} />}
        </Resource>
        {rulesetId === undefined && plan.legacy_id === 'enterprise' && <AccountRulesets />}
      </div>
    </>
  );
}

function Shared() {
  const { id, name } = useZone();
  return (
    <>
      A ruleset of the account: a change affects every site that it runs for. The hits shown are those of{' '}
      {name}.{' '}
      <Link to="/zones/$zoneId/custom-rules" params={{ zoneId: id }}>
        Custom rules of this site
      </Link>
    </>
  );
}

function NoRules() {
  const { name } = useZone();
  return (
    <Empty
      title="There is no custom rule yet"
      command={`gatehouse rulesets set-entrypoint ${name} ${phase} --rules '[{"action":"block","expression":"http.request.uri.path eq \\"/admin\\""}]'`}
    >
      A rule defines what happens to requests that match a condition. Create one to start.
    </Empty>
  );
}
