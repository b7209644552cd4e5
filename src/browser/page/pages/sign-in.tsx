/** Signs in with a link, a token, or an e-mail address and a key. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { getProgram, type SignIn } from '../api/session.ts';
import { LinkNeeded } from '../shell/link-needed.tsx';
import { SignInForm, useSigningIn } from '../shell/sign-in-form.tsx';

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const signingIn = useSigningIn(() => navigate({ href: next ?? '/', replace: true }));
  useSignInLink(signingIn.enter);
  if (getProgram() === 'dev') {
    return (
      <main className="sign-in">
        <div className="card stack sign-in-card">
          <h1>Open the link in the terminal</h1>
          <LinkNeeded error={signingIn.error} isBusy={signingIn.isBusy} />
        </div>
      </main>
    );
  }
  return (
    <main className="sign-in">
      <SignInForm signingIn={signingIn} className="card stack sign-in-card">
        <h1>Sign in to Gatehouse</h1>
        {next !== undefined && (
          <p className="note">You are not signed in, or your session has ended. Sign in to see the page.</p>
        )}
      </SignInForm>
    </main>
  );
}

/** The code is after the `#`; it is removed from the URL before it can be copied or stored in the history. */
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
