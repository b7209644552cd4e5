/** The tokens of one owner, with the actions on each. */
import { useQuery } from '@tanstack/react-query';
import { useAccountId } from '../../api/queries.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Pill, type Tone } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { TokenDetails } from './token-details.tsx';
import { TokenForm } from './token-form.tsx';
import { callsOf, type Owner, type Token } from './token.ts';

interface TokenTableProps {
  readonly owner: Owner;
  readonly onSaved: (token: Pick<Token, 'name' | 'value'>) => void;
}

const toneOfStatus: Readonly<Record<Token['status'], Tone>> = {
  active: 'good',
  disabled: 'warn',
  expired: 'neutral',
};

const columns: readonly Column<Token>[] = [
  { title: 'Name', opens: ({ name }) => name, cell: () => null },
  { title: 'Status', cell: ({ status }) => <Pill tone={toneOfStatus[status]}>{status}</Pill> },
  {
    title: 'Last used',
    cell: ({ last_used_on: at }) => (at === undefined ? 'never' : <Time at={at} isRelative />),
  },
  { title: 'Expires', cell: ({ expires_on: at }) => (at === undefined ? 'never' : <Time at={at} />) },
];

export function TokenTable({ owner, onSaved }: TokenTableProps) {
  const tokens = useQuery(callsOf(owner, useAccountId()).list);
  const none = (
    <Empty
      title={owner === 'user' ? 'You have no token' : 'The account has no token'}
      command={
        owner === 'user'
          ? 'gatehouse tokens create --file token.json'
          : 'gatehouse tokens create --account --file token.json'
      }
    >
      Create one for each program that calls the API, with no more permissions than it needs.
    </Empty>
  );
  return (
    <Resource of={tokens} empty={none}>
      {(rows) => (
        <DataTable
          label={owner === 'user' ? 'Your tokens' : 'Tokens of the account'}
          columns={[
            ...columns,
            {
              title: 'Actions',
              kind: 'actions',
              cell: (token) => <Actions token={token} owner={owner} onSaved={onSaved} />,
            },
          ]}
          rows={rows}
          keyOf={({ id }) => id}
          details={(token) => <TokenDetails token={token} />}
        />
      )}
    </Resource>
  );
}

function Actions({ token, owner, onSaved }: TokenTableProps & { readonly token: Token }) {
  const { id, name } = token;
  const calls = callsOf(owner, useAccountId());
  return (
    <>
      <DialogButton label="Change" size="small" aria-label={`Change ${name}`}>
        {(close) => (
          <TokenForm
            {...{ token, owner }}
            onClose={close}
            onSaved={(saved) => {
              close();
              onSaved(saved);
            }}
          />
        )}
      </DialogButton>
      <ConfirmButton
        label="Roll"
        size="small"
        look="plain"
        aria-label={`Roll ${name}`}
        title="Roll this token?"
        action="Roll token"
        write={() => calls.roll(id)}
        failed={`Could not roll ${name}`}
        onDone={({ result }) => onSaved({ name, value: result })}
      >
        <p>
          It gets a new value, which is shown once. Its current value stops working at once: every program
          that uses <strong>{name}</strong> is refused from then on.
        </p>
        <p>If you are signed in with this token, your session ends, too.</p>
      </ConfirmButton>
      <ConfirmButton
        label="Revoke"
        size="small"
        aria-label={`Revoke ${name}`}
        title="Revoke this token?"
        action="Revoke token"
        write={() => calls.revoke(id)}
        done={`${name} is revoked`}
        failed={`Could not revoke ${name}`}
      >
        <p>
          It stops working at once and permanently: every program that uses <strong>{name}</strong> is refused
          from then on.
        </p>
        <p>If you are signed in with this token, your session ends, too.</p>
      </ConfirmButton>
    </>
  );
}
