/** One list: its items, its uses, and its actions. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { AddItems } from './add-items.tsx';
import { BulkProgress, type BulkWork } from './bulk-progress.tsx';
import { DescriptionForm } from './description-form.tsx';
import { ItemTable } from './item-table.tsx';
import { formatRules, kindNames, type List, type ListNames } from './list.ts';
import { SourceCard } from './source-card.tsx';

const route = getRouteApi('/signed-in/account/lists/$listId');

export function ListPage() {
  const { listId } = route.useParams();
  const names = { account_id: useAccountId(), list_id: listId };
  return (
    <Resource of={useQuery(read('/accounts/{account_id}/rules/lists/{list_id}', names))} rows={8}>
      {(list) => <ListContent key={listId} list={list} names={names} />}
    </Resource>
  );
}

interface ListProps {
  readonly list: List;
  readonly names: ListNames;
}

function ListContent({ list, names }: ListProps) {
  const [work, setWork] = useState<BulkWork>();
  return (
    <>
      <PageHead title={`$${list.name}`} about={`${kindNames[list.kind]}. ${list.description ?? ''}`}>
        <DialogButton label="Add items" look="primary">
          {(close) => <AddItems {...{ list, names }} onClose={close} onWork={setWork} />}
        </DialogButton>
        <DialogButton label="Change description">
          {(close) => <DescriptionForm {...{ list, names }} onClose={close} />}
        </DialogButton>
        <DeleteList list={list} names={names} />
      </PageHead>
      <div className="stack">
        {work !== undefined && <BulkProgress key={work.operationId} work={work} />}
        {list.kind !== 'redirect' && <SourceCard names={names} />}
        <Uses list={list} names={names} />
        <ItemTable names={names} onWork={setWork} />
      </div>
    </>
  );
}

function Uses({ list, names }: ListProps) {
  const uses = useQuery(read('/accounts/{account_id}/rules/lists/{list_id}/uses', names));
  return (
    <Card title="Where it is used">
      <Resource of={uses} rows={1}>
        {(shown) => {
          const others = list.num_referencing_filters - shown.reduce((sum, { count }) => sum + count, 0);
          if (list.num_referencing_filters === 0)
            return (
              <p className="soft">
                No rule uses it. Write <code>${list.name}</code> in the expression of a rule to use it.
              </p>
            );
          return (
            <ul>
              {shown.map((use) => (
                <li key={use.zone_id}>
                  <Link to="/zones/$zoneId/firewall-rules" params={{ zoneId: use.zone_id }}>
                    {use.zone_name}
                  </Link>{' '}
                  <span className="soft">{formatRules(use.count)}</span>
                </li>
              ))}
              {others > 0 && (
                <li className="soft">
                  {formatRules(others)} of the account, or of sites that your token cannot see
                </li>
              )}
            </ul>
          );
        }}
      </Resource>
    </Card>
  );
}

function DeleteList({ list, names }: ListProps) {
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label="Delete list"
      title={`Delete $${list.name}?`}
      action="Delete"
      write={() => client.delete('/accounts/{account_id}/rules/lists/{list_id}', names)}
      done={`$${list.name} is deleted`}
      failed="The list was not deleted"
      onDone={() => navigate({ to: '/lists' })}
    >
      <p>
        Its {list.num_items.toLocaleString()} items are deleted, too. A list that a rule uses cannot be
        deleted: change the rule first.
      </p>
    </ConfirmButton>
  );
}
