/** Every change: who made it, when, and the values before and after. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { keyOf } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Message } from '../../parts/reading/states.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { ChainCheck } from './chain-check.tsx';
import { type Filters, noFilters, toQuery } from './entry.ts';

const none = <Message title="No change matches">Choose a longer time or fewer filters.</Message>;

export function AuditPage() {
  const [filters, setFilters] = useState(noFilters);
  const entries = useEntries(filters);
  const shown = entries.data?.pages.flatMap(({ result }) => result);
  return (
    <>
      <PageHead
        title="Audit log"
        about="Every change to the account and its sites, including deleted sites. Tampering with an entry is detected."
      >
        <ChainCheck />
      </PageHead>
      <div className="stack">
        <AuditFilters onChange={setFilters} />
        <Resource of={{ ...entries, data: shown }} rows={8} empty={none}>
          {(found) => <AuditTable entries={found} />}
        </Resource>
        {entries.hasNextPage && (
          <Button isBusy={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
            Show older
          </Button>
        )}
      </div>
    </>
  );
}

const perPage = 50;

function useEntries(filters: Filters) {
  const path = '/accounts/{account_id}/audit_logs';
  const account_id = useAccountId();
  const query = toQuery(filters);
  return useInfiniteQuery({
    queryKey: [...keyOf(path, { account_id, query }), 'pages'],
    queryFn: ({ signal, pageParam }) =>
      client.get(path, { account_id, query: { ...query, page: pageParam, per_page: perPage }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ result }, _, last) => (result.length < perPage ? undefined : last + 1),
  });
}
