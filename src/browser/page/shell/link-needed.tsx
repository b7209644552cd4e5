/** `gatehouse dev` has no tokens: users sign in with a link in the terminal. */
import { useState } from 'react';
import { describeError } from '../api/api-error.ts';
import { askForLink } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { FormError } from '../parts/forms/form.tsx';

interface LinkNeededProps {
  /** Why the last link failed. */
  readonly error?: string | undefined;
  readonly isBusy?: boolean;
}

export function LinkNeeded({ error, isBusy = false }: LinkNeededProps) {
  const [state, setState] = useState<'idle' | 'asked' | { readonly failure: string }>('idle');
  const ask = (): void =>
    void askForLink().then(
      () => setState('asked'),
      (failure: unknown) => setState({ failure: describeError(failure) }),
    );
  const problem = typeof state === 'object' ? state.failure : state === 'idle' ? error : undefined;
  return (
    <>
      <p>
        <code>gatehouse dev</code> prints a link that signs in once. If it has been used, print another.
      </p>
      {problem !== undefined && <FormError>{problem}</FormError>}
      {state === 'asked' && <p role="status">A new link is in the terminal.</p>}
      <Button look="primary" isBusy={isBusy} onClick={ask}>
        Print a new link
      </Button>
    </>
  );
}
