/** What is in a KV namespace: keys by their beginnings, and the value of one. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { keyOf, read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton, DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useSettled } from '../../parts/forms/use-settled.ts';
import { useWrite } from '../../parts/forms/use-write.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import { DeleteStore } from './create-store.tsx';

const path = '/accounts/{account_id}/storage/kv/namespaces/{namespace_id}';
const route = getRouteApi('/signed-in/account/stores/kv/$storeId');

interface Names {
  readonly account_id: string;
  readonly namespace_id: string;
}

type Key = Result<'kv.listKeys'>[number];

/** Keys that are shown; more are found by their beginnings. */
const shownMax = 100;

export function NamespacePage() {
  const names = { account_id: useAccountId(), namespace_id: route.useParams().storeId };
  return (
    <Resource of={useQuery(read(path, names))} rows={8}>
      {({ title, id }) => (
        <>
          <PageHead title={title} about={`KV namespace ${id}`}>
            <DialogButton label="Write value" look="primary">
              {(close) => <ValueForm names={names} onClose={close} />}
            </DialogButton>
            <DeleteStore what="namespace" name={title} remove={() => client.delete(path, names)} />
          </PageHead>
          <Keys names={names} />
        </>
      )}
    </Resource>
  );
}

function Keys({ names }: { readonly names: Names }) {
  const [prefix, setPrefix] = useState('');
  const searched = useSettled(prefix);
  const query = { limit: shownMax, ...(searched === '' ? {} : { prefix: searched }) };
  const keys = useQuery(read(`${path}/keys`, { ...names, query }));
  return (
    <Card title="Keys">
      <TextField label="Keys that begin with" value={prefix} onChange={setPrefix} isCode />
      <Resource of={keys} rows={5} empty={<p className="soft">There is no such key.</p>}>
        {(all) => (
          <>
            <DataTable
              label="Keys"
              rows={all}
              keyOf={({ name }) => name}
              columns={[
                { title: 'Key', kind: 'mono', opens: ({ name }) => name, cell: () => null },
                {
                  title: 'Expires',
                  cell: ({ expiration }) =>
                    expiration === undefined ? (
                      <span className="soft">never</span>
                    ) : (
                      <Time at={new Date(expiration * 1_000).toISOString()} isRelative />
                    ),
                },
                {
                  title: 'Metadata',
                  kind: 'mono',
                  cell: ({ metadata }) => (metadata === undefined ? '' : JSON.stringify(metadata)),
                },
                {
                  title: 'Actions',
                  kind: 'actions',
                  cell: (key) => <DeleteKey names={names} name={key.name} />,
                },
              ]}
              details={(key: Key) => <Value names={names} name={key.name} />}
            />
            {all.length >= shownMax && (
              <p className="soft">The first {shownMax} are shown: write what the others begin with.</p>
            )}
          </>
        )}
      </Resource>
    </Card>
  );
}

function Value({ names, name }: { readonly names: Names; readonly name: string }) {
  const value = useQuery({
    queryKey: [...keyOf(`${path}/values`, names), name],
    queryFn: async ({ signal }) => {
      const { values } = await resultOf(
        client.post(`${path}/bulk/get`, { ...names, body: { keys: [name] }, signal }),
      );
      return (values[name] as { readonly value: string | null }).value ?? '';
    },
  });
  return <Resource of={value}>{(text) => <pre className="code">{text}</pre>}</Resource>;
}

function ValueForm({ names, onClose }: { readonly names: Names; readonly onClose: () => void }) {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const writing = useWrite({
    write: () => client.put(`${path}/bulk`, { ...names, body: [{ key, value }] }),
    done: `${key} is written`,
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Write value"
      action="Write value"
      work={writing}
      isIncomplete={key === ''}
      onSubmit={() => writing.mutate()}
      onClose={onClose}
    >
      <TextField label="Key" value={key} onChange={setKey} isCode />
      <TextField label="Value" rows={6} value={value} onChange={setValue} isCode />
    </FormDialog>
  );
}

function DeleteKey({ names, name }: { readonly names: Names; readonly name: string }) {
  const deletion = useWrite({
    write: () => client.post(`${path}/bulk/delete`, { ...names, body: [name] }),
    done: `${name} is deleted`,
    failed: `${name} was not deleted`,
  });
  return (
    <ConfirmButton label="Delete" title={`Delete ${name}?`} action="Delete" work={deletion}>
      <p>Workers that read it get nothing.</p>
    </ConfirmButton>
  );
}
