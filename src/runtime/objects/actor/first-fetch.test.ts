/** In a process of its own: `fetch` initialises itself at the first request of a process. */
import { deepEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRuntime, DurableObject } from '#objects';

class Caller extends DurableObject {
  async ask(url: string): Promise<string> {
    const response = await fetch(url);
    return await response.text();
  }
}

test('fetch works in an object that makes the first request of its process', async (t) => {
  const server = createServer((_incoming, outgoing) => outgoing.end('answered')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-first-fetch-'));
  t.after(() => rmSync(directory, { recursive: true }));
  await using runtime = await createRuntime({ directory, classes: { Caller: { class: Caller } } });
  const caller = runtime.namespace<Caller>('Caller').getByName('a');
  deepEqual(await Promise.all([caller.ask(url), caller.ask(url)]), ['answered', 'answered']);
});
