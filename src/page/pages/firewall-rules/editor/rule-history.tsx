/** Who changed a rule, when, how and why. */
import { useQuery } from '@tanstack/react-query';
import { useZoneId } from '../../../api/queries.ts';
import { read } from '../../../api/read.ts';
import { Resource } from '../../../parts/reading/resource.tsx';
import { AuditTable } from '../../audit/audit-table.tsx';

/** Older changes are in the audit log. */
const shownMax = 20;

export function RuleHistory({ ruleId }: { readonly ruleId: string }) {
  const query = { 'resource.id': ruleId, per_page: shownMax };
  const entries = useQuery(read('/zones/{zone_id}/audit_logs', { zone_id: useZoneId(), query }));
  return (
    <Resource of={entries} rows={3} empty={<p className="soft">Nothing was noted about it.</p>}>
      {(all) => <AuditTable entries={all} />}
    </Resource>
  );
}
