/** The objects of an R2 bucket, by key prefix. */
import { getRouteApi } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { formatBytes } from '../../parts/format-bytes.ts';
import { DeleteStore } from './create-store.tsx';
import { DeleteEntry, PrefixSearch } from './prefix-search.tsx';

const path = '/accounts/{account_id}/r2/buckets/{bucket_name}';
const route = getRouteApi('/signed-in/account/stores/r2/$storeId');

export function BucketPage() {
  const names = { account_id: useAccountId(), bucket_name: route.useParams().storeId };
  return (
    <>
      <PageHead title={names.bucket_name} about="R2 bucket">
        <DeleteStore what="bucket" name={names.bucket_name} remove={() => client.delete(path, names)} />
      </PageHead>
      <PrefixSearch
        title="Objects"
        search={(prefix) => read(`${path}/objects`, { ...names, query: prefix === '' ? {} : { prefix } })}
        none={
          <Empty
            title="There is no object"
            command={`npx wrangler r2 object put ${names.bucket_name}/KEY --file FILE --remote`}
          >
            Workers with a binding to the bucket put objects into it; so does Wrangler.
          </Empty>
        }
      >
        {(all) => (
          <DataTable
            label="Objects"
            rows={all}
            keyOf={({ key }) => key}
            columns={[
              { title: 'Key', kind: 'mono', cell: ({ key }) => key },
              { title: 'Size', kind: 'number', cell: ({ size }) => formatBytes(size) },
              { title: 'Type', cell: ({ http_metadata }) => readType(http_metadata) },
              { title: 'Changed', cell: ({ last_modified }) => <Time at={last_modified} isRelative /> },
              {
                title: 'Actions',
                kind: 'actions',
                cell: ({ key }) => (
                  <DeleteEntry
                    name={key}
                    remove={() =>
                      client.delete(`${path}/objects/{object_key}`, { ...names, object_key: key })
                    }
                  />
                ),
              },
            ]}
          />
        )}
      </PrefixSearch>
    </>
  );
}

function readType(metadata: unknown): string {
  return (metadata as { readonly contentType?: string } | null)?.contentType ?? '';
}
