/** What both generations of managed rules ask for. The migration's pages read the status under the same key. */
import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';

type MigrationState = 'default' | 'start' | 'validation' | 'pending' | 'complete';

export interface MigrationStatus {
  readonly migration_state: MigrationState;
  readonly old_waf_status: 'enabled' | 'disabled';
  readonly new_waf_status: 'enabled' | 'disabled';
  readonly created: string;
  readonly watched: boolean;
}

export function statusQuery(zoneId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'migration', 'status'],
    queryFn: ({ signal }) => get<MigrationStatus>(`/zones/${zoneId}/waf_migration/status`, { signal }),
  });
}
