import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHosts } from '#hosts';
import { serveHttp, useLightFetch } from '#workers';
import { Client } from './site.ts';

test('sockets reach objects in other processes, and end with them', async (t) => {
  useLightFetch();
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-socket-hosts-'));
  const hosts = await createHosts({
    directory,
    hosts: 2,
    module: new URL('./hosted-objects.ts', import.meta.url),
  });
  const rooms = hosts.namespace('Room');
  const server = await serveHttp({
    port: 0,
    fetch: (request) => rooms.getByName(new URL(request.url).pathname).fetch(request),
  });
  t.after(async () => {
    await server.close({ graceMs: 0 });
    await hosts.close();
    rmSync(directory, { recursive: true });
  });
  const connect = async (room: string): Promise<Client> => {
    const client = new Client(`${server.url.replace('http', 'ws')}/${room}`, [], {});
    t.after(() => client.end());
    equal(await client.next(), 'welcome');
    return client;
  };
  const [one, two] = [await connect('a'), await connect('a')];
  // Objects of both hosts.
  const others = await Promise.all(['b', 'c', 'd', 'e', 'f'].map(connect));
  one.send('hello');
  deepEqual([await one.next(), await two.next()], ['hello', 'hello']);
  for (const client of others) equal(await client.ask('x'), 'x');
  const bytes = Buffer.alloc(100_000, 7);
  equal(bytes.equals((await others[0]!.ask(bytes)) as Buffer), true);
  // As a value of the other process, it would be larger than a call may be.
  const longest = 'x'.repeat(32 * 1024 * 1024);
  equal((await others[0]!.ask(longest)) === longest, true);
  for (let i = 0; i < 200; i++) others[1]!.send(String(i));
  for (let i = 0; i < 200; i++) equal(await others[1]!.next(), String(i));

  two.socket.close(4000, 'bye');
  deepEqual(await two.closed, [4000, 'bye answered']);
  others[2]!.send('close');
  deepEqual(await others[2]!.closed, [4001, 'by the object']);
  others[3]!.end();
  equal(await one.ask('still here'), 'still here');

  const instance = await one.ask('instance');
  one.send('exit');
  equal((await one.closed)[0], 1006);
  const again = await connect('a');
  equal((await again.ask('instance')) === instance, false);
});
