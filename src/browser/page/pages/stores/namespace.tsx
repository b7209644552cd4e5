/** The content of a KV namespace: keys by prefix, and the value of one. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { client, resultOf } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { keyOf, read } from '../../api/read.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { DeleteStore } from './create-store.tsx';
import { DeleteEntry, PrefixSearch } from './prefix-search.tsx';

const path = '/accounts/{account_id}/storage/kv/namespaces/{namespace_id}';
const route = getRouteApi('/signed-in/account/stores/kv/$storeId');

interface NamespaceNames {
  readonly account_id: string;
  readonly namespace_id: string;
}

/** The most keys that are shown; a prefix finds further ones. */
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
          <Keys names={names} title={title} />
        </>
      )}
    </Resource>
  );
}

function Keys({ names, title }: { readonly names: NamespaceNames; readonly title: string }) {
  return (
    <PrefixSearch
      title="Keys"
      search={(prefix) => {
        const query = { limit: shownMax, ...(prefix === '' ? {} : { prefix }) };
        return read(`${path}/keys`, { ...names, query });
      }}
      none={
        <Empty
          title="There is no key"
          command={`npx wrangler kv key put KEY VALUE --namespace-id ${names.namespace_id} --remote`}
        >
          Write a value to {title}, or let a Worker do it.
        </Empty>
      }
    >
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
                cell: ({ name }) => (
                  <DeleteEntry
                    name={name}
                    remove={() => client.post(`${path}/bulk/delete`, { ...names, body: [name] })}
                  />
                ),
              },
            ]}
            details={({ name }) => <Value names={names} name={name} />}
          />
          {all.length >= shownMax && (
            <p className="soft">
              The first {shownMax.toLocaleString()} are shown: enter a prefix to find the others.
            </p>
          )}
        </>
      )}
    </PrefixSearch>
  );
}

function Value({ names, name }: { readonly names: NamespaceNames; readonly name: string }) {
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

function ValueForm({ names, onClose }: { readonly names: NamespaceNames; readonly onClose: () => void }) {
  return (
    <WriteDialog
      title="Write value"
      action="Write value"
      initial={{ key: '', value: '' }}
      write={(pair) => client.put(`${path}/bulk`, { ...names, body: [pair] })}
      done={(_, { key }) => `${key} is written`}
      isIncomplete={({ key }) => key === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField label="Key" isCode {...bind('key')} />
          <TextField label="Value" rows={6} isCode {...bind('value')} />
        </>
      )}
    </WriteDialog>
  );
}
