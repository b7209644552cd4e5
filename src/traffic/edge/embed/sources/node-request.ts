/** A request of `node:http`, `node:https` or `node:http2`, as Express and Fastify pass it on. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { readConnectionFacts } from '../../wire/connection/connection-facts.ts';
import type { HeaderField } from '../../wire/exchange.ts';
import { type IncomingHead, listValues } from '../incoming.ts';

export type NodeRequest = IncomingMessage | Http2ServerRequest;
export type NodeResponse = ServerResponse | Http2ServerResponse;

export function readNodeHead(request: NodeRequest): IncomingHead {
  const { socket } = request;
  const headers = readHeaders(request);
  const connection = readConnectionFacts(socket);
  return {
    method: request.method ?? 'GET',
    // Express removes the path that a router is mounted on.
    target: 'originalUrl' in request ? String(request.originalUrl) : (request.url ?? '/'),
    httpVersion: request.httpVersionMajor >= 2 ? '2' : request.httpVersionMinor === 0 ? '1.0' : '1.1',
    headers,
    peerAddress: socket.remoteAddress ?? '',
    isSecure: connection.tls !== undefined,
    connection,
    body: hasBody(request, headers) ? { declaredLength: readLength(headers) } : undefined,
  };
}

/** In HTTP/2, method, target and authority are also fields, with a colon before their names. */
function readHeaders({ rawHeaders }: NodeRequest): readonly HeaderField[] {
  const headers: HeaderField[] = [];
  let authority: string | undefined;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const value = rawHeaders[index + 1]!;
    if (!name.startsWith(':')) headers.push([name, value]);
    else if (name === ':authority') authority = value;
  }
  if (authority !== undefined && listValues(headers, 'host').length === 0)
    headers.unshift(['host', authority]);
  return headers;
}

function hasBody(request: NodeRequest, headers: readonly HeaderField[]): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders;
  return listValues(headers, 'transfer-encoding').length > 0 || (readLength(headers) ?? 0) > 0;
}

function readLength(headers: readonly HeaderField[]): number | undefined {
  const [length] = listValues(headers, 'content-length');
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
