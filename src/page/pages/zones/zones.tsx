/** All sites of the account. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { zonesQuery } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import type { Zone } from '../../api/types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { Question } from '../start/question.tsx';
import { SiteForm } from './site-form.tsx';
import { UrgentCertificates } from './urgent-certificates.tsx';

const none = (
  <Empty title="There is no site yet" command="gatehouse protect shop.example --origin http://127.0.0.1:3000">
    Add one here, or in a terminal.
  </Empty>
);

export function ZonesPage() {
  return (
    <>
      <PageHead title="Sites" about="Every zone of this account. Open one to see what protects it.">
        <DialogButton label="Add site" look="primary">
          {(close) => <SiteForm onClose={close} />}
        </DialogButton>
      </PageHead>
      <FirstQuestion />
      <UrgentCertificates />
      <Resource of={useQuery(zonesQuery)} empty={none}>
        {(zones) => <Zones zones={zones} />}
      </Resource>
    </>
  );
}

/** A first start creates one for each plan. Who has more has begun. */
const sitesOfFirstStart = 4;

/** Until a site is served, the question is what somebody came for. */
function FirstQuestion() {
  const { data: zones } = useQuery(zonesQuery);
  const isNew = zones !== undefined && zones.length <= sitesOfFirstStart;
  const states = useQueries({
    queries: (isNew ? zones : []).map(({ id }) => read('/zones/{zone_id}/protection', { zone_id: id })),
  });
  const isUnserved = states.every(({ data }) => data?.state === 'not served');
  if (!isNew || !isUnserved) return null;
  return (
    <section aria-labelledby="first-question">
      <h2 id="first-question">What do you want to do?</h2>
      <Question />
    </section>
  );
}

/** From so many sites on, they are looked for by name. */
const sitesUnsearched = 10;

const columns: readonly Column<Zone>[] = [
  {
    title: 'Site',
    cell: ({ id, name }) => (
      <Link to="/zones/$zoneId" params={{ zoneId: id }} className="strong-link">
        {name}
      </Link>
    ),
  },
  { title: 'Plan', cell: ({ plan }) => plan.name },
  {
    title: 'Status',
    cell: ({ paused, status }) => <Pill tone={paused ? 'warn' : 'good'}>{paused ? 'paused' : status}</Pill>,
  },
  { title: 'Changed', cell: ({ modified_on }) => <Time at={modified_on} isRelative /> },
];

function Zones({ zones }: { readonly zones: readonly Zone[] }) {
  const [wanted, setWanted] = useState('');
  const found = zones.filter(({ name }) => name.includes(wanted.trim().toLowerCase()));
  const label = `Find one of ${zones.length.toLocaleString()} sites`;
  return (
    <div className="stack">
      {zones.length > sitesUnsearched && (
        <TextField label={label} type="search" value={wanted} onChange={setWanted} />
      )}
      {found.length === 0 ? (
        <Empty title="No site has this in its name" />
      ) : (
        <DataTable label="Sites" columns={columns} rows={found} keyOf={({ id }) => id} />
      )}
    </div>
  );
}
