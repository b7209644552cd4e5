/**
 * `fetch` from a Worker to the zone whose request it answers: the origin of the zone answers, not the Worker again. The
 * request goes to the edge through a socket of the file system, and the edge forwards it like a request without a
 * Worker.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { fetchApart } from '#base';

/** The host name of connections to the edge. It is unguessable, so no other code can use it. */
export const zoneOriginHost = `${randomUUID()}.invalid`;

/** The limit of `fetch`. */
const redirectsMax = 20;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers that belong to one connection, or that the edge sets. */
const droppedFields = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'expect'];

const zones = new AsyncLocalStorage<string>();

/** Runs the handler of a request of the zone. */
export function answerInZone<T>(zone: string | undefined, answer: () => T): T {
  return zone === undefined ? answer() : zones.run(zone, answer);
}

/** Whether the input is a URL of the zone that is being answered. */
export function isOfOwnZone(input: string | URL | Request): boolean {
  const zone = zones.getStore();
  if (zone === undefined) return false;
  const host = URL.parse(input instanceof URL || typeof input === 'string' ? input : input.url)?.hostname;
  return host !== undefined && (host === zone || host.endsWith(`.${zone}`));
}

/** Follows redirects as `fetch` does, within the zone and to other hosts. */
export async function fetchFromOrigin(request: Request): Promise<Response> {
  let asked = request;
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const response = await (isOfOwnZone(asked)
      ? askOrigin(asked)
      : fetchApart(asked, { redirect: 'manual' }));
    const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null;
    if (location === null || request.redirect === 'manual')
      return showUrl(response, asked.url, redirects > 0);
    if (request.redirect === 'error') throw new TypeError(`fetch failed: unexpected redirect to ${location}`);
    await response.body?.cancel();
    asked = redirect(asked, new URL(location, asked.url), response.status);
  }
  throw new TypeError('fetch failed: redirect count exceeded');
}

function askOrigin(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of droppedFields) headers.delete(name);
  // `fetch` sets `host` to the host of the URL, whatever the headers contain.
  headers.set('gatehouse-host', url.host);
  headers.set('x-forwarded-proto', url.protocol.slice(0, -1));
  const client = headers.get('cf-connecting-ip');
  if (client === null) headers.delete('x-forwarded-for');
  else headers.set('x-forwarded-for', client);
  const { method, body, signal } = request;
  const init = { method, headers, body, signal, redirect: 'manual', duplex: 'half' } as const;
  return fetchApart(`http://${zoneOriginHost}${url.pathname}${url.search}`, init);
}

/** The next request by the rules of Fetch. A body that was sent cannot be sent again. */
function redirect(request: Request, url: URL, status: number): Request {
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  const becomesGet = (status === 303 && !isGet) || (status < 303 && request.method === 'POST');
  if (request.body !== null && !becomesGet)
    throw new TypeError(`fetch failed: ${url.href} asks for the body again, which was a stream`);
  const headers = new Headers(request.headers);
  if (becomesGet)
    for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name);
  if (new URL(request.url).origin !== url.origin)
    for (const name of ['authorization', 'cookie', 'proxy-authorization']) headers.delete(name);
  return new Request(url, {
    method: becomesGet ? 'GET' : request.method,
    headers,
    signal: request.signal,
    redirect: request.redirect,
  });
}

function showUrl(response: Response, url: string, wasRedirected: boolean): Response {
  Object.defineProperty(response, 'url', { value: url, configurable: true });
  if (wasRedirected) Object.defineProperty(response, 'redirected', { value: true, configurable: true });
  return response;
}
