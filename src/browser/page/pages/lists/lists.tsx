/** All lists of the account, by kind. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { ListForm } from './list-form.tsx';
import { formatRules, type ListKind, kindNames, type List } from './list.ts';

const none = (
  <Empty title="There is no list yet" command="gatehouse lists create --name office --kind ip">
    Create one, add items, and use it in the expression of a rule: <code>ip.src in $name_of_the_list</code>.
  </Empty>
);

export function ListsPage() {
  const lists = useQuery(read('/accounts/{account_id}/rules/lists', { account_id: useAccountId() }));
  return (
    <>
      <PageHead
        title="Lists"
        about="Addresses, host names and networks that the rules of every site can use, as in ip.src in $office."
      >
        <DialogButton label="Create list" look="primary">
          {(close) => <ListForm onClose={close} />}
        </DialogButton>
      </PageHead>
      <Resource of={lists} rows={5} empty={none}>
        {(all) =>
          (Object.keys(kindNames) as ListKind[]).map((kind) => <OfKind key={kind} kind={kind} all={all} />)
        }
      </Resource>
    </>
  );
}

const columns: readonly Column<List>[] = [
  {
    title: 'Name',
    cell: ({ id, name }) => (
      <Link to="/lists/$listId" params={{ listId: id }} className="strong-link mono">
        ${name}
      </Link>
    ),
  },
  { title: 'Description', cell: ({ description }) => description ?? <span className="soft">none</span> },
  { title: 'Items', kind: 'number', cell: ({ num_items }) => num_items.toLocaleString() },
  { title: 'Used by', kind: 'number', cell: (list) => formatRules(list.num_referencing_filters) },
  { title: 'Changed', cell: ({ modified_on }) => <Time at={modified_on} isRelative /> },
];

function OfKind({ kind, all }: { readonly kind: ListKind; readonly all: readonly List[] }) {
  const rows = all.filter((list) => list.kind === kind);
  if (rows.length === 0) return null;
  return (
    <Card title={kindNames[kind]}>
      <DataTable label="Lists" columns={columns} rows={rows} />
    </Card>
  );
}
