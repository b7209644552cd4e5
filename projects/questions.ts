/** The requests to a program, wherever it runs. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { readInBrowser } from './browser.ts';

export interface Question {
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The first message to send on a WebSocket; the response is the first message of the program. */
  readonly say?: string;
  /** Describes the response to a request for this path. */
  readonly sayAnswerOf?: string;
  /** Whether to send it like a browser that opens a page. */
  readonly isNavigation?: boolean;
  /** Whether the page is opened in a browser: the result is the errors of its scripts, and the visible text. */
  readonly isOpened?: boolean;
  readonly status?: number;
  readonly answer: RegExp;
}

export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly location: string | null;
  readonly text: string;
}

export async function ask(url: string, question: Question): Promise<Answer> {
  const { path, body, sayAnswerOf, isNavigation = false, isOpened = false, headers = {} } = question;
  if (isOpened) return await readInBrowser(url + path);
  if (isNavigation) return await navigate(url + path);
  const say = sayAnswerOf === undefined ? question.say : await (await fetch(url + sayAnswerOf)).text();
  if (say !== undefined) return await converse(url + path, say);
  const { method = body === undefined ? 'GET' : 'POST' } = question;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url + path, {
    method,
    headers: { ...type, ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  const { status, headers: got } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  // Binary bodies are compared as well.
  const text = isText(got.get('content-type')) ? bytes.toString() : bytes.toString('base64');
  return { status, type: got.get('content-type'), location: got.get('location'), text };
}

/** `fetch` sets its mode itself, and cannot use this one. */
async function navigate(url: string): Promise<Answer> {
  const outgoing = request(url, { headers: { 'sec-fetch-mode': 'navigate', accept: 'text/html' } });
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { 'content-type': type = null, location = null } = incoming.headers;
  return { status: incoming.statusCode!, type, location, text: await readText(incoming) };
}

function isText(type: string | null): boolean {
  return type === null || /text|json|javascript|xml/.test(type);
}

async function converse(url: string, text: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = new WebSocket(url.replace(/^http/, 'ws'));
  socket.addEventListener('open', () => socket.send(text));
  socket.addEventListener('message', ({ data }) => resolve(String(data)));
  socket.addEventListener('error', () => reject(new Error(`no WebSocket at ${url}`)));
  socket.addEventListener('close', ({ code }) => reject(new Error(`closed with ${code}`)));
  try {
    return { status: 101, type: null, location: null, text: await promise };
  } finally {
    socket.close();
  }
}
