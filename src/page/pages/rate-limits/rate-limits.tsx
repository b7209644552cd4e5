/** What the rate limits of a site count now, and which limit its visitors would not notice. */
import { useZone } from '../../api/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { RateKeys } from './rate-keys.tsx';
import { RateSuggestion } from './rate-suggestion.tsx';

export function RateLimitsPage() {
  const { name } = useZone();
  return (
    <>
      <PageHead
        title="Rate limits"
        about={`Who comes too often to ${name}, or nearly so. The limits are rules of the phase http_ratelimit.`}
      />
      <RateKeys />
      <RateSuggestion />
    </>
  );
}
