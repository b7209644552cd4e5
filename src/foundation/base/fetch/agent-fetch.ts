/**
 * A request with its own agent: Node's `fetch` cannot be configured with certificates to trust, and shares its
 * connections with all callers. Redirects are not followed.
 */
import { Agent, type AgentOptions, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as SecureAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';

/** For one server; `ca` replaces the authorities that Node trusts. */
export function createAgent(url: string, options: AgentOptions & { readonly ca?: string }): Agent {
  return url.startsWith('https:') ? new SecureAgent(options) : new Agent(options);
}

export async function fetchByAgent(
  agent: Agent,
  target: string,
  { method, headers, body, signal }: RequestInit,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = target.startsWith('https:') ? requestHttps : requestHttp;
  const sent = request(target, {
    method: method ?? 'GET',
    agent,
    headers: headers as Record<string, string>,
    ...(signal ? { signal } : {}),
  })
    .on('response', resolve)
    .on('error', reject);
  if (body instanceof ReadableStream)
    Readable.from(body)
      .on('error', (error) => sent.destroy(error))
      .pipe(sent);
  else sent.end(body);
  const incoming = await promise;
  const fields = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value) => [name, value] as [string, string]),
  );
  const content = incoming.statusCode === 204 ? null : (Readable.toWeb(incoming) as ReadableStream);
  return new Response(content, { status: incoming.statusCode ?? 0, headers: fields });
}
