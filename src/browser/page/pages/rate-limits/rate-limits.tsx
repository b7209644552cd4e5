/**
 * The rate limits of a site with their effects, their current counts, and a limit that its visitors would not notice.
 */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useZone } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { RuleEditor } from '../rules/ruleset/rule-editor.tsx';
import { RulesetBoard } from '../rules/ruleset/ruleset-board.tsx';
import { rulesetQuery } from '../rules/ruleset/ruleset-rules.ts';
import { RateKeys } from './rate-keys.tsx';
import { RateSuggestion } from './rate-suggestion.tsx';

const route = getRouteApi('/signed-in/zones/$zoneId/rate-limits');
const phase = 'http_ratelimit';

export function RateLimitsPage() {
  const { id: zoneId, name } = useZone();
  const { rule } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (ruleId?: string): void =>
    void navigate({ search: ruleId === undefined ? {} : { rule: ruleId } });
  const place = { zoneId, phase } as const;
  const ruleset = useQuery(rulesetQuery(place));
  if (rule !== undefined && ruleset.data !== undefined) {
    return (
      <RuleEditor
        key={rule}
        title="Rate limits"
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
        title="Rate limits"
        about={`How often clients may request ${name}, and who is at the limit now. Rate limits run after custom rules.`}
      >
        <Button look="primary" onClick={() => open('new')}>
          Create a rate limit
        </Button>
      </PageHead>
      <div className="stack">
        <Resource of={ruleset} rows={3}>
          {(known) => (
            <RulesetBoard place={place} ruleset={known} none={<NoLimits name={name} />} onEdit={open} />
          )}
        </Resource>
        <RateKeys />
        <RateSuggestion />
      </div>
    </>
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
