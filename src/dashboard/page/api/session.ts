/** Who is signed in. The cookie is out of reach for scripts; what the page holds is the CSRF token that goes with it. */
import { ApiError, ConnectionError, type ErrorEntry } from './api-error.ts';

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

let csrfToken: string | undefined;
let program: ProgramName | undefined;
const listeners = new Set<() => void>();

export function getCsrfToken(): string | undefined {
  return csrfToken;
}

/** Which program serves the page, once that was asked. */
export function getProgram(): ProgramName {
  return program ?? 'serve';
}

/** Only the program: a sign-in may be under way, whose answer counts more than this one. */
export async function findProgram(): Promise<void> {
  program ??= (await send('GET')).program;
}

/** Calls the listener when the session ends, by signing out or because the server says so. */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function endSession(): void {
  csrfToken = undefined;
  for (const listener of listeners) listener();
}

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
  endSession();
}

function take({ program: name, signed_in, csrf_token }: SessionAnswer): boolean {
  program = name;
  csrfToken = csrf_token;
  return signed_in;
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
    throw new ConnectionError({ cause: error });
  }
  const answer: SessionAnswer & { readonly errors?: readonly ErrorEntry[] } = await response.json();
  if (!response.ok) throw new ApiError(response.status, answer.errors ?? []);
  return answer;
}
