/**
 * The sign-in state. Scripts cannot read the cookie; the page holds the CSRF token of the session.
 *
 * A session that the server has ended differs from none: the page stays unchanged, including typed input, and its calls
 * wait until the user signs in again.
 */
import { ApiError, type ErrorEntry } from '#client';
import { UnreachableError } from './api-error.ts';
import { noteConnection } from './connection.ts';

/** `dev` has only objects. */
type ProgramName = 'serve' | 'dev';

interface SessionAnswer {
  readonly program: ProgramName;
  readonly signed_in: boolean;
  readonly csrf_token?: string;
  readonly expires_on?: string;
}

export type SignIn =
  | { readonly token: string }
  | { readonly email: string; readonly key: string }
  | { readonly code: string };

type SessionState =
  /** The person has not signed in, or has signed out. */
  | { readonly kind: 'none' }
  | { readonly kind: 'open'; readonly csrfToken: string }
  /** The server has ended it. */
  | { readonly kind: 'ended' };

let state: SessionState = { kind: 'none' };
let program: ProgramName | undefined;
const listeners = new Set<() => void>();

export function getSessionState(): SessionState {
  return state;
}

/** The program that serves the page, once that is known. */
export function getProgram(): ProgramName {
  return program ?? 'serve';
}

/** Only sets the program: a sign-in may be in progress, whose answer takes precedence. */
export async function findProgram(): Promise<void> {
  program ??= (await send('GET')).program;
}

export function getCsrfToken(): string {
  return state.kind === 'open' ? state.csrfToken : '';
}

/** Calls the listener when the state changes. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The server has refused a call with this CSRF token. The page may have received another one since. */
export function noteSessionEnd(csrfToken: string): void {
  if (state.kind === 'open' && state.csrfToken === csrfToken) setState({ kind: 'ended' });
}

/** Resolves when the user has signed in; rejects when the caller aborts. */
export function waitForSession(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      if (state.kind === 'open') settle(resolve);
    };
    const abort = (): void => settle(() => reject(signal!.reason as Error));
    const stop = onSessionChange(check);
    const settle = (then: () => void): void => {
      stop();
      signal?.removeEventListener('abort', abort);
      then();
    };
    signal?.addEventListener('abort', abort);
    check();
  });
}

/** Returns whether there is a session: of this window, or one that was opened in another window since. */
export async function readSession(): Promise<boolean> {
  return take(await send('GET'));
}

export async function signIn(credentials: SignIn): Promise<void> {
  take(await send('POST', credentials));
}

/** Makes the program print a new link in its terminal. */
export async function askForLink(): Promise<void> {
  await send('POST', { link: true });
}

export async function signOut(): Promise<void> {
  await send('DELETE', {});
  leave();
}

/** Discards a session that has ended. */
export function leave(): void {
  setState({ kind: 'none' });
}

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** An answer without a session does not discard one that has ended. */
function take({ program: name, csrf_token }: SessionAnswer): boolean {
  program = name;
  if (csrf_token === undefined) return false;
  if (csrf_token !== getCsrfToken()) setState({ kind: 'open', csrfToken: csrf_token });
  return true;
}

async function send(method: string, body?: unknown): Promise<SessionAnswer> {
  let response: Response;
  try {
    response = await fetch('/session', {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch (error) {
    noteConnection('lost');
    throw new UnreachableError({ cause: error });
  }
  noteConnection('up');
  const answer: SessionAnswer & { readonly errors?: readonly ErrorEntry[] } = await response.json();
  if (!response.ok)
    throw new ApiError(`${method} /session`, { status: response.status, errors: answer.errors ?? [] });
  return answer;
}
