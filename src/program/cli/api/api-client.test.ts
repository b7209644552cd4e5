import { deepEqual, equal, rejects } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ApiClient } from './api-client.ts';

test('ApiClient sends files with credentials to the API alone, waits where it is told to, and says who refused', async (t) => {
  const seen: unknown[] = [];
  const answers = [
    [429, '{}', { 'retry-after': '0' }],
    [200, ''],
    [200, 'contents'],
    [413, '<h1>Too large</h1>'],
    [429, '{}', { 'retry-after': '601' }],
    [400, '{"errors":[{"code":7,"message":"no"}]}'],
  ] as const;
  const server = createServer((request, response) => {
    seen.push([request.method, request.url, request.headers.authorization, request.headers['content-type']]);
    const [status, body, headers = {}] = answers[seen.length - 1]!;
    request.resume().on('end', () => response.writeHead(status, headers).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  using api = new ApiClient({ url: `${origin}/client/v4`, headers: { authorization: 'Bearer x' } });

  const file = { headers: { 'content-type': 'text/plain' }, bytes: new Uint8Array(3) };
  await api.sendFile('/a', file);
  equal((await api.readFile(`${origin}/signed`)).toString(), 'contents');
  const refused = (reason: string) => ({
    name: 'ApiError',
    message: `the server refused PUT /client/v4/a: ${reason}`,
  });
  await rejects(api.sendFile('/a?b=c', file), refused('status 413'));
  await rejects(api.sendFile('/a', file), refused('status 429'));
  await rejects(api.sendFile('/a', file), refused('no (7)'));
  deepEqual(seen.slice(0, 3), [
    ['PUT', '/client/v4/a', 'Bearer x', 'text/plain'],
    ['PUT', '/client/v4/a', 'Bearer x', 'text/plain'],
    ['GET', '/signed', undefined, undefined],
  ]);
  using away = new ApiClient({ url: 'http://127.0.0.1:1/client/v4', headers: {} });
  await rejects(away.sendFile('/a', file), {
    name: 'ConnectionError',
    message: 'http://127.0.0.1:1/client/v4 does not answer: connect ECONNREFUSED 127.0.0.1:1',
  });
});
