/** A site's rules by address, URL and user agent, without expressions. */
import { useZone } from '../../api/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { AccessRules } from '../access-rules/access-rules.tsx';
import { AskingRules } from './asking-rules.tsx';
import { Lockdowns } from '../lockdowns/lockdowns.tsx';
import { UserAgentRules } from '../user-agent-rules/user-agent-rules.tsx';

export function SecurityToolsPage() {
  const { name } = useZone();
  return (
    <>
      <PageHead
        title="Security tools"
        about={`Who may visit ${name}, by address, country, URL and user agent. IP access rules come before all others; firewall rules and custom rules can skip the rest. Rules that ask come last.`}
      />
      <AccessRules />
      <Lockdowns />
      <UserAgentRules />
      <AskingRules />
    </>
  );
}
