/** Signs in with a link, a token, or an e-mail address and a key. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { describeError } from '../api/api-error.ts';
import { askForLink, getProgram, signIn, type SignIn } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Field, TextInput } from '../parts/field.tsx';

type Scheme = 'token' | 'key';

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const [scheme, setScheme] = useState<Scheme>('token');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const enter = async (credentials: SignIn): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(credentials);
      await navigate({ href: next ?? '/', replace: true });
    } catch (failure) {
      setError(describeError(failure));
    } finally {
      setBusy(false);
    }
  };
  useSignInLink(enter);
  if (getProgram() === 'dev') return <LinkNeeded error={error} isBusy={isBusy} />;

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    void enter(scheme === 'token' ? { token: read('token') } : { email: read('email'), key: read('key') });
  };

  return (
    <main className="sign-in">
      <form className="card sign-in-card" onSubmit={submit}>
        <h1>Sign in to Gatehouse</h1>
        {next !== undefined && (
          <p className="note">Your session has ended. Sign in to go on where you were.</p>
        )}
        <Credentials scheme={scheme} />
        {error !== undefined && (
          <p className="form-error" role="alert">
            {error}
          </p>
        )}
        <Button type="submit" look="primary" isBusy={isBusy}>
          Sign in
        </Button>
        <Button look="quiet" onClick={() => setScheme(scheme === 'token' ? 'key' : 'token')}>
          {scheme === 'token' ? 'Use an e-mail address and a key' : 'Use a token'}
        </Button>
      </form>
    </main>
  );
}

/** `gatehouse dev` has no tokens: the way in is a link in the terminal. */
function LinkNeeded({ error, isBusy }: { readonly error: string | undefined; readonly isBusy: boolean }) {
  const [state, setState] = useState<'idle' | 'asked' | { readonly failure: string }>('idle');
  const ask = (): void =>
    void askForLink().then(
      () => setState('asked'),
      (failure: unknown) => setState({ failure: describeError(failure) }),
    );
  const problem = typeof state === 'object' ? state.failure : state === 'idle' ? error : undefined;
  return (
    <main className="sign-in">
      <div className="card sign-in-card">
        <h1>Open the link in the terminal</h1>
        <p>
          <code>gatehouse dev</code> prints a link that signs in once. If it was used already, let it print
          another.
        </p>
        {problem !== undefined && (
          <p className="form-error" role="alert">
            {problem}
          </p>
        )}
        {state === 'asked' && <p role="status">A new link is in the terminal.</p>}
        <Button look="primary" isBusy={isBusy} onClick={ask}>
          Print a new link
        </Button>
      </div>
    </main>
  );
}

function Credentials({ scheme }: { readonly scheme: Scheme }) {
  if (scheme === 'token') {
    return (
      <Field label="API token" hint="The first start printed one; gatehouse owner reset makes a new one.">
        <TextInput
          key="token"
          name="token"
          type="password"
          autoComplete="current-password"
          required
          autoFocus
        />
      </Field>
    );
  }
  return (
    <>
      <Field label="E-mail address">
        <TextInput key="email" name="email" type="email" autoComplete="username" required autoFocus />
      </Field>
      <Field label="API key">
        <TextInput key="key" name="key" type="password" autoComplete="current-password" required />
      </Field>
    </>
  );
}

/** The code stands behind the `#`; it is taken out of the address before it can be copied or kept in the history. */
function useSignInLink(enter: (credentials: SignIn) => Promise<void>): void {
  const used = useRef(false);
  useEffect(() => {
    const code = window.location.hash.slice(1);
    if (code === '' || used.current) return;
    used.current = true;
    window.history.replaceState(window.history.state, '', '/sign-in');
    void enter({ code });
  });
}
