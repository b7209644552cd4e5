/** All sites of the account. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { zonesQuery } from '../../api/queries.ts';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { Table, TableHead } from '../../parts/table.tsx';
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
        <Zones zones={zones.data} />
      )}
    </>
  );
}

/** From so many sites on, they are looked for by name. */
const sitesUnsearched = 10;

function Zones({ zones }: { readonly zones: readonly Zone[] }) {
  const [wanted, setWanted] = useState('');
  const found = zones.filter(({ name }) => name.includes(wanted.trim().toLowerCase()));
  return (
    <div className="stack">
      {zones.length > sitesUnsearched && (
        <Field label={`Find one of ${zones.length.toLocaleString()} sites`}>
          <TextInput type="search" value={wanted} onValueChange={setWanted} autoComplete="off" />
        </Field>
      )}
      {found.length === 0 ? <Empty title="No site has this in its name" /> : <ZoneTable zones={found} />}
    </div>
  );
}

function ZoneTable({ zones }: { readonly zones: readonly Zone[] }) {
  return (
    <Table label="Sites">
      <TableHead columns={['Site', 'Plan', 'Status', 'Changed']} />
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
    </Table>
  );
}
