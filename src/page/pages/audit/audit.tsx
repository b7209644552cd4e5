/** Every change: who made it, when, and what was before and after. */
import './audit.css';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { accountQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { type Filters, noFilters, toQuery } from './entry.ts';
import { ChainCheck } from './chain-check.tsx';

export function AuditPage() {
  const account = useQuery(accountQuery);
  const [filters, setFilters] = useState(noFilters);
  const accountId = account.data?.id ?? '';
  const entries = useEntries(accountId, filters);
  const shown = entries.data?.pages.flatMap(({ result }) => result) ?? [];
  const error = account.error ?? entries.error;
  return (
    <>
      <PageHead
        title="Audit log"
        about="Every change of the account and its sites, deleted ones too. Nobody can change an entry unnoticed."
      >
        {account.isSuccess && <ChainCheck accountId={accountId} />}
      </PageHead>
      <div className="stack">
        <AuditFilters onChange={setFilters} />
        {error !== null ? (
          <Failed error={error} onRetry={() => void entries.refetch()} />
        ) : entries.isPending ? (
          <Loading rows={8} />
        ) : shown.length === 0 ? (
          <Empty title="No change matches">
            <p>Ask for a longer time, or for fewer things at once.</p>
          </Empty>
        ) : (
          <AuditTable entries={shown} accountId={accountId} />
        )}
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

function useEntries(accountId: string, filters: Filters) {
  return useInfiniteQuery({
    queryKey: ['audit', accountId, filters],
    queryFn: ({ signal, pageParam }) =>
      client.get('/accounts/{account_id}/audit_logs', {
        account_id: accountId,
        query: { ...toQuery(filters), page: pageParam, per_page: perPage },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ result }, _, last) => (result.length < perPage ? undefined : last + 1),
    enabled: accountId !== '',
  });
}
