/** Tokens of the reader and of the account. */
import './tokens.css';
import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { client, resultOf } from '../../api/client.ts';
import { accountQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { type Secret, SecretDialog } from './secret.tsx';
import { tell } from '../../parts/toasts.tsx';
import { getTokensPath, type Owner, type Token } from './token.ts';
import { type EditedToken, TokenForm } from './token-form.tsx';
import { TokenTable } from './token-table.tsx';

export function TokensPage() {
  const account = useQuery(accountQuery);
  const [edited, setEdited] = useState<EditedToken | 'new'>();
  const [secret, setSecret] = useState<Secret>();
  return (
    <>
      <PageHead
        title="Tokens"
        about="Each program that calls the API has a token, with the permissions it needs and no others."
      >
        <Button look="primary" disabled={!account.isSuccess} onClick={() => setEdited('new')}>
          Create token
        </Button>
      </PageHead>
      {account.isPending ? (
        <Loading />
      ) : account.isError ? (
        <Failed error={account.error} onRetry={() => void account.refetch()} />
      ) : (
        <div className="stack">
          {owners.map(({ owner, title }) => (
            <Fragment key={owner}>
              <h2>{title}</h2>
              <TokenTable
                owner={owner}
                accountId={account.data.id}
                onSecret={setSecret}
                onEdit={(token) => setEdited({ token, owner })}
              />
            </Fragment>
          ))}
          <TokenForm
            accountId={account.data.id}
            edited={edited}
            onClose={() => setEdited(undefined)}
            onReload={async () => setEdited(await reload(edited, account.data.id))}
            onSaved={({ name, value }) => {
              setEdited(undefined);
              if (value === undefined) tell(`${name} is saved`);
              else setSecret({ name, value });
            }}
          />
          <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
        </div>
      )}
    </>
  );
}

const owners: readonly { readonly owner: Owner; readonly title: string }[] = [
  { owner: 'user', title: 'Yours' },
  { owner: 'account', title: 'Of the account' },
];

async function reload(
  edited: EditedToken | 'new' | undefined,
  accountId: string,
): Promise<EditedToken | 'new' | undefined> {
  if (typeof edited !== 'object') return edited;
  const { owner, token } = edited;
  return {
    owner,
    token: await resultOf(client.ask<Token>('GET', `${getTokensPath(owner, accountId)}/${token.id}`)),
  };
}
