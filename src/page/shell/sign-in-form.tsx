/** Signs in with a token, or an e-mail address and a key. */
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { describeError } from '../api/api-error.ts';
import { signIn, type SignIn } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { Field, TextInput } from '../parts/field.tsx';

type Scheme = 'token' | 'key';

interface SigningIn {
  readonly error: string | undefined;
  readonly isBusy: boolean;
  readonly enter: (credentials: SignIn) => Promise<void>;
}

export function useSigningIn(onDone: () => void | Promise<void>): SigningIn {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const enter = async (credentials: SignIn): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(credentials);
      await onDone();
    } catch (failure) {
      setError(describeError(failure));
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, enter };
}

interface SignInFormProps {
  readonly signingIn: SigningIn;
  readonly className?: string;
  /** What stands above the fields. */
  readonly children: ReactNode;
}

export function SignInForm({ signingIn: { error, isBusy, enter }, className, children }: SignInFormProps) {
  const [scheme, setScheme] = useState<Scheme>('token');
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value : '';
    };
    void enter(scheme === 'token' ? { token: read('token') } : { email: read('email'), key: read('key') });
  };
  return (
    <form className={className} onSubmit={submit}>
      {children}
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
