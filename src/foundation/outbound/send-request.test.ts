import { deepEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { OriginRules } from './origin-rules.ts';
import { sendRequest } from './send-request.ts';

const servers: Server[] = [];
after(() => {
  for (const server of servers) server.close();
});

/** Answers `/away` with a redirect to `elsewhere`, `/near` with one to itself, all other requests with 200. */
async function serve(elsewhere: string, asked: IncomingHttpHeaders[]): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming.headers);
    const location = { '/away': elsewhere, '/near': '/here' }[incoming.url ?? ''];
    if (location !== undefined) outgoing.writeHead(302, { location });
    outgoing.end();
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('sendRequest follows redirects, and sends credentials to the server that was named and to no other', async () => {
  const [near, far]: IncomingHttpHeaders[][] = [[], []];
  const other = await serve('', far!);
  const named = await serve(`${other}/taken`, near!);
  const rules = new OriginRules({ allowPrivate: true });
  const headers = { authorization: 'Bearer mine' };
  for (const path of ['/near', '/away']) {
    const { status } = await sendRequest({
      url: `${named}${path}`,
      headers,
      rules,
      timeoutMs: 60_000,
      bytesMax: 1_000,
      redirectsMax: 1,
    });
    deepEqual(status, 200);
  }
  const keys = (requests: readonly IncomingHttpHeaders[]) =>
    requests.map(({ authorization }) => authorization);
  deepEqual([keys(near!), keys(far!)], [['Bearer mine', 'Bearer mine', 'Bearer mine'], [undefined]]);
});
