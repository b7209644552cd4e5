/** All sites of the account. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { zonesQuery } from '../../api/queries.ts';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { SiteForm } from './site-form.tsx';

export function ZonesPage() {
  const zones = useQuery(zonesQuery);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <PageHead title="Sites" about="Every zone of this account. Open one to see what protects it.">
        <Button look="primary" onClick={() => setAdding(true)}>
          Add site
        </Button>
      </PageHead>
      <SiteForm isOpen={isAdding} onClose={() => setAdding(false)} />
      {zones.isPending ? (
        <Loading />
      ) : zones.isError ? (
        <Failed error={zones.error} onRetry={() => void zones.refetch()} />
      ) : zones.data.length === 0 ? (
        <Empty title="There is no site yet">
          <p>
            Add one here, or with <code>gatehouse protect HOST --origin URL</code>.
          </p>
        </Empty>
      ) : (
        <ZoneTable zones={zones.data} />
      )}
    </>
  );
}

function ZoneTable({ zones }: { readonly zones: readonly Zone[] }) {
  return (
    <div className="table-frame">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Site</th>
            <th scope="col">Plan</th>
            <th scope="col">Status</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {zones.map((zone) => (
            <tr key={zone.id}>
              <td>
                <Link to="/zones/$zoneId" params={{ zoneId: zone.id }} className="strong-link">
                  {zone.name}
                </Link>
              </td>
              <td>{zone.plan.name}</td>
              <td>
                <Pill tone={zone.paused ? 'warn' : 'good'}>{zone.paused ? 'paused' : zone.status}</Pill>
              </td>
              <td>
                <Time at={zone.modified_on} isRelative />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
