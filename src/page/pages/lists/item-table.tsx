/** The items of a list, searched by the server and shown page by page; some can be chosen and removed. */
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { client } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { tellError } from '../../parts/toasts.tsx';
import { Table } from '../../parts/table.tsx';
import type { BulkWork } from './bulk-progress.tsx';
import { describeItem, type Item, type List, type ListNames } from './list.ts';

interface TableProps {
  readonly list: List;
  readonly names: ListNames;
  readonly onWork: (work: BulkWork) => void;
}

export function ItemTable({ list, names, onWork }: TableProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const items = useItems(list, names, useDeferredValue(search.trim()));
  const shown = items.data?.pages.flatMap(({ result }) => result) ?? [];
  return (
    <section className="stack" aria-label="Items">
      <div className="lists-bar">
        <Field label="Search items">
          <TextInput
            type="search"
            value={search}
            autoComplete="off"
            onChange={(event) => setSearch(event.target.value)}
          />
        </Field>
        <RemoveItems chosen={chosen} names={names} onWork={onWork} onEnd={() => setChosen(new Set())} />
      </div>
      {items.isPending ? (
        <Loading rows={6} />
      ) : items.isError ? (
        <Failed error={items.error} onRetry={() => void items.refetch()} />
      ) : shown.length === 0 ? (
        <Empty title={search === '' ? 'The list is empty' : 'No item matches'}>
          <p>
            {search === '' ? 'Add items: paste as many as you like, one on each line.' : 'Search for less.'}
          </p>
        </Empty>
      ) : (
        <Items items={shown} chosen={chosen} onChoose={setChosen} />
      )}
      {items.hasNextPage && (
        <Button isBusy={items.isFetchingNextPage} onClick={() => void items.fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  );
}

function useItems(list: List, names: ListNames, search: string) {
  return useInfiniteQuery({
    queryKey: ['lists', 'items', list.id, search],
    queryFn: ({ signal, pageParam }) =>
      client.get('/accounts/{account_id}/rules/lists/{list_id}/items', {
        ...names,
        query: { search, cursor: pageParam, per_page: 200 },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ result_info }) => result_info?.cursors?.after,
    placeholderData: keepPreviousData,
  });
}

interface ItemsProps {
  readonly items: readonly Item[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

function Items({ items, chosen, onChoose }: ItemsProps) {
  const areAll = items.every(({ id }) => chosen.has(id));
  const toggle = (id: string): void =>
    onChoose(chosen.has(id) ? chosen.difference(new Set([id])) : chosen.union(new Set([id])));
  return (
    <Table label="Items of the list">
      <thead>
        <tr>
          <th scope="col">
            <input
              type="checkbox"
              aria-label="Choose all that are shown"
              checked={areAll}
              onChange={() => onChoose(areAll ? new Set() : new Set(items.map(({ id }) => id)))}
            />
          </th>
          <th scope="col">Item</th>
          <th scope="col">Comment</th>
          <th scope="col">Changed</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            <td>
              <input
                type="checkbox"
                aria-label={`Choose ${describeItem(item)}`}
                checked={chosen.has(item.id)}
                onChange={() => toggle(item.id)}
              />
            </td>
            <td className="mono lists-value">{describeItem(item)}</td>
            <td>{item.comment}</td>
            <td>
              <Time at={item.modified_on} isRelative />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

interface RemoveProps {
  readonly chosen: ReadonlySet<string>;
  readonly names: ListNames;
  readonly onWork: (work: BulkWork) => void;
  readonly onEnd: () => void;
}

function RemoveItems({ chosen, names, onWork, onEnd }: RemoveProps) {
  const [isAsking, setAsking] = useState(false);
  const what = chosen.size === 1 ? '1 item' : `${chosen.size} items`;
  const removal = useMutation({
    mutationFn: () =>
      client.delete('/accounts/{account_id}/rules/lists/{list_id}/items', {
        ...names,
        body: { items: Array.from(chosen, (id) => ({ id })) },
      }),
    onSuccess({ result }) {
      onWork({ operationId: result.operation_id, title: `Removing ${what}` });
      onEnd();
    },
    onError: (error) => tellError('The items were not removed', error),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <Button look="danger" disabled={chosen.size === 0} onClick={() => setAsking(true)}>
        Remove chosen
      </Button>
      <Confirm
        title={`Remove ${what}?`}
        isOpen={isAsking}
        action="Remove"
        isBusy={removal.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => removal.mutate()}
      >
        <p>Rules that name the list stop matching them as soon as this is done.</p>
      </Confirm>
    </>
  );
}
