/**
 * Who is signed in. The cookie is out of reach for scripts; what the page holds is the CSRF token that goes with it.
 *
 * A session that the server has ended is not the same as none: the page stays as it is, with everything that was typed into
 * it, its calls wait, and signing in again lets them go on.
 */
import { ApiError, type ErrorEntry } from '#client';
import { UnreachableError } from './api-error.ts';
import { noteConnection } from './connection.ts';

/** `dev` has objects, and nothing else. */
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
  /** The server knows it no longer. */
  | { readonly kind: 'ended' };

let state: SessionState = { kind: 'none' };
let program: ProgramName | undefined;
const listeners = new Set<() => void>();

export function getSessionState(): SessionState {
  return state;
}

/** Which program serves the page, once that was asked. */
export function getProgram(): ProgramName {
  return program ?? 'serve';
}

/** Only the program: a sign-in may be under way, whose answer counts more than this one. */
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

/** The server has refused a call that was sent with this CSRF token. Another one may have been got since. */
export function noteSessionEnd(csrfToken: string): void {
  if (state.kind === 'open' && state.csrfToken === csrfToken) setState({ kind: 'ended' });
}

/** Resolves when somebody has signed in; rejects when the caller does not want to wait any longer. */
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

/** Returns whether there is a session: this window's, or one that was opened in another window since. */
export async function readSession(): Promise<boolean> {
  return take(await send('GET'));
}

export async function signIn(credentials: SignIn): Promise<void> {
  take(await send('POST', credentials));
}

/** Lets the program print a new link in its terminal. */
export async function askForLink(): Promise<void> {
  await send('POST', { link: true });
}

export async function signOut(): Promise<void> {
  await send('DELETE', {});
  leave();
}

/** Gives up a session that has ended. */
export function leave(): void {
  setState({ kind: 'none' });
}

function setState(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** That there is no session does not make one that has ended one that was given up. */
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
