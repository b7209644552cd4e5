/**
 * Requests that have been sent when the program is asked to stop. The process is suspended while requests are sent, so
 * that all of them wait in the kernel when it gets the signal: unaccepted connections, and unread bytes.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { TestOrigin } from '../edge/test-origin.ts';
import { Gatehouse, type ReadyFacts, temporary } from './gatehouse.ts';

const count = 60;

interface Client {
  readonly socket: Socket;
  /** All data received until the connection was closed, or the error. */
  readonly received: Promise<string>;
}

function open(port: number): Client {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.on('error', (error: NodeJS.ErrnoException) =>
    resolve(`${error.code} after ${JSON.stringify(text)}`),
  );
  socket.on('close', () => resolve(text));
  return { socket, received: promise };
}

async function send({ socket }: Client, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    socket.write(text, (error) => (error ? reject(error) : resolve())),
  );
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function createFilter({ zones, token }: ReadyFacts, number: number): string {
  const zone = zones.find(({ plan }) => plan === 'enterprise')!.id;
  const body = JSON.stringify([{ expression: `http.host eq "drained-${number}.example"` }]);
  return `POST /client/v4/zones/${zone}/filters HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** The numbers of the existing filters. */
async function filtersOf({ api, zones, token }: ReadyFacts): Promise<number[]> {
  const zone = zones.find(({ plan }) => plan === 'enterprise')!.id;
  const response = await fetch(`${api}/zones/${zone}/filters?per_page=100`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { result } = (await response.json()) as { result: { expression: string }[] };
  const numbers = result.map(({ expression }) => Number(/drained-(\d+)/.exec(expression)![1]));
  return numbers.toSorted((a, b) => a - b);
}

async function checkKept(t: TestContext, directory: string): Promise<void> {
  const { server, ready } = await Gatehouse.start(t, { directory });
  assert.deepEqual(await filtersOf(ready), Array.from(Array(count).keys()));
  await server.end('SIGTERM');
}

/**
 * All were answered. Most responses say that the connection closes; a response in transit when the process got the
 * signal cannot.
 */
function assertAnswered(answers: readonly string[], status: RegExp): void {
  const others = answers.filter((answer) => !status.test(answer));
  assert.deepEqual(others, [], `${others.length} of ${answers.length} were not answered`);
  const closing = answers.filter((answer) => /^connection: close\r$/im.test(answer));
  assert.ok(
    closing.length > answers.length / 2,
    `${closing.length} of ${answers.length} said that they close`,
  );
}

for (const kept of [false, true]) {
  const which = kept ? 'kept alive since an earlier request' : 'that nobody has accepted yet';
  test(`gatehouse serve answers the writes that were sent before it was told to stop, on connections ${which}`, async (t) => {
    const directory = temporary(t);
    const { server, ready } = await Gatehouse.start(t, { directory });
    const port = portOf(ready.api);
    const clients: Client[] = [];
    const connectAll = (): void => {
      for (let number = 0; number < count; number++) clients.push(open(port));
    };
    if (kept) {
      connectAll();
      for (const client of clients) {
        await send(client, 'GET /livez HTTP/1.1\r\nHost: h\r\n\r\n');
        await once(client.socket, 'data');
      }
    }
    server.process.kill('SIGSTOP');
    if (!kept) connectAll();
    await Promise.all(clients.map((client, number) => send(client, createFilter(ready, number))));
    server.process.kill('SIGTERM');
    server.process.kill('SIGCONT');
    const answers = await Promise.all(clients.map(({ received }) => received));
    assert.equal(await server.exited, 0, server.stderr);
    assertAnswered(
      answers.map((answer) => answer.replace(/^HTTP\/1\.1 200 OK[^]*?ok\n/, '')),
      /^HTTP\/1\.1 20[01] [^]*"success":true/,
    );
    await checkKept(t, directory);
  });
}

test('the edge answers the requests that were sent before it was told to stop', async (t) => {
  await using origin = await TestOrigin.listen();
  const directory = temporary(t);
  const args = ['--edge-port', '0', '--allow-private-origins', 'true'];
  const { server, ready } = await Gatehouse.start(t, { directory, args });
  const zone = ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const put = await fetch(`${ready.api}/zones/${zone.id}/edge`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ origin: { url: origin.url } }),
  });
  assert.equal(put.status, 200, await put.text());
  const port = portOf((ready as ReadyFacts & { edge: string }).edge);
  const request = `GET /page HTTP/1.1\r\nHost: ${zone.name}\r\n\r\n`;
  // The edge gets its origin a moment after the API has answered.
  for (let status = ''; !status.startsWith('HTTP/1.1 200 ');) {
    const first = open(port);
    await send(first, request.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    status = await first.received;
  }
  const kept = Array.from({ length: count / 2 }, () => open(port));
  for (const client of kept) {
    await send(client, request);
    await once(client.socket, 'data');
  }
  server.process.kill('SIGSTOP');
  const fresh = Array.from({ length: count / 2 }, () => open(port));
  const clients = [...kept, ...fresh];
  await Promise.all(clients.map((client) => send(client, request)));
  server.process.kill('SIGTERM');
  server.process.kill('SIGCONT');
  const answers = await Promise.all(clients.map(({ received }) => received));
  assert.equal(await server.exited, 0, server.stderr);
  assertAnswered(
    answers.map((answer, index) =>
      index < kept.length ? answer.slice(answer.lastIndexOf('HTTP/1.1')) : answer,
    ),
    /^HTTP\/1\.1 200 /,
  );
});
