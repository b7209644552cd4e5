/**
 * Signs in again above the page whose session has ended. The page and its open forms are kept. It closes only when the
 * user signs in, here or in another window, or leaves.
 */
import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useSyncExternalStore } from 'react';
import { getProgram, getSessionState, leave, onSessionChange, readSession } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { LinkNeeded } from './link-needed.tsx';
import { SignInForm, useSigningIn } from './sign-in-form.tsx';

export function SessionDialog() {
  const { kind } = useSyncExternalStore(onSessionChange, getSessionState);
  const isOpen = kind === 'ended';
  useSignInElsewhere(isOpen);
  return (
    <Dialog.Root open={isOpen} disablePointerDismissal>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop session-backdrop" forceRender />
        <Dialog.Popup className="dialog session-dialog">
          <Content />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Content() {
  const signingIn = useSigningIn(() => undefined);
  const explanation = (
    <>
      <Dialog.Title className="dialog-title">Sign in to continue</Dialog.Title>
      <Dialog.Description>
        Your session has ended. Nothing that you typed is lost: the page below continues where it was,
        including what you were saving.
      </Dialog.Description>
    </>
  );
  return (
    <>
      {getProgram() === 'dev' ? (
        <div className="stack">
          {explanation}
          <LinkNeeded />
        </div>
      ) : (
        <SignInForm signingIn={signingIn} className="stack">
          {explanation}
        </SignInForm>
      )}
      <Button look="quiet" className="session-leave" onClick={leave}>
        Leave, and discard unsaved changes
      </Button>
    </>
  );
}

/** For windows side by side, of which none receives the focus. */
const lookMs = 3_000;

/** Windows share their cookie: signing in elsewhere signs in here, too. */
function useSignInElsewhere(isEnded: boolean): void {
  useEffect(() => {
    if (!isEnded) return;
    const look = (): void => void readSession().catch(() => undefined);
    window.addEventListener('focus', look);
    const timer = setInterval(look, lookMs);
    return () => {
      window.removeEventListener('focus', look);
      clearInterval(timer);
    };
  }, [isEnded]);
}
