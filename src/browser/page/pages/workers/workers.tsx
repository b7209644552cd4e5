/** The uploaded Workers. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Result } from '#client';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';

const none = (
  <Empty title="There is no Worker yet" command="npx wrangler deploy">
    Set CLOUDFLARE_API_BASE_URL and CLOUDFLARE_API_TOKEN, and deploy a project with Wrangler.
  </Empty>
);

const columns: readonly Column<Result<'workers.list'>[number]>[] = [
  {
    title: 'Name',
    cell: ({ id }) => (
      <Link to="/workers/$workerName" params={{ workerName: id }} className="strong-link mono">
        {id}
      </Link>
    ),
  },
  { title: 'Handlers', cell: ({ handlers }) => handlers.join(', ') || <span className="soft">none</span> },
  { title: 'Compatibility date', cell: (worker) => worker.compatibility_date ?? '–' },
  { title: 'Deployed from', cell: (worker) => worker.last_deployed_from ?? '–' },
  { title: 'Changed', cell: ({ modified_on }) => <Time at={modified_on} isRelative /> },
];

export function WorkersPage() {
  const workers = useQuery(read('/accounts/{account_id}/workers/scripts', { account_id: useAccountId() }));
  return (
    <>
      <PageHead
        title="Workers"
        about="Code that answers requests of your sites, uploaded with wrangler deploy, behind their rules."
      />
      <Resource of={workers} rows={5} empty={none}>
        {(all) => (
          <Card title="Uploaded">
            <DataTable label="Workers" columns={columns} rows={all} />
          </Card>
        )}
      </Resource>
    </>
  );
}
