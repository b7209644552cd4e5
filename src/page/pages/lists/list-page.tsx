/** One list: its items, where it is used, and what changes it. */
import './lists.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client, resultOf } from '../../api/client.ts';
import { accountQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { AddItems } from './add-items.tsx';
import { DescriptionForm } from './description-form.tsx';
import { BulkProgress, type BulkWork } from './bulk-progress.tsx';
import { ItemTable } from './item-table.tsx';
import { formatRules, kinds, type List, type ListNames } from './list.ts';

const route = getRouteApi('/signed-in/lists/$listId');

export function ListPage() {
  const { listId } = route.useParams();
  const account = useQuery(accountQuery);
  const names = { account_id: account.data?.id ?? '', list_id: listId };
  const list = useQuery({
    queryKey: ['lists', 'one', listId],
    queryFn: ({ signal }) =>
      resultOf(client.get('/accounts/{account_id}/rules/lists/{list_id}', { ...names, signal })),
    enabled: account.isSuccess,
  });
  const error = account.error ?? list.error;
  if (error !== null) return <Failed error={error} onRetry={() => void list.refetch()} />;
  if (list.data === undefined) return <Loading rows={8} />;
  return <ListContent key={listId} list={list.data} names={names} />;
}

interface ListProps {
  readonly list: List;
  readonly names: ListNames;
}

function ListContent({ list, names }: ListProps) {
  const [work, setWork] = useState<BulkWork>();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <PageHead title={`$${list.name}`} about={`${kinds[list.kind].label}. ${list.description ?? ''}`}>
        <Button look="primary" onClick={() => setAdding(true)}>
          Add items
        </Button>
        <DescriptionForm list={list} names={names} />
        <DeleteList list={list} names={names} />
      </PageHead>
      <div className="stack">
        {work !== undefined && (
          <BulkProgress key={work.operationId} work={work} accountId={names.account_id} />
        )}
        <Uses list={list} names={names} />
        <ItemTable list={list} names={names} onWork={setWork} />
      </div>
      <AddItems
        list={list}
        names={names}
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onWork={setWork}
      />
    </>
  );
}

function Uses({ list, names }: ListProps) {
  const uses = useQuery({
    queryKey: ['lists', 'uses', list.id],
    queryFn: ({ signal }) =>
      resultOf(client.get('/accounts/{account_id}/rules/lists/{list_id}/uses', { ...names, signal })),
  });
  const shown = uses.data ?? [];
  const others = list.num_referencing_filters - shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title="Where it is used">
      {uses.isError ? (
        <Failed error={uses.error} onRetry={() => void uses.refetch()} />
      ) : list.num_referencing_filters === 0 ? (
        <p className="soft">
          No rule names it. Write <code>${list.name}</code> in the expression of a rule to use it.
        </p>
      ) : (
        <ul className="lists-uses">
          {shown.map((use) => (
            <li key={use.zone_id}>
              <Link to="/zones/$zoneId/firewall-rules" params={{ zoneId: use.zone_id }}>
                {use.zone_name}
              </Link>{' '}
              <span className="soft">{formatRules(use.count)}</span>
            </li>
          ))}
          {uses.isSuccess && others > 0 && (
            <li className="soft">
              {formatRules(others)} of the account, or of sites that your token cannot see
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}

function DeleteList({ list, names }: ListProps) {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deletion = useMutation({
    mutationFn: () => client.delete('/accounts/{account_id}/rules/lists/{list_id}', names),
    async onSuccess() {
      tell(`$${list.name} is deleted`);
      await navigate({ to: '/lists' });
      void queries.invalidateQueries({ queryKey: ['lists'] });
    },
    onError: (error) => tellError('The list was not deleted', error),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        Delete list
      </Button>
      <Confirm
        title={`Delete $${list.name}?`}
        isOpen={isAsking}
        action="Delete"
        isBusy={deletion.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => deletion.mutate()}
      >
        <p>
          Its {list.num_items.toLocaleString()} items go with it. A list that a rule names cannot be deleted:
          change the rule first.
        </p>
      </Confirm>
    </>
  );
}
