/** The objects of an R2 bucket, by the beginnings of their keys. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { useSettled } from '../../parts/forms/use-settled.ts';
import { useWrite } from '../../parts/forms/use-write.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import { formatBytes } from '../objects/format-bytes.ts';
import { DeleteStore } from './create-store.tsx';

const path = '/accounts/{account_id}/r2/buckets/{bucket_name}';
const route = getRouteApi('/signed-in/account/stores/r2/$storeId');

interface Names {
  readonly account_id: string;
  readonly bucket_name: string;
}

export function BucketPage() {
  const names = { account_id: useAccountId(), bucket_name: route.useParams().storeId };
  const [prefix, setPrefix] = useState('');
  const searched = useSettled(prefix);
  const objects = useQuery(
    read(`${path}/objects`, { ...names, query: searched === '' ? {} : { prefix: searched } }),
  );
  return (
    <>
      <PageHead title={names.bucket_name} about="R2 bucket">
        <DeleteStore what="bucket" name={names.bucket_name} remove={() => client.delete(path, names)} />
      </PageHead>
      <Card title="Objects">
        <TextField label="Keys that begin with" value={prefix} onChange={setPrefix} isCode />
        <Resource of={objects} rows={5} empty={<p className="soft">There is no such object.</p>}>
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
                  cell: ({ key }) => <DeleteObject names={names} name={key} />,
                },
              ]}
            />
          )}
        </Resource>
      </Card>
    </>
  );
}

function DeleteObject({ names, name }: { readonly names: Names; readonly name: string }) {
  const deletion = useWrite({
    write: () => client.delete(`${path}/objects/{object_key}`, { ...names, object_key: name }),
    done: `${name} is deleted`,
    failed: `${name} was not deleted`,
  });
  return (
    <ConfirmButton label="Delete" title={`Delete ${name}?`} action="Delete" work={deletion}>
      <p>Workers that read it get nothing.</p>
    </ConfirmButton>
  );
}

function readType(metadata: unknown): string {
  return (metadata as { readonly contentType?: string } | null)?.contentType ?? '';
}
