/** Tokens of the reader and of the account. */
import './tokens.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { type Secret, SecretDialog } from './secret.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenTable } from './token-table.tsx';

export function TokensPage() {
  const account = useQuery(accountQuery);
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<Secret>();
  return (
    <>
      <PageHead
        title="Tokens"
        about="Each program that calls the API has a token, with the permissions it needs and no others."
      >
        <Button look="primary" disabled={!account.isSuccess} onClick={() => setCreating(true)}>
          Create token
        </Button>
      </PageHead>
      {account.isPending ? (
        <Loading />
      ) : account.isError ? (
        <Failed error={account.error} onRetry={() => void account.refetch()} />
      ) : (
        <div className="stack">
          <h2>Yours</h2>
          <TokenTable owner="user" accountId={account.data.id} onSecret={setSecret} />
          <h2>Of the account</h2>
          <TokenTable owner="account" accountId={account.data.id} onSecret={setSecret} />
          <TokenForm
            accountId={account.data.id}
            isOpen={isCreating}
            onClose={() => setCreating(false)}
            onCreate={(created) => {
              setCreating(false);
              setSecret(created);
            }}
          />
          <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
        </div>
      )}
    </>
  );
}
