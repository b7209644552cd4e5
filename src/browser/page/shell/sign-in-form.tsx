/** Signs in with a token, or an e-mail address and a key. */
import { Form } from '@base-ui/react/form';
import { type ReactNode, useState } from 'react';
import { describeError } from '../api/api-error.ts';
import { signIn, type SignIn } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { useFields } from '../parts/forms/fields.ts';
import { FormError } from '../parts/forms/form.tsx';

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
  /** The content above the fields. */
  readonly children: ReactNode;
}

export function SignInForm({ signingIn: { error, isBusy, enter }, className, children }: SignInFormProps) {
  const [scheme, setScheme] = useState<'token' | 'key'>('token');
  const { value, bind } = useFields({ token: '', email: '', key: '' });
  const { token, email, key } = value;
  return (
    <Form
      className={className}
      onFormSubmit={() => void enter(scheme === 'token' ? { token } : { email, key })}
    >
      {children}
      {scheme === 'token' ? (
        <TextField
          label="API token"
          hint="The first start printed one, or wrote it into its ready file. If it is lost: gatehouse owner reset."
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          {...bind('token')}
        />
      ) : (
        <>
          <TextField
            label="E-mail address"
            type="email"
            autoComplete="username"
            autoFocus
            required
            {...bind('email')}
          />
          <TextField
            label="API key"
            type="password"
            autoComplete="current-password"
            required
            {...bind('key')}
          />
        </>
      )}
      {error !== undefined && <FormError>{error}</FormError>}
      <Button type="submit" look="primary" isBusy={isBusy}>
        Sign in
      </Button>
      <Button look="quiet" onClick={() => setScheme(scheme === 'token' ? 'key' : 'token')}>
        {scheme === 'token' ? 'Use an e-mail address and a key' : 'Use a token'}
      </Button>
    </Form>
  );
}
