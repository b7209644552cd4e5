/** All sites of the account. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Result } from '#client';
import { zonesQuery } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import type { Zone } from '../../api/types.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty, Message } from '../../parts/reading/states.tsx';
import { Sparkline } from '../../parts/timeline/sparkline.tsx';
import { Question } from '../start/question.tsx';
import { orderByConcern, type SiteGlance, useGlances } from './site-glance.ts';
import { UrgentCertificates } from './urgent-certificates.tsx';

/** Most visits do not add a site, and this is the first page. */
const SiteForm = lazy(async () => ({ default: (await import('./site-form.tsx')).SiteForm }));

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
          {(close) => (
            <Suspense>
              <SiteForm onClose={close} />
            </Suspense>
          )}
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

/** A first start creates one for each plan. More than these show that the server is in use. */
const sitesOfFirstStart = 4;

/** Until a site is served, the page asks for the user's purpose. */
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

/** From this many sites on, there is a search by name. */
const sitesUnsearched = 10;

const tones: Readonly<Record<Result<'protection.get'>['state'], 'good' | 'warn' | 'bad' | 'info'>> = {
  'not served': 'info',
  paused: 'bad',
  'not protected': 'bad',
  'partly protected': 'warn',
  protected: 'good',
};

function listColumns(glances: ReadonlyMap<string, SiteGlance>): readonly Column<Zone>[] {
  return [
    {
      title: 'Site',
      cell: ({ id, name }) => (
        <>
          <Link to="/zones/$zoneId" params={{ zoneId: id }} className="strong-link">
            {name}
          </Link>
          {(glances.get(id)?.concerns ?? []).map((concern) => (
            <div key={concern} className="field-error">
              {concern}
            </div>
          ))}
        </>
      ),
    },
    {
      title: 'Protection',
      cell: ({ id, paused, status }) => {
        const state = glances.get(id)?.protection?.state;
        if (state !== undefined) return <Pill tone={tones[state]}>{state}</Pill>;
        return <Pill tone={paused ? 'warn' : 'info'}>{paused ? 'paused' : status}</Pill>;
      },
    },
    { title: 'Requests in 24 h', cell: ({ id }) => <Requests traffic={glances.get(id)?.traffic} /> },
    {
      title: 'Stopped',
      kind: 'number',
      cell: ({ id }) => {
        const { blocked = 0, challenged = 0 } = glances.get(id)?.traffic?.totals.verdicts ?? {};
        return (blocked + challenged).toLocaleString();
      },
    },
    { title: 'Plan', cell: ({ plan }) => plan.name },
  ];
}

function Requests({ traffic }: Pick<SiteGlance, 'traffic'>) {
  if (traffic === undefined) return null;
  return (
    <div className="site-requests">
      <Sparkline values={traffic.points.map(({ requests }) => requests)} />
      <span>{traffic.totals.requests.toLocaleString()}</span>
    </div>
  );
}

function Zones({ zones }: { readonly zones: readonly Zone[] }) {
  const [wanted, setWanted] = useState('');
  const found = zones.filter(({ name }) => name.includes(wanted.trim().toLowerCase()));
  const glances = useGlances(found);
  const label = `Find one of ${zones.length.toLocaleString()} sites`;
  return (
    <div className="stack">
      {zones.length > sitesUnsearched && (
        <TextField label={label} type="search" value={wanted} onChange={setWanted} />
      )}
      {found.length === 0 ? (
        <Message title="No site matches">Shorten the search text.</Message>
      ) : (
        <DataTable label="Sites" columns={listColumns(glances)} rows={orderByConcern(found, glances)} />
      )}
    </div>
  );
}
