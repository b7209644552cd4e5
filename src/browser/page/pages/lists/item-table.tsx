/** The items of a list, searched by the server and shown page by page; selected ones can be removed. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { client } from '../../api/client.ts';
import { keyOf } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { TextField, toggle } from '../../parts/forms/field.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty, Message } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import type { BulkWork } from './bulk-progress.tsx';
import { describeItem, formatItems, type Item, type ListNames } from './list.ts';

interface ItemTableProps {
  readonly names: ListNames;
  readonly onWork: (work: BulkWork) => void;
}

const path = '/accounts/{account_id}/rules/lists/{list_id}/items';

export function ItemTable({ names, onWork }: ItemTableProps) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const items = useItems(names, useDeferredValue(search.trim()));
  const shown = items.data?.pages.flatMap(({ result }) => result);
  return (
    <section className="stack" aria-label="Items">
      <div className="row fields">
        <TextField label="Search items" type="search" value={search} onChange={setSearch} />
        <RemoveItems chosen={chosen} names={names} onWork={onWork} onEnd={() => setChosen([])} />
      </div>
      <Resource
        of={{ ...items, data: shown }}
        rows={6}
        empty={
          search === '' ? (
            <Empty
              title="The list is empty"
              command={`gatehouse lists add-items ${names.list_id} --file items.json`}
            >
              Add items: paste as many as you like, one per line.
            </Empty>
          ) : (
            <Message title="No item matches">Shorten the search text.</Message>
          )
        }
      >
        {(found) => (
          <DataTable label="Items of the list" columns={listColumns(found, chosen, setChosen)} rows={found} />
        )}
      </Resource>
      {items.hasNextPage && (
        <Button isBusy={items.isFetchingNextPage} onClick={() => void items.fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  );
}

function useItems(names: ListNames, search: string) {
  return useInfiniteQuery({
    queryKey: [...keyOf(path, { ...names, query: { search } }), 'pages'],
    queryFn: ({ signal, pageParam }) =>
      client.get(path, { ...names, query: { search, cursor: pageParam, per_page: 200 }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ result_info }) => result_info?.cursors?.after,
    placeholderData: keepPreviousData,
  });
}

function listColumns(
  items: readonly Item[],
  chosen: readonly string[],
  onChoose: (chosen: readonly string[]) => void,
): readonly Column<Item>[] {
  const areAll = items.every(({ id }) => chosen.includes(id));
  return [
    {
      title: (
        <input
          type="checkbox"
          aria-label="Choose all that are shown"
          checked={areAll}
          onChange={() => onChoose(areAll ? [] : items.map(({ id }) => id))}
        />
      ),
      cell: (item) => (
        <input
          type="checkbox"
          aria-label={`Choose ${describeItem(item)}`}
          checked={chosen.includes(item.id)}
          onChange={() => onChoose(toggle(chosen, item.id))}
        />
      ),
    },
    { title: 'Item', kind: 'mono', cell: describeItem },
    { title: 'Comment', cell: ({ comment }) => comment },
    { title: 'Changed', cell: ({ modified_on }) => <Time at={modified_on} isRelative /> },
  ];
}

interface RemoveProps extends ItemTableProps {
  readonly chosen: readonly string[];
  readonly onEnd: () => void;
}

function RemoveItems({ chosen, names, onWork, onEnd }: RemoveProps) {
  const what = formatItems(chosen.length);
  return (
    <ConfirmButton
      label="Remove chosen"
      disabled={chosen.length === 0}
      title={`Remove ${what}?`}
      action="Remove"
      write={() => client.delete(path, { ...names, body: { items: chosen.map((id) => ({ id })) } })}
      onDone={({ result }) => {
        onWork({ operationId: result.operation_id, title: `Removing ${what}` });
        onEnd();
      }}
      failed="The items were not removed"
    >
      <p>Rules that use the list stop matching them at once.</p>
    </ConfirmButton>
  );
}
