import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { eventually } from '../eventually.ts';
import { serveAdmin } from '../../src/server/admin/admin-server.ts';

const options = {
  answer: async ({ target }: { readonly target: string }) => ({
    status: target === '/readyz' ? 200 : 404,
    headers: { 'content-type': 'text/plain' },
    body: `asked for ${target}\n`,
  }),
  host: '127.0.0.1',
  port: 0,
  onError: (error: unknown) => {
    throw error;
  },
};

/** Asks from another thread until it gets this status, and wakes this one, which does nothing else meanwhile. */
function blockUntil(url: string, status: number): void {
  const done = new Int32Array(new SharedArrayBuffer(4));
  const source = `
    const { workerData } = require('node:worker_threads');
    const http = require('node:http');
    (function ask() {
      http.get(workerData.url, { agent: false }, (response) => {
        response.resume();
        if (response.statusCode !== workerData.status) return void setTimeout(ask, 10);
        Atomics.store(workerData.done, 0, response.statusCode);
        Atomics.notify(workerData.done, 0);
      });
    })();`;
  new Worker(source, { eval: true, workerData: { url, status, done } }).unref();
  Atomics.wait(done, 0, 0, 60_000);
  equal(done[0], status);
}

test('serveAdmin answers /livez while the program is busy, until the program has been silent for too long', async () => {
  const server = await serveAdmin({ ...options, liveMs: 1_000 });
  blockUntil(`${server.url}/livez`, 200);
  blockUntil(`${server.url}/livez`, 503);
  // The next beat says that it lives.
  await eventually(
    async () => (await fetch(`${server.url}/livez`)).status === 200,
    'the program lives again',
  );
  await server.close({ graceMs: 1_000 });
});

test('serveAdmin lets the program answer everything else', async () => {
  const server = await serveAdmin(options);
  const answers = [];
  for (const path of ['/readyz', '/metrics?a=b', '/nothing']) {
    const response = await fetch(`${server.url}${path}`);
    answers.push([response.status, await response.text()]);
  }
  deepEqual(answers, [
    [200, 'asked for /readyz\n'],
    [404, 'asked for /metrics?a=b\n'],
    [404, 'asked for /nothing\n'],
  ]);
  await server.close({ graceMs: 1_000 });
});
