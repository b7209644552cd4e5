/** Calls of the public API. Everything that the page knows and does goes through here. */
import { ApiError, ConnectionError, type ErrorEntry } from './api-error.ts';
import { endSession, getCsrfToken } from './session.ts';

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
}

export interface CallOptions {
  readonly body?: unknown;
  /** A list is a parameter that is repeated. */
  readonly query?:
    | Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
    | undefined;
  readonly signal?: AbortSignal | undefined;
}

const sessionEnded = 10951;

/** The whole envelope: the result, and what the server has to say about it. */
export async function callApi<Result>(
  method: Method,
  path: string,
  { body, query, signal }: CallOptions = {},
): Promise<Envelope<Result>> {
  const response = await send(method, path, { body, query, signal });
  const text = await response.text();
  if (response.ok && text === '') return { result: undefined as Result, messages: [] };
  const answer = parseEnvelope<Result>(text, response.status);
  if (!response.ok) refuse(response.status, answer);
  return answer;
}

export async function get<Result>(path: string, options?: Omit<CallOptions, 'body'>): Promise<Result> {
  return (await callApi<Result>('GET', path, options)).result;
}

/** The response as it is, for streams and downloads. */
export async function openStream(path: string, options: CallOptions = {}): Promise<Response> {
  const response = await send('GET', path, options);
  if (!response.ok) refuse(response.status, parseEnvelope(await response.text(), response.status));
  return response;
}

async function send(method: Method, path: string, { body, query, signal }: CallOptions): Promise<Response> {
  const headers = new Headers({ 'x-csrf-token': getCsrfToken() ?? '' });
  if (body !== undefined) headers.set('content-type', 'application/json');
  try {
    return await fetch(`/client/v4${path}${writeQuery(query)}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted === true) throw error;
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

function refuse(status: number, { errors = [], messages = [] }: Refusal): never {
  const error = new ApiError(
    status,
    errors,
    messages.map(({ message }) => message),
  );
  if (error.has(sessionEnded) || (status === 403 && error.has(9109))) endSession();
  throw error;
}
