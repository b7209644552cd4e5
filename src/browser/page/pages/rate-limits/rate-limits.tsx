/**
 * The rate limits of a site with their effects, their current counts, and a limit that its visitors would not notice.
 */
import { getRouteApi } from '@tanstack/react-router';
import { useZone } from '../../api/queries.ts';
import { Empty } from '../../parts/reading/states.tsx';
import { RulesetPage } from '../rules/ruleset/ruleset-page.tsx';
import { RateKeys } from './rate-keys.tsx';
import { RateSuggestion } from './rate-suggestion.tsx';

const route = getRouteApi('/signed-in/zones/$zoneId/rate-limits');
const phase = 'http_ratelimit';

export function RateLimitsPage() {
  const { id: zoneId, name } = useZone();
  const { rule } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <RulesetPage
      title="Rate limits"
      about={`How often clients may request ${name}, and who is at the limit now. Rate limits run after custom rules.`}
      action="Create a rate limit"
      place={{ zoneId, phase }}
      ruleId={rule}
      onOpen={(ruleId) => void navigate({ search: ruleId === undefined ? {} : { rule: ruleId } })}
      none={<NoLimits name={name} />}
    >
      <RateKeys />
      <RateSuggestion />
    </RulesetPage>
  );
}

const sample = {
  action: 'block',
  expression: 'http.request.uri.path eq "/login"',
  ratelimit: {
    characteristics: ['ip.src', 'cf.colo.id'],
    period: 10,
    requests_per_period: 20,
    mitigation_timeout: 10,
  },
};

function NoLimits({ name }: { readonly name: string }) {
  return (
    <Empty
      title="There is no rate limit yet"
      command={`gatehouse rulesets set-entrypoint ${name} ${phase} --rules '${JSON.stringify([sample])}'`}
    >
      Create one to stop visitors who send too many requests, for example to a sign-in form. Below is a limit
      that others would not notice.
    </Empty>
  );
}
