import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { EventRecorder, type RecordedEvent } from '#events';
import { RemoteControl } from './remote-control.ts';

const failing = 'f'.repeat(32);
const working = 'a'.repeat(32);

test('RemoteControl.writeEvents retries for a log that answers 5xx, and the events of other zones arrive', async (t) => {
  const arrived: string[] = [];
  let failures = 0;
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'GET') return response.end('{"result": [{"id": "account"}]}');
      const { zone_id, events } = JSON.parse(body) as {
        zone_id: string;
        events: { event: { id: number } }[];
      };
      if (zone_id === failing) {
        failures++;
        response.statusCode = 500;
      } else arrived.push(...events.map(({ event }) => String(event.id)));
      return response.end('{}');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const abort = new AbortController();
  const control = new RemoteControl({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
    token: 'token',
    signal: abort.signal,
  });
  const delivered = Promise.withResolvers<void>();
  const recorder = new EventRecorder({
    write: async (zoneId, events) => {
      await control.writeEvents(zoneId, events, 86_400_000);
      if (arrived.length === 3) delivered.resolve();
    },
  });
  const record = (zoneId: string, id: number): void =>
    recorder.record({
      zoneId,
      retentionMs: 1,
      count: 1,
      bytes: 0,
      make: () => [{ event: { id } } as unknown as RecordedEvent],
    });
  record(failing, 0);
  for (let id = 1; id <= 3; id++) {
    record(working, id);
    if (id === 1) void recorder.flush();
  }
  await delivered.promise;
  deepEqual(arrived, ['1', '2', '3']);
  equal(failures > 0, true);
  abort.abort();
  await recorder.flush();
  equal(recorder.counts.dropped, 1);
});
