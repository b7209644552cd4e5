/** Several origins for the names of a site. */
import { useQuery } from '@tanstack/react-query';
import { useAccountId, useZone } from '../../api/queries.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Balancers } from './balancers.tsx';
import { balancingQuery } from './balancing.ts';
import { Monitors } from './monitors.tsx';
import { Pools } from './pools.tsx';

export function LoadBalancingPage() {
  const { id, name } = useZone();
  const balancing = useQuery(balancingQuery({ zone_id: id, account_id: useAccountId() }));
  return (
    <>
      <PageHead
        title="Load balancing"
        about={`The names of ${name} that have several origins, and their health. Pools and monitors belong to the account: other sites can use them, too.`}
      />
      <Resource of={balancing}>
        {({ balancers, pools, monitors }) => (
          <>
            <Balancers balancers={balancers} pools={pools} />
            <Pools pools={pools} monitors={monitors} />
            <Monitors monitors={monitors} />
          </>
        )}
      </Resource>
    </>
  );
}
