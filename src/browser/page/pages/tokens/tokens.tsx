/** Tokens of the reader and of the account. */
import { useState } from 'react';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { tell } from '../../parts/toasts.tsx';
import { type Secret, SecretDialog } from './secret.tsx';
import { TokenForm } from './token-form.tsx';
import { TokenTable } from './token-table.tsx';
import type { Token } from './token.ts';

export function TokensPage() {
  const [secret, setSecret] = useState<Secret>();
  const show = ({ name, value }: Pick<Token, 'name' | 'value'>): void => {
    if (value === undefined) tell(`${name} is saved`);
    else setSecret({ name, value });
  };
  return (
    <>
      <PageHead
        title="Tokens"
        about="Each program that calls the API has a token, with the permissions it needs and no others."
      >
        <DialogButton label="Create token" look="primary">
          {(close) => (
            <TokenForm
              token={undefined}
              owner="user"
              onClose={close}
              onSaved={(token) => {
                close();
                show(token);
              }}
            />
          )}
        </DialogButton>
      </PageHead>
      <div className="stack">
        <h2>Yours</h2>
        <TokenTable owner="user" onSaved={show} />
        <h2>Of the account</h2>
        <TokenTable owner="account" onSaved={show} />
      </div>
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
