import { deepEqual, equal, match } from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { serveApi } from '#server';
import { eventually } from '../eventually.ts';
import { TestControl } from './harness.ts';
import { eventId, SecurityZone } from './security-zone.ts';
import { makeToken } from './token-maker.ts';

let control: TestControl;
let zone: SecurityZone;
beforeEach(async () => {
  control = await TestControl.open();
  zone = new SecurityZone(control, 'pro');
});
afterEach(() => control.close());

type Stream = AsyncIterator<string, undefined>;

/** A started stream. */
async function tail(query = '', headers?: Readonly<Record<string, string>>): Promise<Stream> {
  const { status, headers: given, body } = await zone.answer(`${zone.events}/tail?${query}`, headers);
  deepEqual([status, given['content-type']], [200, 'text/event-stream; charset=utf-8']);
  const stream = (body as AsyncIterable<string>)[Symbol.asyncIterator]() as Stream;
  equal((await stream.next()).value, 'retry: 3000\n\n');
  return stream;
}

function idsIn(piece: string | undefined): string[] {
  return Array.from(
    (piece ?? '').matchAll(/^data: (\{.*"rayName".*)$/gm),
    ([, json]) => JSON.parse(json!).id as string,
  );
}

test('security.tail sends events that match its conditions as they are written', async () => {
  const stream = await tail(
    `where=action:neq:log&expression=${encodeURIComponent('http.request.uri.path eq "/a"')}`,
  );
  await zone.record([
    { number: 1, clientRequestPath: '/a' },
    { number: 2, clientRequestPath: '/a', action: 'log' },
    { number: 3, clientRequestPath: '/b' },
    { number: 4, clientRequestPath: '/a' },
  ]);
  const piece = (await stream.next()).value!;
  match(piece, new RegExp(`^id: ${eventId(1)}\ndata: \\{.*\\}\n\nid: `));
  deepEqual(idsIn(piece), [eventId(1), eventId(4)]);
  const waiting = stream.next();
  await zone.record([{ number: 5, clientRequestPath: '/a' }]);
  deepEqual(idsIn((await waiting).value), [eventId(5)]);
  await stream.return!();
});

test('security.tail ends at once when the client leaves, and stops listening to events', async () => {
  const stream = await tail();
  const waiting = stream.next();
  await stream.return!();
  deepEqual(await waiting, { done: true, value: undefined });
  await zone.record([{ number: 1 }]);
  deepEqual(await stream.next(), { done: true, value: undefined });
});

test('security.tail sends heartbeats when nothing happens', async () => {
  const stream = await tail();
  const waiting = stream.next();
  await control.clock.advance(15_000);
  equal((await waiting).value, ':\n\n');
  await stream.return!();
});

test('security.tail drops events that a slow client does not read, and says how many', async () => {
  const stream = await tail();
  for (let batch = 0; batch < 6; batch++)
    await zone.record(Array.from({ length: 250 }, (_, index) => ({ number: batch * 1_000 + index })));
  let [heard, missed] = [0, 0];
  while (heard + missed < 1_500) {
    const piece = (await stream.next()).value!;
    heard += idsIn(piece).length;
    missed += Number(/event: missed\ndata: \{"count":(\d+)\}\n\n$/.exec(piece)?.[1] ?? 0);
  }
  // Hosts of a cluster poll for events: between two polls there is room again.
  if (control.control.files !== undefined) deepEqual([heard, missed], [1_000, 500]);
  equal(heard + missed, 1_500);
  await stream.return!();
});

test('security.tail limits the number of clients, and one that leaves makes room', async () => {
  const streams: Stream[] = [];
  for (let count = 0; count < 20; count++) streams.push(await tail());
  const refused = await zone.answer(`${zone.events}/tail`);
  equal(refused.status, 429);
  match(refused.body as string, /"code":11107/);
  await streams.pop()!.return!();
  streams.push(await tail());
  for (const stream of streams) await stream.return!();
});

test('security.tail that is never read takes no room', async () => {
  for (let count = 0; count < 30; count++) equal((await zone.answer(`${zone.events}/tail`)).status, 200);
});

test('security.tail ends when its token is revoked, and when the zone is deleted', async () => {
  const token = await makeToken(control, { groups: ['Analytics Read'] });
  const revoked = await tail('', token.headers);
  const deleted = await tail();
  const waiting = revoked.next();
  equal((await control.call(`DELETE /user/tokens/${token.id}`)).status, 200);
  await control.clock.advance(15_000);
  equal((await waiting).done, true);
  equal((await deleted.next()).value, ':\n\n');
  equal((await control.call(`DELETE /zones/${zone.id}`)).status, 200);
  await control.clock.advance(15_000);
  equal((await deleted.next()).done, true);
});

test('security.tail ends when the service does', async () => {
  const stream = await tail();
  const waiting = stream.next();
  control.control.endStreams();
  equal((await waiting).done, true);
});

test('security.tail over sockets sends events at once, and clients that disconnect make room', async (t) => {
  const server = await serveApi({
    answer: (request) => control.control.answer(request),
    host: '127.0.0.1',
    port: 0,
    onError: (error) => {
      throw error;
    },
  });
  t.after(() => server.close({ graceMs: 0 }));
  const token = await makeToken(control, { groups: ['Analytics Read'] });
  const leaving = new AbortController();
  const open = (signal?: AbortSignal) =>
    fetch(`${server.url}/client/v4${zone.events}/tail`, {
      headers: token.headers,
      ...(signal && { signal }),
    });
  const responses = await Promise.all(Array.from({ length: 20 }, () => open(leaving.signal)));
  deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
  const reader = responses[0]!.body!.pipeThrough(new TextDecoderStream()).getReader();
  equal((await reader.read()).value, 'retry: 3000\n\n');
  await zone.record([{ number: 7 }]);
  deepEqual(idsIn((await reader.read()).value), [eventId(7)]);
  equal((await open()).status, 429);
  leaving.abort();
  await reader.closed.catch(() => {});
  await eventually(async () => {
    const last = await open();
    await last.body?.cancel();
    return last.status === 200;
  }, 'a place for another tail');
});
