/**
 * Custom rules of a site, with their effects; or those of a ruleset of the account, with their effects on this site.
 */
import { getRouteApi, Link } from '@tanstack/react-router';
import { useAccountId, useZone } from '../../api/queries.ts';
import { Empty } from '../../parts/reading/states.tsx';
import { RulesetPage } from '../rules/ruleset/ruleset-page.tsx';
import { AccountRulesets } from './account-rulesets.tsx';

const route = getRouteApi('/signed-in/zones/$zoneId/custom-rules');
const phase = 'http_request_firewall_custom';

export function CustomRulesPage() {
  const { id: zoneId, plan, name } = useZone();
  const accountId = useAccountId();
  const { rule, ruleset: rulesetId } = route.useSearch();
  const navigate = route.useNavigate();
  const ofAccount = rulesetId === undefined ? {} : { ofAccount: { accountId, rulesetId } };
  return (
    <RulesetPage
      title="Custom rules"
      about={
        rulesetId === undefined ? (
          `What happens to requests to ${name}. The first rule from the top that blocks or challenges decides. Custom rules run after firewall rules and before rate limits.`
        ) : (
          <Shared />
        )
      }
      action="Create a rule"
      place={{ zoneId, phase, ...ofAccount }}
      ruleId={rule}
      onOpen={(ruleId) =>
        void navigate({
          search: {
            ...(rulesetId === undefined ? {} : { ruleset: rulesetId }),
            ...(ruleId === undefined ? {} : { rule: ruleId }),
          },
        })
      }
      none={<NoRules />}
    >
      {rulesetId === undefined && plan.legacy_id === 'enterprise' && <AccountRulesets />}
    </RulesetPage>
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
