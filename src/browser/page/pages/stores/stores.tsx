/** The stores of the account that Workers are bound to: KV namespaces, D1 databases, queues and R2 buckets. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { read, readAll } from '../../api/read.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { Time } from '../../parts/time.tsx';
import { CreateStore } from './create-store.tsx';
import { Queues } from './queues.tsx';

export function StoresPage() {
  const account_id = useAccountId();
  return (
    <>
      <PageHead
        title="Stores"
        about="Storage that Workers use besides their own objects. Stores belong to the account, and outlive the Workers."
      />
      <div className="stack">
        <Namespaces account_id={account_id} />
        <Databases account_id={account_id} />
        <Queues account_id={account_id} />
        <Buckets account_id={account_id} />
      </div>
    </>
  );
}

interface AccountProps {
  readonly account_id: string;
}

function Namespaces({ account_id }: AccountProps) {
  const path = '/accounts/{account_id}/storage/kv/namespaces';
  return (
    <TableCard
      title="KV namespaces"
      of={useQuery(readAll(path, { account_id }))}
      rows={2}
      actions={
        <CreateStore
          what="namespace"
          create={(title) => client.post(path, { account_id, body: { title } })}
        />
      }
      empty={
        <Empty title="There is no namespace" command="npx wrangler kv namespace create sessions">
          Create one here, or with Wrangler.
        </Empty>
      }
      columns={[
        {
          title: 'Title',
          cell: ({ id, title }) => (
            <Link to="/stores/kv/$storeId" params={{ storeId: id }} className="strong-link">
              {title}
            </Link>
          ),
        },
        { title: 'Id', kind: 'mono', cell: ({ id }) => id },
      ]}
    />
  );
}

function Databases({ account_id }: AccountProps) {
  const path = '/accounts/{account_id}/d1/database';
  return (
    <TableCard
      title="D1 databases"
      of={useQuery(readAll(path, { account_id }))}
      rows={2}
      actions={
        <CreateStore what="database" create={(name) => client.post(path, { account_id, body: { name } })} />
      }
      empty={
        <Empty title="There is no database" command="npx wrangler d1 create orders">
          Create one here, or with Wrangler.
        </Empty>
      }
      keyOf={({ uuid }) => uuid}
      columns={[
        {
          title: 'Name',
          cell: ({ uuid, name }) => (
            <Link to="/stores/d1/$storeId" params={{ storeId: uuid }} className="strong-link">
              {name}
            </Link>
          ),
        },
        { title: 'Id', kind: 'mono', cell: ({ uuid }) => uuid },
        { title: 'Created', cell: ({ created_at }) => <Time at={created_at} isRelative /> },
      ]}
    />
  );
}

function Buckets({ account_id }: AccountProps) {
  const path = '/accounts/{account_id}/r2/buckets';
  return (
    <TableCard
      title="R2 buckets"
      of={useQuery({ ...read(path, { account_id }), select: ({ buckets }) => buckets })}
      rows={2}
      actions={
        <CreateStore what="bucket" create={(name) => client.post(path, { account_id, body: { name } })} />
      }
      empty={
        <Empty title="There is no bucket" command="npx wrangler r2 bucket create pictures">
          Create one here, or with Wrangler.
        </Empty>
      }
      keyOf={({ name }) => name}
      columns={[
        {
          title: 'Name',
          cell: ({ name }) => (
            <Link to="/stores/r2/$storeId" params={{ storeId: name }} className="strong-link">
              {name}
            </Link>
          ),
        },
        { title: 'Created', cell: ({ creation_date }) => <Time at={creation_date} isRelative /> },
      ]}
    />
  );
}
