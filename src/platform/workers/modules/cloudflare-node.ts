/**
 * The module `cloudflare:node` for a Worker: passes its requests to a server of `node:http`, so that Express, Koa and
 * Fastify answer them.
 */
import { type IncomingMessage, request as sendRequest, type Server } from 'node:http';
import { duplexPair, Readable } from 'node:stream';
import { findServers } from './platform-registry.ts';

type ServerTarget = number | Server | { readonly port: number };

interface NodeModule {
  httpServerHandler(target: ServerTarget, handlers?: object): object;
  handleAsNodeRequest(target: ServerTarget, request: Request): Promise<Response>;
}

/** For the modules of one load. */
export function createNodeModule(load: string): NodeModule {
  const servers = findServers(load);
  const find = (target: ServerTarget): Server => {
    if (typeof target === 'object' && 'emit' in target) return target;
    const port = typeof target === 'object' ? target.port : target;
    const found = servers.get(Number(port));
    if (found !== undefined) return found;
    throw new Error(
      `Http server with port ${port} not found. This is likely a bug with your code. You should check if server.listen() was called with the same port (${port})`,
    );
  };
  const handleAsNodeRequest = async (target: ServerTarget, request: Request): Promise<Response> =>
    await answerBy(find(target), request);
  return {
    handleAsNodeRequest,
    httpServerHandler: (target, handlers = {}) => ({
      ...handlers,
      fetch: (request: Request) => handleAsNodeRequest(target, request),
    }),
  };
}

/** Headers about a connection, which does not exist within one process. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const statusesWithoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/** The server gets a connection that is not a socket, and the request is written to its other end. */
async function answerBy(server: Server, request: Request): Promise<Response> {
  const [theirs, ours] = duplexPair();
  server.emit('connection', theirs);
  const { pathname, search, host } = new URL(request.url);
  const outgoing = sendRequest({
    createConnection: () => ours,
    setHost: false,
    method: request.method,
    path: `${pathname}${search}`,
    headers: { host, ...Object.fromEntries(request.headers) },
    signal: request.signal,
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', resolve);
  outgoing.on('error', reject);
  if (request.body === null) outgoing.end();
  else {
    const body = Readable.fromWeb(request.body);
    // A server may answer before it has read the whole body, which closes the body.
    body.on('error', reject);
    body.pipe(outgoing);
  }
  return toResponse(await promise, request.method);
}

function toResponse(incoming: IncomingMessage, method: string): Response {
  const { statusCode: status = 200, statusMessage: statusText = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (!ofConnection.has(name.toLowerCase())) headers.append(name, rawHeaders[index + 1]!);
  }
  const hasBody = method !== 'HEAD' && !statusesWithoutBody.has(status);
  if (!hasBody) incoming.resume();
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream) : null;
  return new Response(body, { status, statusText, headers });
}
