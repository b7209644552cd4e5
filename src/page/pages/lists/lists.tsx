/** All lists of the account, by kind. */
import './lists.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { accountQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { numbers, Table, TableHead } from '../../parts/table.tsx';
import { ListForm } from './list-form.tsx';
import { formatRules, type Kind, kinds, type List, listsQuery } from './list.ts';

export function ListsPage() {
  const account = useQuery(accountQuery);
  const accountId = account.data?.id ?? '';
  const lists = useQuery({ ...listsQuery(accountId), enabled: accountId !== '' });
  const [isCreating, setCreating] = useState(false);
  const error = account.error ?? lists.error;
  return (
    <>
      <PageHead
        title="Lists"
        about="Addresses, host names and networks that the rules of every site can name, as in ip.src in $office."
      >
        <Button look="primary" disabled={accountId === ''} onClick={() => setCreating(true)}>
          Create list
        </Button>
      </PageHead>
      {error !== null ? (
        <Failed error={error} onRetry={() => void lists.refetch()} />
      ) : lists.data === undefined ? (
        <Loading rows={5} />
      ) : lists.data.length === 0 ? (
        <Empty title="There is no list yet">
          <p>
            Create one, add items, and name it in the expression of a rule:{' '}
            <code>ip.src in $name_of_the_list</code>.
          </p>
        </Empty>
      ) : (
        <ListsByKind lists={lists.data} />
      )}
      <ListForm accountId={accountId} isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  );
}

function ListsByKind({ lists }: { readonly lists: readonly List[] }) {
  return (Object.keys(kinds) as Kind[]).map((kind) => {
    const ofKind = lists.filter((list) => list.kind === kind);
    if (ofKind.length === 0) return null;
    return (
      <Card key={kind} title={kinds[kind].label} className="lists-kind">
        <ListTable lists={ofKind} />
      </Card>
    );
  });
}

function ListTable({ lists }: { readonly lists: readonly List[] }) {
  return (
    <Table label="Lists">
      <TableHead columns={['Name', 'Description', numbers('Items'), numbers('Named by'), 'Changed']} />
      <tbody>
        {lists.map((list) => (
          <tr key={list.id}>
            <td>
              <Link to="/lists/$listId" params={{ listId: list.id }} className="strong-link mono">
                ${list.name}
              </Link>
            </td>
            <td>{list.description ?? <span className="soft">none</span>}</td>
            <td className="number">{list.num_items.toLocaleString()}</td>
            <td className="number">{formatRules(list.num_referencing_filters)}</td>
            <td>
              <Time at={list.modified_on} isRelative />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
