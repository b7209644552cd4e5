/** Calls of the public API. Everything that the page knows and does goes through here. */
import { ApiError, ConnectionError, type ErrorEntry } from './api-error.ts';
import { noteConnection } from './connection.ts';
import { getCsrfToken, noteSessionEnd, readSession, waitForSession } from './session.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Message {
  readonly code: number;
  readonly message: string;
}

interface ResultInfo {
  readonly page?: number;
  readonly per_page?: number;
  readonly count?: number;
  readonly total_count?: number;
  readonly total_pages?: number;
  readonly cursors?: { readonly after?: string; readonly before?: string };
}

interface Envelope<Result> {
  readonly result: Result;
  readonly messages: readonly Message[];
  readonly result_info?: ResultInfo;
  /** Of the zone or account that answered, for `version` of a write. */
  readonly version?: string;
}

export interface CallOptions {
  readonly body?: unknown;
  /** A list is a parameter that is repeated. */
  readonly query?:
    | Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
    | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A write is refused unless the zone or account still has this version. */
  readonly version?: string | undefined;
}

/** Codes of a session that has ended: its token was revoked, or the browser has dropped the cookie. */
const sessionEndCodes = [10951, 9109, 9106];
const csrfTokenMissing = 10952;

/** The whole envelope: the result, and what the server has to say about it. */
export async function callApi<Result>(
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<Envelope<Result>> {
  const response = await send(method, path, options);
  const text = await response.text();
  const version = readVersion(response);
  if (response.ok && text === '') return { result: undefined as Result, messages: [], ...version };
  const answer = parseEnvelope<Result>(text, response.status);
  if (!response.ok) throw toError(response, answer);
  return { ...answer, ...version };
}

function readVersion({ headers }: Response): { readonly version?: string } {
  const version = headers.get('etag');
  return version === null ? {} : { version };
}

/** What is there, if anything, and the version of the zone or account that says so. */
export async function lookUp<Result>(
  path: string,
  options?: Omit<CallOptions, 'body'>,
): Promise<{ readonly result: Result | undefined; readonly version?: string | undefined }> {
  try {
    return await callApi<Result>('GET', path, options);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      return { result: undefined, version: error.version };
    throw error;
  }
}

export async function get<Result>(path: string, options?: Omit<CallOptions, 'body'>): Promise<Result> {
  return (await callApi<Result>('GET', path, options)).result;
}

/** The response as it is, for streams and downloads. */
export async function openStream(path: string, options: CallOptions = {}): Promise<Response> {
  const response = await send('GET', path, options);
  if (!response.ok) throw await readError(response);
  return response;
}

/** A call that finds the session ended has done nothing. It waits until somebody has signed in, and is then repeated. */
async function send(method: Method, path: string, options: CallOptions): Promise<Response> {
  while (true) {
    const csrfToken = getCsrfToken();
    const response = await sendOnce(method, path, { ...options, csrfToken });
    if (![400, 401, 403].includes(response.status)) return response;
    const refusal = await readError(response);
    // Somebody has signed in again in another window, which shares the cookie.
    if (refusal.has(csrfTokenMissing) && (await readSession()) && getCsrfToken() !== csrfToken) continue;
    if (!sessionEndCodes.some((code) => refusal.has(code))) throw refusal;
    noteSessionEnd(csrfToken);
    await waitForSession(options.signal);
  }
}

async function sendOnce(
  method: Method,
  path: string,
  { body, query, signal, version, csrfToken }: CallOptions & { readonly csrfToken: string },
): Promise<Response> {
  const headers = new Headers({ 'x-csrf-token': csrfToken });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (version !== undefined) headers.set('if-match', version);
  try {
    const response = await fetch(`/client/v4${path}${writeQuery(query)}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    noteConnection('up');
    return response;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    noteConnection('lost');
    throw new ConnectionError({ cause: error });
  }
}

function writeQuery(query: CallOptions['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function parseEnvelope<Result>(text: string, status: number): Envelope<Result> & { errors: ErrorEntry[] } {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(status, [
      { code: 0, message: `The server answered with status ${status} and no JSON.` },
    ]);
  }
}

interface Refusal {
  readonly errors?: readonly ErrorEntry[];
  readonly messages?: readonly Message[];
}

async function readError(response: Response): Promise<ApiError> {
  return toError(response, parseEnvelope(await response.text(), response.status));
}

function toError(response: Response, { errors = [], messages = [] }: Refusal): ApiError {
  const details = messages.map(({ message }) => message);
  return new ApiError(response.status, errors, { details, ...readVersion(response) });
}
