/**
 * The client for all calls of the page. It adds the CSRF token to each request, records whether the server answers, and
 * waits for a new session when the old one has ended, so that typed input is not lost.
 */
import { ApiError, Client, type ClientOptions, type DevRows, type Envelope, type ErrorEntry } from '#client';
import { UnreachableError } from './api-error.ts';
import { noteConnection } from './connection.ts';
import { getCsrfToken, noteSessionEnd, readSession, waitForSession } from './session.ts';

/** Codes of a session that has ended: its token was revoked, or the browser has dropped the cookie. */
const sessionEndCodes = [10951, 9109, 9106];
const csrfTokenMissing = 10952;

/** react-query retries by itself. */
const options: ClientOptions = { url: '/client/v4', fetch: send, retriesMax: 0 };
export const client = new Client(options);
/** For the rows that only `gatehouse dev` serves. */
export const devClient = new Client<DevRows>(options);

/**
 * A call that fails because the session has ended has changed nothing. It waits until the user has signed in, and is
 * then repeated.
 */
async function send(...[url, init]: Parameters<NonNullable<ClientOptions['fetch']>>): Promise<Response> {
  while (true) {
    const csrfToken = getCsrfToken();
    const headers = new Headers(init.headers);
    headers.set('x-csrf-token', csrfToken);
    const response = await sendOnce(url, { ...init, headers });
    if (response.ok) return response;
    const codes = await readCodes(response.clone(), `${init.method} ${url}`);
    if (![400, 401, 403].includes(response.status)) return response;
    // The user has signed in again in another window, which shares the cookie.
    if (codes.includes(csrfTokenMissing) && (await readSession()) && getCsrfToken() !== csrfToken) continue;
    if (!sessionEndCodes.some((code) => codes.includes(code))) return response;
    noteSessionEnd(csrfToken);
    await waitForSession(init.signal ?? undefined);
  }
}

async function sendOnce(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, init);
    noteConnection('up');
    return response;
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    noteConnection('lost');
    throw new UnreachableError({ cause: error });
  }
}

async function readCodes(response: Response, call: string): Promise<readonly number[]> {
  const { status } = response;
  const text = await response.text();
  try {
    const { errors = [] }: { readonly errors?: readonly ErrorEntry[] } = JSON.parse(text);
    return errors.map(({ code }) => code);
  } catch {
    const message = `The server answered with status ${status}, but not with JSON.`;
    throw new ApiError(call, { status, errors: [{ code: 0, message }] });
  }
}

/** The resource, if it exists, and the version of the zone or account in the answer. */
export async function lookUp<T>(
  call: Promise<Envelope<T>>,
): Promise<{ readonly result: T | undefined; readonly version?: string | undefined }> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      return { result: undefined, version: error.version };
    throw error;
  }
}

/** The limit of lists that are shown completely. */
const itemsMax = 2_000;

export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) if (found.push(item) === itemsMax) break;
  return found;
}

export async function resultOf<T>(call: Promise<Envelope<T>>): Promise<T> {
  return (await call).result;
}
