/** Who changed a rule, when, how and why. */
import { useQuery } from '@tanstack/react-query';
import { useZoneId } from '../../../api/queries.ts';
import { read } from '../../../api/read.ts';
import { Card } from '../../../parts/card.tsx';
import { Resource } from '../../../parts/reading/resource.tsx';
import { AuditTable } from '../../audit/audit-table.tsx';

/** Older changes are in the audit log. */
const shownMax = 20;
/** Changes of a ruleset are recorded together: this many are searched for those of a rule. */
const searchedMax = 100;

interface RuleHistoryProps {
  readonly ruleId: string;
  /** Absent for a firewall rule, which has entries of its own. */
  readonly rulesetId?: string;
  /** For a ruleset of the account. */
  readonly accountId?: string | undefined;
}

export function RuleHistory({ ruleId, rulesetId, accountId }: RuleHistoryProps) {
  const zone_id = useZoneId();
  const query = {
    'resource.id': rulesetId ?? ruleId,
    per_page: rulesetId === undefined ? shownMax : searchedMax,
  };
  const entries = useQuery({
    ...(accountId === undefined
      ? read('/zones/{zone_id}/audit_logs', { zone_id, query })
      : read('/accounts/{account_id}/audit_logs', { account_id: accountId, query })),
    // Truncated values may contain the rule.
    select: (all) =>
      all
        .filter(
          ({ newValue, metadata }) =>
            rulesetId === undefined || metadata.is_shortened === true || newValue.includes(ruleId),
        )
        .slice(0, shownMax),
  });
  return (
    <Card title="History">
      <Resource of={entries} rows={3} empty={<p className="soft">No changes are recorded.</p>}>
        {(all) => <AuditTable entries={all} />}
      </Resource>
    </Card>
  );
}
