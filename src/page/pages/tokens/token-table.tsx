/** The tokens of one owner, with what can be done to each. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { client } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Pill, type Tone } from '../../parts/pill.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { actions, Table, TableHead } from '../../parts/table.tsx';
import type { Secret } from './secret.tsx';
import { TokenDetails } from './token-details.tsx';
import { getTokensPath, type Owner, type Token, tokensQuery } from './token.ts';

interface TableProps {
  readonly owner: Owner;
  readonly accountId: string;
  readonly onSecret: (secret: Secret) => void;
  readonly onEdit: (token: Token) => void;
}

type Step = { readonly action: 'roll' | 'revoke'; readonly token: Token };

export function TokenTable({ owner, accountId, onSecret, onEdit }: TableProps) {
  const tokens = useQuery(tokensQuery(owner, accountId));
  const [step, setStep] = useState<Step>();
  const change = useChange(getTokensPath(owner, accountId), onSecret, () => setStep(undefined));
  if (tokens.isPending) return <Loading />;
  if (tokens.isError) return <Failed error={tokens.error} onRetry={() => void tokens.refetch()} />;
  if (tokens.data.length === 0) {
    return (
      <Empty title={owner === 'user' ? 'You have no token' : 'The account has no token'}>
        <p>Create one for each program that calls the API, with no more permissions than it needs.</p>
      </Empty>
    );
  }
  return (
    <>
      <Table label={owner === 'user' ? 'Your tokens' : 'Tokens of the account'}>
        <TableHead columns={['Name', 'Status', 'Last used', 'Expires', actions]} />
        <tbody>
          {tokens.data.map((token) => (
            <TokenRow key={token.id} token={token} onStep={setStep} onEdit={onEdit} />
          ))}
        </tbody>
      </Table>
      <StepDialog
        step={step}
        isBusy={change.isPending}
        onClose={() => setStep(undefined)}
        onConfirm={() => step !== undefined && change.mutate(step)}
      />
    </>
  );
}

const toneOfStatus: Readonly<Record<Token['status'], Tone>> = {
  active: 'good',
  disabled: 'warn',
  expired: 'neutral',
};

interface RowProps {
  readonly token: Token;
  readonly onStep: (step: Step) => void;
  readonly onEdit: (token: Token) => void;
}

function TokenRow({ token, onStep, onEdit }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Fragment>
      <tr>
        <td>
          <button
            type="button"
            className="tokens-name"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {token.name}
          </button>
        </td>
        <td>
          <Pill tone={toneOfStatus[token.status]}>{token.status}</Pill>
        </td>
        <td>{token.last_used_on === undefined ? 'never' : <Time at={token.last_used_on} isRelative />}</td>
        <td>{token.expires_on === undefined ? 'never' : <Time at={token.expires_on} />}</td>
        <td className="tokens-actions">
          <Button className="button-small" aria-label={`Change ${token.name}`} onClick={() => onEdit(token)}>
            Change
          </Button>
          <Button
            className="button-small"
            aria-label={`Roll ${token.name}`}
            onClick={() => onStep({ action: 'roll', token })}
          >
            Roll
          </Button>
          <Button
            look="danger"
            className="button-small"
            aria-label={`Revoke ${token.name}`}
            onClick={() => onStep({ action: 'revoke', token })}
          >
            Revoke
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr className="tokens-open">
          <td colSpan={5}>
            <TokenDetails token={token} />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

interface StepProps {
  readonly step: Step | undefined;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

function StepDialog({ step, ...others }: StepProps) {
  const isRoll = step?.action === 'roll';
  return (
    <Confirm
      title={isRoll ? 'Roll this token?' : 'Revoke this token?'}
      isOpen={step !== undefined}
      action={isRoll ? 'Roll token' : 'Revoke token'}
      look={isRoll ? 'primary' : 'danger'}
      {...others}
    >
      <p>
        {isRoll
          ? 'It gets another value, which is shown once. The value it has now stops working at once: whatever uses '
          : 'It stops working at once, for good: whatever uses '}
        <strong>{step?.token.name}</strong> is refused from then on.
      </p>
      <p>If you are signed in with this token, your session ends, too.</p>
    </Confirm>
  );
}

function useChange(path: string, onSecret: (secret: Secret) => void, onEnd: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ action, token }: Step) =>
      action === 'roll'
        ? client.ask<string>('PUT', `${path}/${token.id}/value`)
        : client.ask('DELETE', `${path}/${token.id}`),
    onSuccess({ result }, { action, token }) {
      if (action === 'roll') onSecret({ name: token.name, value: String(result) });
      else tell(`${token.name} is revoked`);
    },
    onError: (error, { action, token }) => tellError(`Could not ${action} ${token.name}`, error),
    onSettled() {
      onEnd();
      void queries.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
}
